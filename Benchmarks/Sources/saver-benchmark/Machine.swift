import FoundationEssentials
import Glibc

/// Where the figures are from.
struct Machine: Encodable {
  let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
  let processor: String
  let kernel: String
  /// Programs that wanted a core, on average of the last minute.
  let load: String

  init() {
    processor =
      Self.read("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
      .flatMap { $0.split(separator: ":").last }.map { String($0.drop { $0 == " " }) } ?? "unknown processor"
    kernel = String(Self.read("/proc/sys/kernel/osrelease").prefix { $0 != "\n" })
    load = "load \(Self.read("/proc/loadavg").prefix { $0 != " " })"
  }

  var text: String { "\(cores) cores, \(processor), Linux \(kernel), \(load)" }

  private static func read(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
