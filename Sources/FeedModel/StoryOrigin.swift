package import System

/// The request that first brought a story.
///
/// One object for all stories of one answer, in memory as in the data file: a story of its own
/// costs a reference.
package final class StoryOrigin: Hashable, Sendable {
  /// When the run began, as the record of runs has it.
  package let run: Date
  /// The subscription's URL as it was then.
  package let url: String
  /// Where redirects led to; nil when they led nowhere.
  package let answeredBy: String?
  /// The HTTP status; nil for a file.
  package let status: Int?
  /// When the answer had come.
  package let answered: Date

  package init(run: Date, url: String, answeredBy: String?, status: Int?, answered: Date) {
    self.run = run
    self.url = url
    self.answeredBy = answeredBy
    self.status = status
    self.answered = answered
  }

  package static func == (one: StoryOrigin, other: StoryOrigin) -> Bool {
    one === other
      || (one.run == other.run && one.url == other.url && one.answeredBy == other.answeredBy
        && one.status == other.status && one.answered == other.answered)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(run)
    hasher.combine(url)
  }
}
