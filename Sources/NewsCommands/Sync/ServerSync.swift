import Aggregation
import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage

/// Merges a home with a server of the Google Reader API.
struct ServerSync {
  private let context: CommandContext
  private let store: LibraryStore
  private let server: SyncServer
  private let deadline: ContinuousClock.Instant?
  private let cancellation: FetchCancellation

  init(
    _ context: CommandContext,
    _ store: LibraryStore,
    _ server: SyncServer,
    deadline: ContinuousClock.Instant?,
    _ cancellation: FetchCancellation,
  ) {
    (self.context, self.store, self.server) = (context, store, server)
    (self.deadline, self.cancellation) = (deadline, cancellation)
  }

  /// Stories asked for by their ids: in a request, in requests at once, and in a run.
  private static let (batch, requests, most) = (250, 4, 10_000)
  /// Seconds of which all stories are listed: the first time, and before the last sync, as servers
  /// count from when a story was published, or from when they got it.
  private static let (firstWindow, overlap) = (90 * 86_400.0, 7 * 86_400.0)

  /// - Returns: what it changed here, how many changes of this home it sent, and of the feeds that the
  ///   server fetches what it brought.
  func run() throws(CommandError) -> (SyncResult, served: RefreshReport) {
    var client = try client()
    // A wish that cannot be saved is told by the server again.
    defer { try? store.note(holds: client.holds) }
    if let result = try once(&client) { return result }
    if let result = try once(&client) { return result }
    throw .failed("\(server.name): it is synchronized by another process at this moment")
  }

  /// Logs in, and says in a line what the server is.
  func check() throws(CommandError) -> String {
    var client = try client()
    try client.logIn(known: nil)
    let feeds = try client.feeds()
    return "\(WebURL.redacted(client.root)) has the Google Reader API; "
      + "\(SafeText.line(server.user)) follows \(Count.of(feeds.count, "feed")) there"
  }

  /// Forgets what is remembered of a server; its feeds are asked again.
  static func forget(_ name: String, in store: LibraryStore) throws(CommandError) {
    try commandErrors { try store.forgetServer(name) }
  }

  private func client() throws(CommandError) -> ReaderClient {
    var options = context.fetchOptions(library: try store.library())
    options.deadline = deadline
    return ReaderClient(context, server, options, cancellation)
  }

  /// What is remembered; nothing where it is of another account.
  private func state() throws(CommandError) -> ServerState {
    let new = ServerState(account: server.account)
    guard let state = try commandErrors({ try store.serverState(server.name) }) else { return new }
    guard state.account != server.account else { return state }
    var fresh = new
    fresh.serial = state.serial
    return fresh
  }

  // MARK: One run

  /// - Returns: nil where another process has merged with the server meanwhile: what was read is too
  ///   old then, and would take back what that one has sent.
  private func once(
    _ client: inout ReaderClient
  ) throws(CommandError) -> (
    SyncResult, served: RefreshReport
  )? {
    var state = try state()
    if server.fetchesStories, try store.library(.names).items.count == 0 {
      // They were cleared: what the server still lists comes back.
      (state.items, state.synced) = ([:], nil)
    }
    try client.logIn(known: state.root)
    let start = state.synced.map { $0.addingTimeInterval(-Self.overlap) }
    let since = start ?? context.clock.date.addingTimeInterval(-Self.firstWindow)
    let (lists, user) = try client.lists(since: since)
    try check(lists, user, state)
    var reading = lists
    var stories = ServedTexts(server, context, store)
    let isComplete = try ask(for: lists.wanted(besides: state), &client, &reading, &stories, state)
    guard var (merge, result) = try merge(reading, state) else { return nil }
    merge.didRead(root: client.root, user: user, isComplete: isComplete)
    result.stories = stories.report.stored
    result.sent = try send(&merge, &client, reading.feeds)
    return (result, stories.report)
  }

