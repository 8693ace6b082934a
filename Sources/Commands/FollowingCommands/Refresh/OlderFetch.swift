import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating

/// `news refresh --older`: stories from before the feed's document.
struct OlderFetch {
  let context: CommandContext
  let store: LibraryStore

  static let option = CommandOption(
    "older",
    help: "fetch older stories of FEED, ten pages a call",
  )

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    guard !words.isEmpty else { throw context.usage("say whose: news refresh --older FEED") }
    let selector = context.selector(try store.read().subscriptions)
    let feeds = try words.flatMap(selector.subscriptions)
    if let feed = feeds.first(where: { $0.isNeverAsked || !WebURL.isWeb($0.url) }) {
      let name = FeedName.printable(feed)
      throw Failure("\(name): only a feed on the web has pages of older stories")
    }
    if let feed = feeds.first(where: { $0.settings.keep ?? 0 > 0 }) {
      let name = FeedName.printable(feed)
      throw Failure(
        "\(name): the next fetch would drop older stories again, as --keep says; "
          + "first: news feeds set \(ShellWord.asNeeded(name)) --keep 0"
      )
    }
    var status = ExitStatus.done
    for var feed in feeds {
      if context.arguments.has("force") { feed.state.older = nil }
      if try !fetch(feed) { status = .failed }
    }
    return status
  }

  /// Returns false if a page did not come.
  private func fetch(_ feed: Subscription) throws -> Bool {
    var stories = OlderStories(
      of: feed,
      context.makeFetcher(),
      options: context.fetchOptions(library: try store.read()),
      in: store,
      rules: IncomingRules(try store.rules(), context)?.evaluate,
      now: { [clock = context.clock] in clock.date },
    )
    try stories.fetch(keepsTexts: context.keepsTexts, context.cancellation())
    let name = FeedName.printable(feed)
    let said = Self.words(stories.found, context.clock)
    context.say("\(name): \(Count.stories(stories.stored)) of earlier days; \(said)")
    if let failure = stories.failure { context.complain("\(name): \(failure)") }
    guard stories.found.end == nil, stories.failure == nil else { return stories.failure == nil }
    context.say("for more: news refresh --older \(ShellWord.asNeeded(name))")
    return true
  }

  /// Returns `stories back to 3 May 2019; that is all there is`.
  static func words(_ older: OlderPages, _ clock: WallClock) -> String {
    let dates = RelativeDate(clock: clock)
    let start = older.oldest.map { "stories back to \(dates.day($0.wholeSeconds))" }
    let end = older.end.map { SafeText.line($0) } ?? "there may be more"
    return [start, end].compactMap(\.self).joined(separator: "; ")
  }
}
