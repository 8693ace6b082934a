import Synchronization
import System

/// A queue of questions from command threads to the reader.
///
/// Each thread blocks until its question is answered.
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
    /// An event that has happened while questions wait; a new one replaces it after the last.
    var arrival = SystemEvent()
    var hasEnded = false
  }

  private let state = Mutex(State())

  var descriptor: Int32? { state.withLock { $0.arrival?.readEnd } }

  var first: String? { state.withLock { $0.asked.first?.text } }

  /// Returns the answer, for which it blocks; nil if there is none or no descriptor is left.
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

  func answer(_ text: String?) {
    state.withLock { state in
      guard !state.asked.isEmpty else { return }
      let asked = state.asked.removeFirst()
      asked.answer.withLock { $0 = text }
      asked.isAnswered.happen()
      if state.asked.isEmpty { state.arrival = SystemEvent() }
    }
  }

  /// Releases all waiting threads without an answer, now and later.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      for asked in state.asked { asked.isAnswered.happen() }
      state.asked = []
    }
  }
}
