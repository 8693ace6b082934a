import CommandLine
import FeedModel
import FeedStorage

/// Which stories a list is to show, as the options say.
struct StoryQuery: Hashable, Sendable {
  /// The URLs of subscriptions; nil takes every story, also one of no subscription.
  var feeds: Set<String>?
  /// Beside the stories of `feeds`: those that carry such a tag, and what a saved search wants.
  var tags: [StoryTag] = []
  var searches: [StoryQuery] = []
  var isUnread = false
  var isStarred = false
  /// Whether the files are there that stories carry; nil takes stories without any, too.
  var isDownloaded: Bool?
  var hasEnclosures = false
  /// Seconds since 1970, both included.
  var since: Int?
  var until: Int?
  /// Seconds since 2001: only what was stored later.
  var storedAfter: Double?
  /// Looked for in titles, summaries and whole texts.
  var text = TextPattern()

  static let options = [
    FeedSelector.option,
    CommandOption("unread", help: "only unread stories"),
    CommandOption("starred", help: "only starred stories"),
    CommandOption("downloaded", help: "only stories whose episode is downloaded"),
    CommandOption("not-downloaded", help: "only stories with an episode that is not downloaded"),
    CommandOption("enclosures", help: "only stories with enclosures, such as podcast episodes"),
    CommandOption("new", help: "only stories stored since you last listed them all"),
    TimeExpression.since,
    CommandOption("until", value: "WHEN", help: "not newer than WHEN, in the same forms"),
    CommandOption(
      "grep",
      value: "TEXT",
      isRepeatable: true,
      help: "only stories that contain all words, or match /REGEX/",
    ),
    CommandOption("text", help: "accepted for compatibility: --grep always searches whole texts"),
  ]

  var takesAll: Bool {
    self == StoryQuery()
  }

  /// Whether whole texts are needed.
  var needsTexts: Bool { !text.isEmpty || searches.contains(where: \.needsTexts) }

  /// Whether nothing is left out but what the reader has seen.
  var showsAllThatIsNew: Bool {
    var other = self
    other.storedAfter = nil
    return other.takesAll
  }

  init() {}

  init(_ context: CommandContext, _ library: Library) throws(CommandError) {
    try choose(context, library)
    isUnread = context.arguments.has("unread")
    isStarred = context.arguments.has("starred")
    isDownloaded = try Self.isDownloaded(context)
    hasEnclosures = context.arguments.has("enclosures")
    since = try context.instant("since", .start)
    until = try context.instant("until", .end)
    if context.arguments.has("new") {
      let listing = try commandErrors { try context.store().listing() }
      storedAfter = listing?.seen?.timeIntervalSinceReferenceDate
    }
    text = try context.textPattern()
  }

  private static func isDownloaded(_ context: CommandContext) throws(CommandError) -> Bool? {
    let (yes, no) = (context.arguments.has("downloaded"), context.arguments.has("not-downloaded"))
    guard !yes || !no else { throw context.usage("either --downloaded or --not-downloaded") }
    return yes || no ? yes : nil
  }

  /// Takes up what any `--feed` means.
  mutating func choose(_ context: CommandContext, _ library: Library) throws(CommandError) {
    let words = context.arguments.values(FeedSelector.option.name)
    guard !words.isEmpty else { return }
    var chosen: Set<String> = []
    (tags, searches) = ([], [])
    let selector = context.selector(library.subscriptions)
    for word in words {
      guard !word.isEmpty else { throw context.usage(FeedSelector.emptyWord) }
      if let name = FeedSelector.search(word) {
        searches.append(try context.savedSearch(name, library.subscriptions))
      } else if let tag = StoryTag(word), try isCarried(tag, selector, library.items) {
        tags.append(tag)
        chosen.formUnion(selector.tagged(tag).map(\.url))
      } else {
        chosen.formUnion(try selector.subscriptions(word).map(\.url))
      }
    }
    feeds = chosen
  }

  /// Whether a feed has the tag, or else a story.
  private func isCarried(
    _ tag: StoryTag,
    _ selector: FeedSelector,
    _ items: ItemTable,
  ) throws(CommandError) -> Bool {
    guard selector.tagged(tag).isEmpty else { return true }
    var tagged = StoryQuery()
    (tagged.feeds, tagged.tags) = ([], [tag])
    return try commandErrors { try !StoryScan(items, tagged, now: 0, limit: 1).run().isEmpty }
  }
}
