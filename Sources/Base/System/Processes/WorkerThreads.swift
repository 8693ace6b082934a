internal import Synchronization

package final class WorkerThreads: Sendable {
  private let running: Mutex<Int>
  private let ended = SystemEvent()

  /// Starts the closures; where no thread can be had, they run one after the other before it
  /// returns.
  package init(_ bodies: [@Sendable () -> Void]) {
    running = Mutex(bodies.count)
    // Without the event nothing could tell that they have ended.
    let unstarted =
      ended == nil ? bodies : bodies.filter { body in !POSIX.startThread { self.run(body) } }
    for body in unstarted { run(body) }
  }

  package var haveEnded: Bool {
    running.withLock { $0 == 0 }
  }

  package var descriptor: Int32? { ended?.readEnd }

  /// Returns when all have ended, at `end`, or when `descriptor` is readable.
  package func wait(until end: ContinuousClock.Instant?, orReadable descriptor: Int32?) {
    guard let ended else { return }
    let descriptors = [ended.readEnd] + (descriptor.map { [$0] } ?? [])
    while !haveEnded {
      if POSIX.wait(on: descriptors, until: end).contains(true) { return }
      if let end, end <= .now { return }
    }
  }

  private func run(_ body: () -> Void) {
    body()
    let left = running.withLock { running in
      running -= 1
      return running
    }
    if left == 0 { ended?.happen() }
  }
}

package final class BackgroundTask<Value: Sendable>: Sendable {
  private let outcome = Outcome()
  private let thread: WorkerThreads

  private final class Outcome: Sendable {
    let value = Mutex<Value?>(nil)
  }

  package init(_ work: @escaping @Sendable () -> Value) {
    let outcome = outcome
    thread = WorkerThreads([
      {
        let value = work()
        outcome.value.withLock { $0 = value }
      }
    ])
  }

  package var descriptor: Int32? { thread.descriptor }

  package var value: Value? { outcome.value.withLock { $0 } }

  package func wait(
    until end: ContinuousClock.Instant? = nil,
    orReadable descriptor: Int32? = nil,
  ) {
    thread.wait(until: end, orReadable: descriptor)
  }
}

extension POSIX {
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs a closure on a thread of its own; false where no thread can be had.
  ///
  /// Threads are detached: one that is stuck at the deadline is never waited for. They block all
  /// signals but SIGBUS. macOS gives 512 KiB of stack to threads that do not ask for more.
  package static func startThread(
    stackBytes: Int = 4 << 20,
    _ body: @escaping @Sendable () -> Void,
  ) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The thread that reads a mapped file gets SIGBUS when the file is cut short; if it blocked the
    // signal, the process would end.
    sigdelset(&all, SIGBUS)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // Taken over by the thread; by us again when there is none.
    let context = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let result = pthread_create(
      &thread,
      &attributes,
      {
        // Not optional on macOS.
        let context: UnsafeMutableRawPointer? = $0
        if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      },
      context.toOpaque(),
    )
    if result != 0 { context.release() }
    return result == 0
  }
}
