package import CommandLine

package struct StoryDates {
  let choice: DateChoice?
  let clock: WallClock
  let now: Date
  private var relative: RelativeDate

  package init(_ choice: DateChoice?, clock: WallClock) {
    self.choice = choice
    self.clock = clock
    now = clock.date
    relative = RelativeDate(clock: clock)
  }

  func agreeing(on stories: [ListedStory]) -> StoryDates {
    var dates = self
    dates.relative = relative.agreeing(on: stories.lazy.compactMap(\.instant))
    return dates
  }

  /// Returns the exact time, for templates, unless `--dates relative` was given.
  func exactText(_ instant: Int) -> String {
    choice == .relative ? relative.text(instant) : clock.isoText(instant)
  }

  /// Appends the date for a pipe, in UTC unless another form was chosen: as text it can be sorted.
  func append(_ story: ListedStory, to line: inout FieldLine) {
    guard choice == nil else { return line.append(text(story)) }
    line.append(story.instant.map { Date(timeIntervalSince1970: Double($0)) })
  }

  func text(_ story: ListedStory) -> String {
    switch choice ?? .relative {
    case .relative: story.instant.map(relative.text) ?? ""
    case .iso: story.instant.map(clock.isoText) ?? ""
    case .published: SafeText.line(story.pubDate)
    }
  }
}

package enum DateChoice: String, CaseIterable, Sendable {
  case relative
  /// Local time to the second: `2026-11-01T11:42:00+01:00`.
  case iso
  case published

  package static let option = CommandOption(
    "dates",
    value: "FORM",
    help: "relative, iso or published (relative on a terminal; when piped ISO 8601 in UTC)",
  )

  package static func read(_ context: CommandContext) throws -> DateChoice? {
    try context.choice(option)
  }
}
