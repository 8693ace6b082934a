import FeedModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When stories appeared, as the user wants it told.
struct StoryDates {
  /// What `--dates` said; nil without it.
  let choice: DateChoice?
  let clock: WallClock
  /// The clock is asked once, not for every story.
  let now: Date
  private let relative: RelativeDate

  init(_ choice: DateChoice?, clock: WallClock) {
    self.choice = choice
    self.clock = clock
    now = clock.date
    relative = RelativeDate(clock: clock)
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

/// What `--dates` may say.
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

  /// The choice of the command line; nil without the option.
  static func read(
    _ context: CommandContext,
    command: String,
  ) throws(CommandError) -> DateChoice? {
    guard let word = context.arguments.value(option.name) else { return nil }
    if let choice = DateChoice(rawValue: word) { return choice }
    let hint =
      Spelling.nearest(to: word, among: allCases.map(\.rawValue))
      .map { "; did you mean \($0)?" } ?? ""
    throw .usage(
      "--dates: \(Spelling.quoted(word)) is none of relative, iso and published\(hint)",
      command: command,
    )
  }
}