  /// A server that was set up anew, and another account, have nothing of what was there: that is no
  /// wish of the reader's.
  private func check(
    _ reading: ServerReading,
    _ user: String?,
    _ state: ServerState,
  ) throws(CommandError) {
    let hint = "; if that is right: news sync remove \(server.name), and add it again"
    if let old = state.user, let user, old != user {
      throw failure("another account answers than the one before" + hint)
    }
    let streams = Set(reading.feeds.map(\.stream))
    let urls = Set(reading.feeds.map { WebURL.canonical($0.url) })
    let isKnown = state.feeds.contains { url, feed in
      streams.contains(feed.stream) || urls.contains(WebURL.canonical(url))
    }
    if !state.feeds.isEmpty, !isKnown {
      throw failure(
        "it follows none of the \(Count.of(state.feeds.count, "feed")) that it followed before"
          + hint
      )
    }
  }

  private func failure(_ reason: String) -> CommandError { .failed("\(server.name): \(reason)") }

  /// Asks for stories by their ids, as many as there is time for.
  ///
  /// - Returns: whether these are all.
  private func ask(
    for ids: [ServerItemID],
    _ client: inout ReaderClient,
    _ reading: inout ServerReading,
    _ texts: inout ServedTexts,
    _ state: ServerState,
  ) throws(CommandError) -> Bool {
    let feeds = Dictionary(
      reading.feeds.map { ($0.stream, $0) },
      uniquingKeysWith: { one, _ in one },
    )
    var rest = ids.prefix(Self.most)
    while !rest.isEmpty {
      let batches = rest.prefix(Self.batch * Self.requests).batches(of: Self.batch)
      rest = rest.dropFirst(Self.batch * Self.requests)
      let path = "stream/items/contents?output=json"
      let answers = try client.post(batches.map { form($0) }, to: path)
      for (ids, answer) in zip(batches, answers) {
        if case .failure(let error) = answer {
          guard !reading.asked.isEmpty || error == .deadline else { throw client.failure(error) }
          context.complain("\(server.name): \(error); the rest follows with the next sync")
          return false
        }
        let value = try client.json(answer.get { client.failure($0) }, of: path)
        guard let stories = ReaderClient.stories(value, of: feeds) else {
          throw failure("the answer to stream/items/contents is no list of stories")
        }
        let wanted = Set(ids)
        reading.asked.formUnion(wanted)
        for (id, story, value) in stories where wanted.contains(id) {
          if server.fetchesStories, state.items[id] == nil { texts.add(value, of: story.stream) }
          reading.stories[id] = story
        }
      }
      try texts.save(reading.feeds, state)
    }
    return ids.count <= Self.most
  }

  private func form(_ ids: some Collection<ServerItemID>) -> String {
    ServiceCall.form(ids.map { ("i", $0.text) })
  }

  /// Merges with what is here at this moment, and saves that.
  private func merge(
    _ reading: ServerReading,
    _ begun: ServerState,
  ) throws(CommandError) -> (ServerMerge, SyncResult)? {
    try store.change { library throws(CommandError) in
      var state = try state()
      guard state.serial == begun.serial else { return (LibraryChange(), nil) }
      return try commandErrors {
        // A file that is gone is no wish to follow nothing.
        if try store.place("feeds.plist") == nil { state.feeds = [:] }
        let now = context.clock.date
        let merge = try ServerMerge(server, state, reading, library, now: now)
        var (change, result) = try merge.change(record: context.undoRecord)
        change.server = ServerFile(server.name, merge.state)
        return (change, (merge, result))
      }
    }
  }

  // MARK: Sending

  /// Sends what the server does not have yet, and remembers what it took.
  ///
  /// It is remembered at the end alone: who is stopped before that reads the server first the next
  /// time, and finds there what had arrived.
  private func send(
    _ merge: inout ServerMerge,
    _ client: inout ReaderClient,
    _ feeds: [ServerReading.Feed],
  ) throws(CommandError) -> Int {
    var failures: [CommandError] = []
    var sent = 0
    do throws(CommandError) {
      sent += try sendMarks(&merge, &client, &failures)
      sent += try sendFeeds(&merge, &client, feeds)
    } catch {
      failures.append(error)
    }
    merge.willSave()
    let (state, serial) = (merge.state, merge.state.serial - 1)
    try store.change { _ throws(CommandError) in
      var change = LibraryChange()
      if try self.state().serial == serial { change.server = ServerFile(server.name, state) }
      return (change, ())
    }
    if let failure = failures.first { throw failure }
    return sent
  }

