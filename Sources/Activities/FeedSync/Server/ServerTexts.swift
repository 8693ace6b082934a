internal import FeedModel
internal import FeedReading
internal import FeedStorage
internal import FeedUpdating

/// Stores the stories that a server has fetched like those of a feed's document.
struct ServerTexts {
  private(set) var report = RefreshReport()
  private let server: SyncServer
  private let context: SyncContext
  private let store: LibraryStore
  /// One spool for the run, since the report's new stories are read from it at the end.
  private let spool: StorySpool
  private var waiting: [String: ForeignStories] = [:]

  init(_ server: SyncServer, _ context: SyncContext, _ store: LibraryStore) {
    (self.server, self.context, self.store) = (server, context, store)
    spool = StorySpool(folder: store.home)
  }

  mutating func add(_ story: ServerStory) {
    waiting[story.stream, default: ForeignStories()].add(story.content)
  }

  /// Saves the added stories and their feeds.
  ///
  /// A story must be stored before the merge, which sets its marks.
  mutating func save(_ feeds: [ServerReading.Feed], _ state: ServerState) throws {
    guard !waiting.isEmpty else { return }
    let stories = waiting
    waiting = [:]
    let rules = context.evaluator(try store.rules())
    let part = try store.change { library in
      let merged = ServerFeeds(
        server,
        state,
        feeds,
        library.subscriptions,
        now: context.now(),
      ).all
      let urls = ServerPairs(feeds, state, merged).urls
      var deliveries: [FeedDelivery] = []
      for (stream, stories) in stories.sorted(by: { $0.key < $1.key }) {
        guard let url = urls[stream] else { continue }
        let subscription = merged.first { $0.url == url }
        deliveries.append(try delivery(stories, of: url, subscription))
      }
      let (change, incoming) = try library.merging(
        deliveries,
        now: context.now(),
        evaluator: rules?(merged),
      )
      let findings = incoming.findings.map(\.findings)
      return (change, RefreshReport(fromServer: incoming.insertions, findings, of: merged))
    }
    report.add(fromServer: part)
  }

  private func delivery(
    _ stories: ForeignStories,
    of url: String,
    _ subscription: Subscription?,
  ) throws -> FeedDelivery {
    let batch = try stories.batch(of: url, in: server.name)
    return FeedDelivery(
      feed: url,
      items: batch.items,
      texts: context.keepsTexts ? batch.texts : [],
      imported: batch.originals.enumerated().map { ImportedStory($1, at: $0) },
      isComplete: false,
      cleared: subscription?.state.cleared ?? [],
      spool: spool,
    )
  }
}
