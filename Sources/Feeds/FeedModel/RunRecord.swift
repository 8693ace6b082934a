package import System

package struct RunRecord: Hashable, Sendable {
  package var started: Date
  package var command: String
  package var outcome: Outcome
  package var asked = 0
  package var failed = 0
  /// Feeds that the deadline left for the next run.
  package var left = 0
  /// New stories, feeds whose newest story has another title, and stories stored.
  package var new = 0
  package var changed = 0
  package var stored = 0
  package var seconds = 0.0
  package var isOnlyDue = false
  /// True if nobody was asked because the network was metered.
  package var isMetered = false
  /// HTTP requests with those of redirects, and the bytes of all bodies after decompression.
  package var requests = 0
  package var bytes = 0
  /// Answers 304, and the bytes that those bodies would have had, by the feeds' last ones.
  package var unchanged = 0
  package var savedBytes = 0

  package init(started: Date, command: String, outcome: Outcome) {
    self.started = started
    self.command = command
    self.outcome = outcome
  }
}

package enum Outcome: String, Hashable, Sendable {
  case newData
  case noData
  case failed
}
