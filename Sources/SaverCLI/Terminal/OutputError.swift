internal import Glibc

/// Why output could not be written.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe (`| head`). The program ends at once, says nothing, and exits 0.
  case closedPipe
  /// The system refused: a full disk, `/dev/full`, a closed descriptor.
  case failed(errno: Int32)

  package var exitCode: ExitCode {
    self == .closedPipe ? .success : .inputOutput
  }

  /// What to say on standard error; `nil` when nothing should be said.
  package var message: String? {
    switch self {
    case .closedPipe: nil
    case .failed(let errno): "cannot write the output: " + String(cString: strerror(errno))
    }
  }
}
