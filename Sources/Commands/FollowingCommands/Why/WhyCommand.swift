import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import FeedSync

struct WhyCommand: Command {
  static let name = "why"
  static let summary = "explain where a story comes from, or when a feed is fetched next"
  static let synopsis = "N…|FEED…"
  static let examples = [
    HelpExample("news why 3", "explain where story 3 of the last list comes from"),
    HelpExample("news why reuters", "explain when that feed is fetched next"),
    HelpExample("news why 3 --json | jq '.[].key'", "print the key that it is recognized by"),
  ]
  static let options = [Pager.option]
  static let notes = [
    "The key identifies a story when its feed delivers it again. Where the history of a "
      + "story is not stored, `why` says that it does not know.",
    "For feeds, use news feeds --json, which has nextDue.",
  ]
  static let json: JSONForm? = .array("where the stories come from", ProvenanceJSON.fields)

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard !context.arguments.operands.isEmpty else {
      throw usage("no story or feed given: news why 3")
    }
    let store = try context.store()
    let library = try store.read()
    let areFeeds = context.arguments.operands.allSatisfy { word in
      StoryOperand(word) == nil && !word.allSatisfy { "0123456789,-".contains($0) }
    }
    if areFeeds {
      return try tellFeeds(library, try store.syncState(), try store.serverStates())
    }
    let matches = try NumberedStories(context, library, in: store).matches()
    let runs = try store.ledger()
    let sync = try store.syncState()
    let servers = try store.serverStates()
    let stories = try matches.map { match in
      try StoryProvenance(match, in: library, runs: runs, sync: sync, servers: servers)
    }
    if context.isJSON {
      context.output.printJSON(stories, ProvenanceJSON.fields)
    } else {
      let card = ProvenanceCard(context, FeedName(library))
      Pager(context).print(paragraphs: stories.map(card.lines))
    }
    return .done
  }
}

extension WhyCommand {
  private func tellFeeds(
    _ library: Library,
    _ sync: SyncState?,
    _ servers: [(name: String, state: ServerState)],
  ) throws -> ExitStatus {
    guard !context.isJSON else { throw usage("--json is for stories; of feeds: news feeds --json") }
    let selector = context.selector(library.subscriptions)
    let counts = try FeedCounts(library.items, now: context.clock.date.wholeSeconds)
    var cards: [[String]] = []
    for word in context.arguments.operands {
      cards += try selector.subscriptions(word).map { feed in
        let dates = RelativeDate(clock: context.clock)
        let facts = servers.flatMap { name, state in
          let stream = state.feed(feed).map { "\(name) follows it as \(SafeText.line($0.stream))" }
          let refusal = state.refusal(of: feed).map { dates.text($0, of: "\(name): \($0.change)") }
          return [stream, refusal].compactMap(\.self)
        }
        return card(feed, library, counts.of(feed.url), sync, facts)
      }
    }
    Pager(context).print(paragraphs: cards)
    return .done
  }

  private func card(
    _ feed: Subscription,
    _ library: Library,
    _ activity: FeedActivity,
    _ sync: SyncState?,
    _ streams: [String],
  ) -> [String] {
    let layout = CardLayout(context, labelColumns: 8)
    let dates = RelativeDate(clock: context.clock)
    let due = DueSentences(
      feed: feed,
      activity: activity,
      moment: context.refreshMoment(library),
      dates: dates,
    )
    return layout.title(FeedName.printable(feed)) + [""]
      + TerminalText.wrap(due.text, to: layout.columns)
      + layout.fact("Failed", [feed.state.lastError].compactMap { $0.map { SafeText.line($0) } })
      + layout.fact("Hidden", hidden(feed))
      + layout.fact(
        "List",
        feed.list.map { ["came by \(WebURL.printable($0)), and may go with it"] } ?? [],
      )
      + layout.fact("Route", feed.route.words(since: FeedRoute()).map { SafeText.line($0) })
      + layout.fact("Document", document(feed)) + layout.fact("Moved", moved(feed))
      + layout.fact("Deleted", deleted(feed))
      + layout.fact("Pages", pages(feed))
      + layout.fact("Older", feed.state.older.map { [OlderFetch.words($0, context.clock)] } ?? [])
      + layout.fact("Episodes", episodes(feed))
      + layout.fact(
        "Synced",
        [sync?.following(feed).map { dates.text($0) }].compactMap(\.self) + streams,
      )
  }

  private func hidden(_ feed: Subscription) -> [String] {
    feed.settings.isHidden ? ["its stories are listed only where you ask for it or its tag"] : []
  }

  private func moved(_ feed: Subscription) -> [String] {
    if let place = feed.state.newAddress {
      return [FailureAdvice.move(feed.url, to: place).line]
    }
    guard let move = feed.state.announcedMove else { return [] }
    let tried = move.tried == nil ? "" : ", where it was not found"
    return ["its document says that it lives at \(WebURL.printable(move.url)) now\(tried)"]
  }

