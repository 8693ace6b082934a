package import System

/// One line of the record of runs: when, and what came of it.
package struct RunRecord: Hashable, Sendable {
  package var started: Date
  package var command: String
  package var outcome: Outcome
  /// Feeds asked, and those of them that failed.
  package var asked: Int
  package var failed: Int
  /// Stories counted as new, and stories stored.
  package var new: Int
  package var stored: Int
  package var seconds: Double

  package init(started: Date, command: String, outcome: Outcome) {
    self.started = started
    self.command = command
    self.outcome = outcome
    self.asked = 0
    self.failed = 0
    self.new = 0
    self.stored = 0
    self.seconds = 0
  }
}

/// What a background fetch found, in one word.
package enum Outcome: String, Hashable, Sendable {
  case newData
  case noData
  case failed
}
