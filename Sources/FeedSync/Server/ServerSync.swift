package import FeedFetching
package import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import FeedUpdating
import FoundationEssentials
import System

/// Merges a home with a server of the Google Reader API.
package struct ServerSync {
  private let context: SyncContext
  private let store: LibraryStore
  private let server: SyncServer
  /// The home that it is merged with.
  private let home: HomeSync
  private let isByHand: Bool
  private let deadline: ContinuousClock.Instant?
  private let cancellation: FetchCancellation

  package init(
    _ home: HomeSync,
    _ server: SyncServer,
    isByHand: Bool,
    deadline: ContinuousClock.Instant?,
    _ cancellation: FetchCancellation,
  ) {
    (context, store, self.home, self.server) = (home.context, home.store, home, server)
    self.isByHand = isByHand
    (self.deadline, self.cancellation) = (deadline, cancellation)
  }

  /// Stories asked for by their ids: in a request, in requests at once, and in a run.
  private static let (batch, requests, most) = (ReaderClient.mostIDs, 4, 10_000)
  /// Seconds of which all stories are listed: the first time, and before the last sync, as servers
  /// count from when a story was published, or from when they got it.
  private static let (firstWindow, overlap) = (90 * 86_400.0, 7 * 86_400.0)

  /// Adds to `served` what the server brought of the feeds that it fetches, whatever fails behind that.
  ///
  /// - Returns: what it changed here, and how many changes of this home it sent.
  func run(_ served: inout RefreshReport) throws(SyncError) -> SyncResult {
    var client = try client()
    // A wish that cannot be saved is told by the server again.
    defer { try? store.note(holds: client.holds) }
    if let result = try once(&client, &served) { return result }
    if let result = try once(&client, &served) { return result }
    throw SyncError("\(server.name): it is synchronized by another process at this moment")
  }

  /// Logs in, and says in a line what the server is.
  package func check() throws(SyncError) -> String {
    var client = try client()
    try client.logIn(known: nil)
    let feeds = try client.feeds()
    return "\(WebURL.redacted(client.root)) has the Google Reader API; "
      + "\(SafeText.line(server.user)) follows \(Count.of(feeds.count, "feed")) there"
  }

  /// Forgets what is remembered of a server; its feeds are asked again.
  static func forget(_ name: String, in store: LibraryStore) throws(SyncError) {
    try SyncError.converting { try store.forgetServer(name) }
  }

  private func client() throws(SyncError) -> ReaderClient {
    var options = context.fetchOptions(try store.library())
    options.deadline = deadline
    return ReaderClient(context, server, options, cancellation)
  }

  /// What is remembered; nothing where it is of another account.
  ///
  /// With `isTold` the reader knows already that it is damaged.
  private func state(isTold: Bool = true) throws(SyncError) -> ServerState {
    let new = ServerState(account: server.account)
    guard let state = try SyncError.converting({ try readable(isTold) }) else { return new }
    guard state.account != server.account else { return state }
    var fresh = new
    fresh.serial = state.serial
    return fresh
  }

  /// What is damaged is as if it were lost: both sides keep what they have.
  private func readable(_ isTold: Bool) throws(StorageError) -> ServerState? {
    do throws(StorageError) {
      return try store.serverState(server.name)
    } catch {
      guard case .damaged = error else { throw error }
      guard !isTold else { return nil }
      context.complain(
        "\(error); the server is merged as one that is new: what either side has stays"
      )
      return nil
    }
  }

  // MARK: One run

  /// - Returns: nil where another process has merged with the server meanwhile: what was read is too
  ///   old then, and would take back what that one has sent.
  private func once(
    _ client: inout ReaderClient,
    _ served: inout RefreshReport,
  ) throws(SyncError) -> SyncResult? {
    let state = try state(isTold: false)
    let cleared = try clearedStories(state)
    try client.logIn(known: state.root)
    let start = cleared.isEmpty ? state.synced.map { $0.addingTimeInterval(-Self.overlap) } : nil
    let since = start ?? context.now().addingTimeInterval(-Self.firstWindow)
    let (lists, user) = try client.lists(since: since)
    try check(user, state)
    var reading = lists
    var stories = ServedTexts(server, context, store)
    defer { served.add(served: stories.report) }
    let wanted = lists.wanted(besides: state, again: cleared)
    let isComplete = try ask(for: wanted, &client, &reading, &stories, state, again: cleared)
    guard var (merge, result) = try merge(reading, state, isComplete: isComplete) else {
      return nil
    }
    merge.didRead(root: client.root, user: user, isComplete: isComplete)
    result.stories = stories.report.stored
    result.sent = try send(merge, &client, reading.feeds)
    return result
  }

  /// What the server had of feeds that were cleared here: what it still lists of that comes back, as
  /// with any other feed.
  private func clearedStories(_ state: ServerState) throws(SyncError) -> Set<ServerItemID> {
    guard server.fetchesStories else { return [] }
    let library = try store.library()
    guard library.subscriptions.contains(where: isCleared) else { return [] }
    let stored = try SyncError.converting { try library.items.numbers() }
    return Set(state.items.filter { !stored.contains($0.value.story) }.keys)
  }

  /// Whether nothing of a feed has been asked for since it was cleared.
  private func isCleared(_ feed: Subscription) -> Bool {
    feed.state.server == server.name && feed.state.lastUnconditional == nil
  }

  private func noteThatAllWasAsked(_ library: Library, in change: inout LibraryChange) {
    var feeds = change.subscriptions ?? library.subscriptions
    guard feeds.contains(where: isCleared) else { return }
    for place in feeds.indices where isCleared(feeds[place]) {
      feeds[place].state.lastUnconditional = context.now()
    }
    change.subscriptions = feeds
  }

  /// Another account has nothing of what was there: that is no wish of the reader's.
  private func check(
    _ user: String?,
    _ state: ServerState,
  ) throws(SyncError) {
    let hint = "; if that is right: news sync remove \(server.name), and add it again"
    if let old = state.user, let user, old != user {
      throw failure("another account answers than the one before" + hint)
    }
  }

  private var isOver: Bool {
    cancellation.isCancelled || deadline.map { $0 <= .now } ?? false
  }

  private func failure(_ reason: String) -> SyncError { SyncError("\(server.name): \(reason)") }

  /// Asks for stories by their ids, as many as there is time for.
  ///
  /// - Returns: whether these are all.
  private func ask(
    for ids: [ServerItemID],
    _ client: inout ReaderClient,
    _ reading: inout ServerReading,
    _ texts: inout ServedTexts,
    _ state: ServerState,
    again: Set<ServerItemID>,
  ) throws(SyncError) -> Bool {
    let feeds = Dictionary(
      reading.feeds.map { ($0.stream, $0) },
      uniquingKeysWith: { one, _ in one },
    )
    var rest = ids.prefix(Self.most)
    while !rest.isEmpty {
      let batches = rest.prefix(Self.batch * Self.requests).batches(of: Self.batch)
      rest = rest.dropFirst(Self.batch * Self.requests)
      let path = "stream/items/contents?output=json"
      let answers = try client.post(batches.map { ServerSending.form($0) }, to: path)
      for (ids, answer) in zip(batches, answers) {
        if case .failure(let error) = answer {
          guard !reading.asked.isEmpty || error == .deadline else { throw client.failure(error) }
          context.complain("\(server.name): \(error); the rest follows with the next sync")
          return false
        }
        let value = try client.json(client.bytes(answer), of: path)
        guard let stories = ReaderClient.stories(value, of: feeds) else {
          throw failure("the answer to stream/items/contents is no list of stories")
        }
        let wanted = Set(ids)
        reading.asked.formUnion(wanted)
        for (id, story, value) in stories where wanted.contains(id) {
          if server.fetchesStories, state.items[id] == nil || again.contains(id) {
            texts.add(value, of: story.stream)
          }
          reading.stories[id] = story
        }
      }
      try texts.save(reading.feeds, state)
    }
    return ids.count <= Self.most
  }

  /// Merges with what is here at this moment, and saves that.
  private func merge(
    _ reading: ServerReading,
    _ begun: ServerState,
    isComplete: Bool,
  ) throws(SyncError) -> (ServerMerge, SyncResult)? {
    try store.change { library throws(SyncError) in
      let state = try state()
      guard state.serial == begun.serial else { return (LibraryChange(), nil) }
      var own = try home.merge(library)
      var (merge, change, result) = try SyncError.converting {
        let merge = try ServerMerge(
          server,
          state,
          reading,
          &own,
          now: context.now(),
          consent: home.consent,
        )
        let (change, result) = try merge.change(
          &own,
          record: context.undoRecord,
          undoesMarks: isByHand,
        )
        return (merge, change, result)
      }
      if server.fetchesStories, isComplete { noteThatAllWasAsked(library, in: &change) }
      change.sync = try home.saving(own)
      change.server = ServerFile(server.name, merge.state)
      return (change, (merge, result))
    }
  }

  /// Sends what the server does not have yet, and remembers what it took.
  ///
  /// It is remembered at the end alone: who is stopped before that reads the server first the next
  /// time, and finds there what had arrived.
  private func send(
    _ merge: ServerMerge,
    _ client: inout ReaderClient,
    _ feeds: [ServerReading.Feed],
  ) throws(SyncError) -> Int {
    var sending = ServerSending(server, context, merge)
    // What there was no time to ask for has been told.
    if !isOver { sending.send(by: &client, before: feeds) }
    var state = sending.merge.state
    try store.change { _ throws(SyncError) in
      var change = LibraryChange()
      if try self.state().serial == state.serial {
        state.serial += 1
        change.server = ServerFile(server.name, state)
      }
      return (change, ())
    }
    if let failure = sending.failures.first { throw failure }
    return sending.count
  }
}

extension ArraySlice {
  func batches(of size: Int) -> [ArraySlice] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}
