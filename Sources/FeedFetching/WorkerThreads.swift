import Synchronization
import System

/// Closures that run at the same time, each on a POSIX thread of its own.
package final class WorkerThreads: Sendable {
  private let running: Mutex<Int>
  private let ended = SystemPipe()

  /// Starts them; where no thread can be had, they run one after the other before this returns.
  package init(_ bodies: [@Sendable () -> Void]) {
    running = Mutex(bodies.count)
    // Without a pipe to wait at, nothing could tell when they have ended.
    let unstarted = ended == nil ? bodies : bodies.filter { !start($0) }
    for body in unstarted { run(body) }
  }

  /// Whether all have.
  package var haveEnded: Bool {
    running.withLock { $0 == 0 }
  }

  /// Returns when all have ended, at `end`, or when `descriptor` is readable.
  package func wait(until end: ContinuousClock.Instant?, orReadable descriptor: Int32?) {
    guard let ended else { return }
    let descriptors = [ended.readEnd] + (descriptor.map { [$0] } ?? [])
    while !haveEnded {
      if SystemCall.waitForReading(descriptors, until: end).contains(true) { return }
      if let end, end <= .now { return }
    }
  }

  private func run(_ body: () -> Void) {
    body()
    let left = running.withLock { running in
      running -= 1
      return running
    }
    if left == 0 { ended?.write() }
  }

  /// What a thread is to do, handed over as one pointer.
  private final class Start: Sendable {
    let threads: WorkerThreads
    let body: @Sendable () -> Void

    init(threads: WorkerThreads, body: @escaping @Sendable () -> Void) {
      self.threads = threads
      self.body = body
    }
  }

  /// False when there is no thread to be had.
  ///
  /// Threads are detached: one that is stuck at the deadline is never waited for. Signals stay
  /// with the thread that called.
  private func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // macOS gives 512 KiB to threads that do not ask for more.
    pthread_attr_setstacksize(&attributes, 4 << 20)
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // A mapped file that is cut short is noticed by the thread that reads it, or ends the process.
    sigdelset(&all, SIGBUS)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return Self.create(Start(threads: self, body: body), &attributes)
  }

  private static func create(_ start: Start, _ attributes: inout pthread_attr_t) -> Bool {
    // Taken over by the thread; by us again when there is none.
    let context = Unmanaged.passRetained(start)
    #if canImport(Darwin)
    var thread: pthread_t?
    let result = pthread_create(&thread, &attributes, { runStart($0) }, context.toOpaque())
    #else
    var thread = pthread_t()
    let result = pthread_create(
      &thread,
      &attributes,
      { context in context.map { WorkerThreads.runStart($0) } ?? nil },
      context.toOpaque(),
    )
    #endif
    if result != 0 { context.release() }
    return result == 0
  }

  private static func runStart(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    start.threads.run(start.body)
    return nil
  }
}
