import Glibc

/// This program again, for a part that needs a process of its own.
enum ChildProcess {
  static func start(_ arguments: [String]) throws -> pid_t {
    var pointers: [UnsafeMutablePointer<CChar>?] = ([CommandLine.arguments[0]] + arguments).map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, "/proc/self/exe", nil, nil, pointers, environ)
    guard result == 0 else { throw FloorError(code: result, doing: "starting a process") }
    return process
  }

  /// Waits for its end.
  ///
  /// - Throws: if it has failed: its figures mean nothing then.
  static func wait(_ process: pid_t) throws {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    try FloorError.check(status, "a process of the benchmark's")
  }
}
