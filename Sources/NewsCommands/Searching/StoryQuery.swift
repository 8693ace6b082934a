import FeedModel
import FeedStorage

/// Which stories a list is to show, as the options say.
struct StoryQuery: Hashable, Sendable {
  /// The URLs of subscriptions; nil takes every story, also one of no subscription.
  var feeds: Set<String>?
  var isUnread = false
  var isStarred = false
  /// Seconds since 1970, both included.
  var since: Int?
  var until: Int?
  /// Seconds since 2001: only what was stored later.
  var storedAfter: Double?
  var text = TextPattern()
  var looksInTexts = false

  static let options = [
    FeedSelector.option,
    CommandOption("unread", help: "only stories that are not read"),
    CommandOption("starred", help: "only stories with a star"),
    CommandOption("new", help: "only what was stored since you last looked at a whole list"),
    TimeExpression.since,
    CommandOption("until", value: "WHEN", help: "not newer, in the same forms"),
    CommandOption(
      "grep",
      value: "TEXT",
      isRepeatable: true,
      help: "only stories with all words, or with /EXPRESSION/",
    ),
    CommandOption("text", help: "--grep looks in whole texts too"),
  ]

  var takesAll: Bool {
    self == StoryQuery()
  }

  /// Whether nothing is left out but what the reader has seen.
  var showsAllThatIsNew: Bool {
    var other = self
    other.storedAfter = nil
    return other.takesAll
  }

  init() {}

  init(_ context: CommandContext, _ subscriptions: [Subscription]) throws(CommandError) {
    feeds = try context.chosenFeeds(subscriptions).map { Set($0.map(\.url)) }
    isUnread = context.arguments.has("unread")
    isStarred = context.arguments.has("starred")
    since = try context.instant("since", .start)
    until = try context.instant("until", .end)
    if context.arguments.has("new") {
      let listing = try commandErrors { try context.store().listing() }
      storedAfter = listing?.seen?.timeIntervalSinceReferenceDate
    }
    for text in context.arguments.values("grep") { try add(text, context) }
    looksInTexts = context.arguments.has("text")
    guard !looksInTexts || !text.isEmpty else {
      throw context.usage("--text goes with --grep: where to look, not for what")
    }
  }

  private mutating func add(_ typed: String, _ context: CommandContext) throws(CommandError) {
    do {
      try text.add(typed)
    } catch {
      throw context.usage(
        "--grep: \(Spelling.quoted(typed)) is not a regular expression: \(error.reason)"
      )
    }
  }
}
