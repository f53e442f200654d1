import CFuzzer
import Glibc

/// Feeds a decoder with what libFuzzer makes of its corpus, until one traps or leaves its memory:
///
///     saver-fuzz DECODER [OPTION…] [CORPUS…]
///
/// The options are libFuzzer's.
@main
enum Fuzzer {
  /// What a decoder does with some bytes. It returns, whatever they are.
  typealias Trial = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

  private static let trials: [(name: String, trial: Trial)] = [
    ("lmdb-keys", { KeyTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
    ("lmdb-history", { HistoryTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
    ("lmdb-pages", { PageTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
    ("rows", { RowTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
    ("lists", { ListTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
    ("texts", { TextTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
    ("configuration", { ConfigurationTrial.run(UnsafeRawBufferPointer(start: $0, count: $1)) }),
  ]

  static func main() {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    guard let trial = trials.first(where: { $0.name == name })?.trial else {
      print("usage: saver-fuzz \(trials.map(\.name).joined(separator: "|")) [OPTION…] [CORPUS…]")
      exit(64)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2))
      .map { strdup($0) } + [nil]
    var count = Int32(arguments.count - 1)
    arguments.withUnsafeMutableBufferPointer { arguments in
      var start = arguments.baseAddress
      exit(LLVMFuzzerRunDriver(&count, &start, trial))
    }
  }

  /// Ends the process where something holds that may not, as a trap does.
  static func require(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line) {
    precondition(condition, "line \(line): \(message())")
  }
}
