#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A thread that makes the stories of a long document while the parser goes on.
///
/// PERF: collecting and making stories take the same time; on two cores a document of 100 MB is
/// read in little more than half of it. One core does both for most feeds, which end before a
/// thread would be worth it.
final class AssemblyThread {
  private let line: Line
  private var thread: pthread_t?

  /// - Returns: nil when there is no thread to be had.
  init?(_ assembly: ItemAssembly) {
    line = Line(assembly)
    // `line` is retained for the thread, which releases it at its end.
    guard let thread = Self.start(line) else { return nil }
    self.thread = thread
  }

  deinit {
    finish()
  }

  /// Hands over a full batch for an empty one; waits while the thread is behind.
  func exchange(_ batch: ItemBatch) -> ItemBatch {
    line.exchange(batch)
  }

  /// Returns when all batches are stories, and the thread has ended.
  func finish() {
    guard let thread else { return }
    self.thread = nil
    line.end()
    pthread_join(thread, nil)
  }

  private static func start(_ line: Line) -> pthread_t? {
    // Signals stay with the threads that there are.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(line)
    #if canImport(Darwin)
    var thread: pthread_t?
    let result = pthread_create(&thread, nil, { run($0) }, context.toOpaque())
    #else
    var thread = pthread_t()
    let result = pthread_create(
      &thread,
      nil,
      { context in context.map { AssemblyThread.run($0) } ?? nil },
      context.toOpaque(),
    )
    #endif
    guard result == 0 else {
      context.release()
      return nil
    }
    return thread
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Line>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
}

extension AssemblyThread {
  /// The batches on their way to the thread and back.
  ///
  /// Sendable: `full`, `empty` and `isEnded` are touched under the mutex alone; a batch belongs to
  /// whoever took it out of them, and the assembly to the thread until it has been joined.
  private final class Line: @unchecked Sendable {
    /// Batches in all, one of which is the parser's.
    private static let count = 4

    private let assembly: ItemAssembly
    private var full: [ItemBatch] = []
    private var empty = (1..<count).map { _ in ItemBatch() }
    private var isEnded = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ assembly: ItemAssembly) {
      self.assembly = assembly
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(changed, nil)
    }

    deinit {
      pthread_cond_destroy(changed)
      pthread_mutex_destroy(mutex)
      changed.deallocate()
      mutex.deallocate()
    }

    func exchange(_ batch: ItemBatch) -> ItemBatch {
      locked {
        full.append(batch)
        pthread_cond_broadcast(changed)
        while true {
          if let batch = empty.popLast() { return batch }
          pthread_cond_wait(changed, mutex)
        }
      }
    }

    func end() {
      locked {
        isEnded = true
        pthread_cond_broadcast(changed)
      }
    }

    func run() {
      while let batch = next() {
        assembly.add(batch)
        locked {
          empty.append(batch)
          pthread_cond_broadcast(changed)
        }
      }
    }

    private func next() -> ItemBatch? {
      locked {
        while full.isEmpty, !isEnded { pthread_cond_wait(changed, mutex) }
        return full.isEmpty ? nil : full.removeFirst()
      }
    }

    private func locked<R>(_ body: () -> R) -> R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }
  }
}