  private func document(_ feed: Subscription) -> [String] {
    feed.state.isCutOff ? [FeedState.cutOffWords] : []
  }

  private func deleted(_ feed: Subscription) -> [String] {
    guard !feed.state.cleared.isEmpty else { return [] }
    return ["stories that you deleted for good stay away while it carries them"]
  }

  private func pages(_ feed: Subscription) -> [String] {
    guard feed.settings.fetchesPages else { return [] }
    let waiting = feed.state.pages.count
    return ["those of new stories are fetched" + (waiting > 0 ? "; \(waiting) not yet" : "")]
  }

  private func episodes(_ feed: Subscription) -> [String] {
    guard let count = feed.settings.downloads else { return [] }
    let bytes = feed.settings.downloadBytes ?? FeedSettings.usualDownloadBytes
    return ["fetch saves the newest \(count), as long as they take at most \(bytes >> 20) MiB"]
  }
}

enum ProvenanceJSON {
  static let fields: [JSONField<StoryProvenance>] = [
    StoryJSON.number.of(\.named), StoryJSON.id.of(\.named.story), StoryJSON.title.of(\.named.story),
    JSONField("key", "what its feed's stories are told apart by", object: keyFields) { $0.key },
    StoryJSON.stored.of(\.named.story),
    JSONField("run", "the run that stored it, while it is recorded", object: RunJSON.fields) {
      $0.run
    },
    JSONField("feeds", "the feeds that carry it", array: feedFields) { known in
      known.story.feeds.map { (url: $0, known: known) }
    },
    JSONField("changed", "the last change of each part of it", array: changeFields) {
      $0.story.changes
    },
    JSONField("rules", "the rules that acted on it when it came") { .strings($0.story.rules) },
    JSONField("synced", "who has set its marks, as far as news sync has heard", array: markFields) {
      $0.marks
    },
    JSONField("servers", "what servers had of it at the last sync", array: serverFields) {
      $0.onServers
    },
    JSONField("refused", "what servers would not do with it", array: NamedRefusal.fields) {
      $0.refusals
    },
  ]

  private static let serverFields: [JSONField<StoryOnServer>] = [
    JSONField("name", "as it was added") { .string($0.server) },
    JSONField("read", "whether it was read there") { .boolean($0.item.isRead) },
    JSONField("starred", "whether it had a star there") { .boolean($0.item.isStarred) },
  ]

  private static let markFields: [JSONField<SyncedValue>] = [
    JSONField("mark", "read or starred") { .string($0.name) },
    JSONField("set", "or taken away") { .boolean($0.isSet) },
    JSONField("machine", "what it calls itself; null where nobody has said") {
      .text($0.machine.map { SafeText.line($0) })
    },
    JSONField("date", "when a sync noticed it there; null for what was there before the first") {
      $0.date.wholeSeconds > 0 ? .date($0.date) : .null
    },
  ]

  /// The rule, and what it took for the key; what it did not take is null.
  private static let keyFields: [JSONField<StoryKey>] = [
    JSONField(
      "rule",
      "guid, link, linkForReusedGUID, titleAndDate or titleForSharedLink",
    ) { .string($0.reason.rawValue) },
    JSONField("current", "false where the feed has renamed the story since") {
      .boolean($0.isCurrent)
    },
    JSONField("feed", "the URL of the feed by then") { .string(WebURL.redacted($0.feed)) },
    JSONField("guid", "null where the key is not made of it") {
      if case .guid(let guid) = $0.key { .text(guid) } else { .null }
    },
    JSONField("link", "the same") {
      if case .link(let link) = $0.key { .text(link) } else { .null }
    },
    JSONField("title", "the same") {
      if case .titleAndDate(let title, _) = $0.key { .text(title) } else { .null }
    },
    JSONField("pubDate", "the same") {
      if case .titleAndDate(_, let date) = $0.key { .text(date) } else { .null }
    },
  ]

  private static let feedFields: [JSONField<(url: String, known: StoryProvenance)>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.url)) },
    JSONField("brought", "whether it was the first to have the story") {
      .boolean($0.known.carrier($0.url) == .brought)
    },
    JSONField(
      "matchedBy",
      "by what its story was taken for this: guid, link, titleAndDate or id",
    ) { .text($0.known.match($0.url)?.rule.rawValue) },
    JSONField("date", "when it was") { .date($0.known.match($0.url)?.date) },
  ]

  private static let changeFields: [JSONField<StoryChange>] = [
    JSONField(
      "what",
      "title, pubDate, link, guid, author, summary, categories or enclosures",
    ) { .string($0.part.rawValue) },
    JSONField("date", "when it changed") { .date($0.date) },
    JSONField("was", "what it was before, where that is kept") { .text($0.was) },
  ]
}
