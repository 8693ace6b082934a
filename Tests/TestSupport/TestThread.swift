/// A POSIX thread of a test.
///
/// Unchecked: where `pthread_t` is a pointer, nothing dereferences it.
package final class TestThread: @unchecked Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private let thread: pthread_t

  package init(_ body: @escaping @Sendable () -> Void) throws {
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
    var made: pthread_t?
    let code = pthread_create(&made, nil, { TestThread.run($0) }, context.toOpaque())
    #else
    var identifier = pthread_t()
    let code = pthread_create(
      &identifier,
      nil,
      { context in context.map { TestThread.run($0) } ?? nil },
      context.toOpaque(),
    )
    let made: pthread_t? = identifier
    #endif
    guard code == 0, let made else {
      context.release()
      errno = code
      throw POSIXFailure("pthread_create", "")
    }
    thread = made
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  /// Waits for its end; may be called once.
  package func join() {
    pthread_join(thread, nil)
  }
}

/// A value that threads change and wait for.
package final class Monitor<Value>: @unchecked Sendable {
  // `value` is only touched with `mutex` held; both C objects stay where they are until the end.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func change<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  package func wait(until isReached: (Value) -> Bool) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isReached(value) { pthread_cond_wait(condition, mutex) }
  }
}

/// Returns once `isReached`, which no thread announces: it depends on files or processes.
///
/// Gives up after a minute or more, so that a test that waits in vain fails.
package func waitUntil(_ isReached: () throws -> Bool) rethrows {
  for _ in 0..<60_000 {
    if try isReached() { return }
    _ = poll(nil, 0, 1)
  }
}
