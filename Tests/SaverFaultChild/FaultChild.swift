import Glibc

/// A program that tests start to have something happen to it. Each line of its input names an engine, the base of a
/// store's path, and steps, separated by tabs:
///
///     ENGINE BASE STEP…
///
/// Each step prints a line as soon as it is done, its words separated by tabs: `STEP ok …`, or `STEP error CODE PATH
/// MESSAGE`. An error ends nothing: the next step shows whether the store can go on. ``Session`` says what the steps are.
/// After the last one the store is closed, and `end ok` is printed.
@main
enum FaultChild {
  /// A process that takes longer for a line hangs: the alarm ends it.
  private static let secondsMax: UInt32 = 180

  static func main() {
    while let line = readLine() {
      alarm(secondsMax)
      let words = line.split(separator: "\t").map(String.init)
      guard words.count >= 2, let session = Session(engine: words[0], base: words[1]) else {
        print("error", "the engine, the base of the store's name, and steps are wanted")
        exit(64)
      }
      for step in words.dropFirst(2) { session.run(step) }
      session.close()
      print("end", "ok")
    }
  }

  /// Prints one line at once, however the process may end after it.
  static func print(_ words: String...) {
    let line = words.map { word in
      String(word.map { $0 == "\t" || $0.isNewline ? " " : $0 })
    }.joined(separator: "\t")
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
