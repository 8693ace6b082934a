package import System

/// One line of the record of runs: when, and what came of it.
package struct RunRecord: Hashable, Sendable {
  package var started: Date
  package var command: String
  package var outcome: Outcome
  /// Feeds asked, and those of them that failed.
  package var asked = 0
  package var failed = 0
  /// Feeds that the deadline left for the next run.
  package var left = 0
  /// Stories counted as new, feeds whose newest story got another title, and stories stored.
  package var new = 0
  package var changed = 0
  package var stored = 0
  package var seconds = 0.0
  /// Whether it was to ask only feeds whose time had come.
  package var isOnlyDue = false
  /// HTTP requests, those of redirects included, and bytes of all bodies after decompression.
  package var requests = 0
  package var bytes = 0
  /// Requests that were answered 304, and what those feeds' bodies would have been, by their last ones.
  package var unchanged = 0
  package var savedBytes = 0

  package init(started: Date, command: String, outcome: Outcome) {
    self.started = started
    self.command = command
    self.outcome = outcome
  }
}

/// What a background fetch found, in one word.
package enum Outcome: String, Hashable, Sendable {
  case newData
  case noData
  case failed
}