  private func sendMarks(
    _ merge: inout ServerMerge,
    _ client: inout ReaderClient,
    _ failures: inout [CommandError],
  ) throws(CommandError) -> Int {
    var batches: [(edit: ServerEdit, ids: ArraySlice<ServerItemID>)] = []
    for edit in ServerEdit.allCases {
      let ids = merge.edits[edit] ?? []
      batches += ids[...].batches(of: Self.batch).map { (edit, $0) }
    }
    let forms = batches.map { edit, ids in
      form(ids) + "&\(edit.action)=\(ServiceCall.escaped("user/-/state/com.google/\(edit.state)"))"
    }
    var sent = 0
    for ((edit, ids), answer) in zip(batches, try client.post(forms, to: "edit-tag")) {
      do throws(CommandError) {
        try confirm(answer, "edit-tag", client)
        merge.didSend(edit, of: Array(ids))
        sent += ids.count
      } catch {
        failures.append(error)
      }
    }
    return sent
  }

  private func confirm(
    _ answer: ReaderClient.Answer,
    _ what: String,
    _ client: ReaderClient,
  ) throws(CommandError) {
    let bytes = try answer.get { client.failure($0) }
    guard bytes.prefix(64).starts(with: "OK".utf8) else {
      throw failure("the answer to \(what) is not understood")
    }
  }

  private func sendFeeds(
    _ merge: inout ServerMerge,
    _ client: inout ReaderClient,
    _ before: [ServerReading.Feed],
  ) throws(CommandError) -> Int {
    guard !merge.feeds.edits.isEmpty else { return 0 }
    var (sent, refused): ([ServerFeedEdit], [ServerFeedEdit]) = ([], [])
    for edit in merge.feeds.edits {
      var isTaken = true
      for form in edit.forms {
        let answer = try client.post([form], to: "subscription/edit")[0]
        do throws(CommandError) { try confirm(answer, "subscription/edit", client) } catch {
          guard answer.failure?.isUnasked != true else { throw error }
          isTaken = false
          let url = WebURL.redacted(edit.url)
          context.complain("\(error.lines.first ?? ""), to \(edit.action) \(url)")
          break
        }
      }
      if isTaken { sent.append(edit) } else { refused.append(edit) }
    }
    // What the server makes of titles and folders is what it has from now on.
    let now = try client.feeds()
    for url in merge.didSend(sent, refused: refused, now: now, before: before) {
      context.complain(
        "\(server.name): it does not follow \(WebURL.redacted(url)), though it said so"
      )
    }
    return sent.count
  }
}

extension ServerEdit {
  fileprivate var action: String { self == .read || self == .starred ? "a" : "r" }
  fileprivate var state: String { self == .read || self == .unread ? "read" : "starred" }
}

extension ServerFeedEdit {
  /// What to post, one folder at a time: of several, servers heed one.
  ///
  /// FreshRSS puts a feed that is taken out of any folder into none: the folders to be in come last.
  fileprivate var forms: [String] {
    let added = added.map { ("a", "user/-/label/\($0)") }
    let removed = removed.map { ("r", "user/-/label/\($0)") }
    var steps = removed.dropLast(added.count).map { [$0] }
    let rest = removed.suffix(added.count)
    for (number, label) in added.enumerated() {
      steps.append([label] + rest.dropFirst(number).prefix(1))
    }
    if steps.isEmpty { steps = [[]] }
    if let title { steps[0].insert(("t", title), at: 0) }
    return steps.enumerated().map { number, step in
      let action = number == 0 ? action : .edit
      return ServiceCall.form([("ac", action.rawValue), ("s", stream)] + step)
    }
  }
}

extension Result where Failure == FetchError {
  fileprivate func get(
    _ failure: (FetchError) -> CommandError
  ) throws(CommandError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw failure(error)
    }
  }
}

extension ArraySlice {
  fileprivate func batches(of size: Int) -> [ArraySlice] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}
