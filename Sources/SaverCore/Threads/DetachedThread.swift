import Glibc

/// Starting a thread that nobody waits for.
package enum DetachedThread {
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread that receives no signals: those are for the threads that the program knows.
  ///
  /// - Returns: 0, or the number of the system's error; nothing runs then.
  package static func start(_ body: sending @escaping () -> Void) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    // A thread inherits the mask of the one that makes it.
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

    let argument = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let number = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    if number != 0 { argument.release() }
    return number
  }
}
