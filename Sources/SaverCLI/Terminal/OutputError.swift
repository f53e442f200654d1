internal import Glibc

/// Why output could not be written.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe (`| head`). The program ends at once, says nothing, and exits 0.
  case closedPipe
  /// The program was told to end while nobody read what it writes. It ends at once, says nothing, and exits 0.
  case stopped
  /// The system refused: a full disk, `/dev/full`, a closed descriptor.
  case failed(errno: Int32)

  package var exitCode: ExitCode {
    switch self {
    case .closedPipe, .stopped: .success
    case .failed: .inputOutput
    }
  }

  /// What to say on standard error; `nil` when nothing should be said.
  package var message: String? {
    switch self {
    case .closedPipe, .stopped: nil
    case .failed(let errno): "cannot write the output: " + String(cString: strerror(errno))
    }
  }
}
