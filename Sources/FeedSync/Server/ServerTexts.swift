internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import FeedUpdating
import System

/// Stores the stories that a server has fetched, as if their feeds had brought them.
struct ServerTexts {
  /// Of those that are new here.
  private(set) var report = RefreshReport()
  private let server: SyncServer
  private let context: SyncContext
  private let store: LibraryStore
  /// One for all: what is told of as new is held to the end.
  private let spool: StorySpool
  /// By the stream that they are of.
  private var waiting: [String: ForeignStories] = [:]

  init(_ server: SyncServer, _ context: SyncContext, _ store: LibraryStore) {
    (self.server, self.context, self.store) = (server, context, store)
    spool = StorySpool(folder: store.home)
  }

  mutating func add(_ story: ServerStory) {
    var frame = ImportedStory.frame
    (frame.isRead, frame.isStarred) = (story.isRead, story.isStarred)
    waiting[story.stream, default: ForeignStories()].add(story.content, frame)
  }

  /// Saves what has been added, with the feeds that they are of: a story comes before its feed is
  /// merged, for its marks to be.
  mutating func save(_ feeds: [ServerReading.Feed], _ state: ServerState) throws(SyncError) {
    guard !waiting.isEmpty else { return }
    let stories = waiting
    waiting = [:]
    let rules = context.evaluator(try SyncError.converting { try store.rules() })
    let part = try store.change { library throws(SyncError) in
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
      return try SyncError.converting {
        let (change, incoming) = try library.taking(
          deliveries,
          now: context.now(),
          evaluator: rules?(merged),
        )
        let findings = incoming.findings.map(\.findings)
        return (change, RefreshReport(fromServer: incoming.insertions, findings, of: merged))
      }
    }
    report.add(fromServer: part)
  }

  private func delivery(
    _ stories: ForeignStories,
    of url: String,
    _ subscription: Subscription?,
  ) throws(SyncError) -> FeedDelivery {
    let batch = try SyncError.converting { try stories.batch(of: url, in: server.name) }
    return FeedDelivery(
      feed: url,
      items: batch.items,
      texts: context.keepsTexts ? batch.texts : [],
      imported: batch.frames.enumerated().map { ImportedStory($1, at: $0) },
      isComplete: false,
      cleared: subscription?.state.cleared ?? [],
      spool: spool,
    )
  }
}
