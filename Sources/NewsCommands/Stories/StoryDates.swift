import CommandLine
import FeedModel

/// When stories appeared, as the user wants it told.
struct StoryDates {
  /// What `--dates` said; nil without it.
  let choice: DateChoice?
  let clock: WallClock
  let now: Date
  private var relative: RelativeDate

  init(_ choice: DateChoice?, clock: WallClock) {
    self.choice = choice
    self.clock = clock
    now = clock.date
    relative = RelativeDate(clock: clock)
  }

  /// The form for the stories of one table.
  func agreeing(on stories: [ListedStory]) -> StoryDates {
    var dates = self
    dates.relative = relative.agreeing(on: stories.lazy.compactMap(\.instant))
    return dates
  }

  /// For a template: exact unless `--dates relative` asks for less.
  func exactText(_ instant: Int) -> String {
    choice == .relative ? relative.text(instant) : clock.isoText(instant)
  }

  /// A date in the form that was asked for, else in the usual one.
  func text(_ story: ListedStory, usually form: DateChoice) -> String {
    switch choice ?? form {
    case .relative: story.instant.map(relative.text) ?? ""
    case .iso: story.instant.map(clock.isoText) ?? ""
    case .published: SafeText.line(story.pubDate)
    }
  }
}

enum DateChoice: String, CaseIterable, Sendable {
  /// `3 h ago`, `12 Mar`.
  case relative
  /// `2026-11-01T11:42:00+01:00`: to the second, in the time zone here.
  case iso
  /// As the feed published it.
  case published

  static let option = CommandOption(
    "dates",
    value: "FORM",
    help: "relative, iso or published (relative on a terminal, published when piped)",
  )

  static func read(_ context: CommandContext) throws(CommandError) -> DateChoice? {
    try context.choice(option)
  }
}
