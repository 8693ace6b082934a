import Synchronization

/// Work on a thread of its own, and what it came to.
final class BackgroundTask<Value: Sendable>: Sendable {
  private let outcome = Outcome()
  private let thread: WorkerThreads

  private final class Outcome: Sendable {
    let value = Mutex<Value?>(nil)
  }

  init(_ work: @escaping @Sendable () -> Value) {
    let outcome = outcome
    thread = WorkerThreads([
      {
        let value = work()
        outcome.value.withLock { $0 = value }
      }
    ])
  }

  /// Readable when the work is done.
  var descriptor: Int32? { thread.descriptor }

  /// What it came to; nil while it has not ended.
  var value: Value? { thread.haveEnded ? outcome.value.withLock { $0 } : nil }

  func wait() {
    thread.wait(until: nil, orReadable: nil)
  }
}

/// What commands say, of which the last line counts.
final class LastLine: Sendable {
  private let text = Mutex("")

  /// In the place of standard error.
  var stream: TextOutput {
    TextOutput(capacity: 0) { bytes in
      let lines = String(decoding: bytes, as: UTF8.self)
        .split { $0.isNewline || $0 == "\u{1b}" }
        .map { $0.hasPrefix("[K") ? $0.dropFirst(2) : $0 }
      if let last = lines.last(where: { !$0.isEmpty }) { self.text.withLock { $0 = String(last) } }
      return 0
    }
  }

  /// The line, once; nil when nothing was said since.
  func take() -> String? {
    let line = text.withLock { text in
      defer { text = "" }
      return text
    }
    return line.isEmpty ? nil : line
  }
}
