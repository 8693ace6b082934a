import Synchronization

/// Takes questions from the threads of the table view's commands to its reader, one after the other.
///
/// Each thread waits for its answer.
final class BrowserQuestions: Sendable {
  private final class Asked: Sendable {
    let text: String
    let answer = Mutex<String?>(nil)
    let isAnswered: SystemEvent

    init(_ text: String, _ isAnswered: SystemEvent) {
      (self.text, self.isAnswered) = (text, isAnswered)
    }
  }

  private struct State {
    var asked: [Asked] = []
    /// Has happened once there is a question; another takes its place when there is none any more.
    var arrival = SystemEvent()
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Readable while a question waits for its answer.
  var descriptor: Int32? { state.withLock { $0.arrival?.readEnd } }

  /// The question that is to be answered next; nil where there is none.
  var first: String? { state.withLock { $0.asked.first?.text } }

  /// Asks, and returns the answer; nil where there is none.
  func ask(_ text: String) -> String? {
    guard let isAnswered = SystemEvent() else { return nil }
    let asked = Asked(text, isAnswered)
    let isTaken = state.withLock { state in
      guard !state.hasEnded, let arrival = state.arrival else { return false }
      state.asked.append(asked)
      arrival.happen()
      return true
    }
    guard isTaken else { return nil }
    while !isAnswered.hasHappened { _ = POSIX.wait(on: [isAnswered.readEnd], until: nil) }
    return asked.answer.withLock { $0 }
  }

  /// Answers the question that came first.
  func answer(_ text: String?) {
    state.withLock { state in
      guard !state.asked.isEmpty else { return }
      let asked = state.asked.removeFirst()
      asked.answer.withLock { $0 = text }
      asked.isAnswered.happen()
      if state.asked.isEmpty { state.arrival = SystemEvent() }
    }
  }

  /// Leaves all questions unanswered from now on.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      for asked in state.asked { asked.isAnswered.happen() }
      state.asked = []
    }
  }
}
