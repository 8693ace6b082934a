internal import CommandLine
internal import FeedFetching
package import FeedModel
internal import FeedParsing
internal import FeedReading
internal import FeedStorage
package import FeedUpdating
import System

package struct ServerSession: SyncSession {
  let home: HomeSync
  private(set) var server: SyncServer
  private var connection: ServerConnection?
  private var client: (any ServerClient)?
  package private(set) var fromServer = RefreshReport()

  package init(_ home: HomeSync, _ server: SyncServer) {
    (self.home, self.server) = (home, server)
  }

  var context: SyncContext { home.context }
  var store: LibraryStore { home.store }

  package struct Reading: Sendable {
    let serial: Int
    let lists: ServerReading
    let root: String
    let isComplete: Bool
    let stored: Int
  }

  package struct Merged: Sendable {
    let merge: ServerMerge
    let feeds: [ServerReading.Feed]
  }

  private static let (batch, most) = (250, 10_000)
  /// The bytes of texts after which a run takes no further batch.
  private static let mostBytes = 96 << 20
  private static let mostKnown = 500_000
  /// The seconds for which all stories are listed: at first, and before the last sync.
  ///
  /// Servers count from a story's publication, or from its arrival.
  private static let (firstWindow, overlap) = (90 * 86_400.0, 7 * 86_400.0)

  package mutating func check() throws -> String {
    var client = try logIn(known: nil)
    let feeds = try asking { () throws(ServerError) in try client.feeds() }
    let title = try interfaces(known: nil)[0].title
    return "\(WebURL.redacted(client.root)) has the \(title); "
      + "\(SafeText.line(server.user)) follows \(Count.of(feeds.count, "feed")) there"
  }

  package var interface: String? { server.interface }

  /// The interfaces to try, which are all where none is known.
  ///
  /// After a sync its root says which it was; before there were others, it was the first.
  private func interfaces(known root: String?) throws -> [ServerInterface] {
    let all = context.serverInterfaces
    guard let name = server.interface else {
      guard let root else { return all }
      return Array((all.filter { $0.hasRoot(root) } + all).prefix(1))
    }
    guard let own = all.first(where: { $0.name == name }) else {
      throw Failure("its interface \(Spelling.quoted(name)) is not known")
    }
    return [own]
  }

  /// Logs in by the first interface that lets the user in.
  private mutating func logIn(known root: String?) throws -> any ServerClient {
    let connection = try connection ?? newConnection()
    self.connection = connection
    let all = try interfaces(known: root)
    var errors: [ServerError] = []
    for interface in all where errors.last?.mayBeOfInterface ?? true {
      var client = interface.makeClient(connection, server)
      do throws(ServerError) {
        try client.logIn(known: root)
        server.interface = interface.name
        return client
      } catch {
        errors.append(error)
      }
    }
    // Who refuses the user has the interface.
    let refusal = errors.first { if case .refused = $0 { true } else { false } }
    if let error = refusal ?? errors.first(where: { $0 != .absent }) { throw Failure("\(error)") }
    let titles = all.map(\.title).joined(separator: ", ")
    throw Failure(
      "there is no \(titles) at \(WebURL.redacted(server.url)): give the address that is for apps, "
        + "such as https://example.com/api/greader.php"
    )
  }

  private func newConnection() throws -> ServerConnection {
    var options = context.fetchOptions(try store.read())
    options.deadline = home.deadline
    return ServerConnection(context, options, home.cancellation)
  }

  private func asking<R>(_ body: () throws(ServerError) -> R) throws -> R {
    do throws(ServerError) { return try body() } catch { throw Failure("\(error)") }
  }

  // MARK: What is there

  package mutating func read() throws -> Reading {
    let state = try state(isReported: false)
    var client = try logIn(known: state.root)
    defer { self.client = client }
    let cleared = try clearedStories(state)
    let start = cleared.isEmpty ? state.synced.map { $0.addingTimeInterval(-Self.overlap) } : nil
    let since = start ?? context.now().addingTimeInterval(-Self.firstWindow)
    var lists = try asking { () throws(ServerError) in try client.lists(since: since) }
    try check(lists.user, state)
    var texts = ServerTexts(server, context, store)
    defer { fromServer.add(fromServer: texts.report) }
    let isComplete = try read(&lists, by: &client, &texts, state, again: cleared)
    return Reading(
      serial: state.serial,
      lists: lists,
      root: client.root,
      isComplete: isComplete,
      stored: texts.report.stored,
    )
  }

  /// Throws for another account, which lacks the stories of the former: that is no change by the
  /// user.
  private func check(_ user: String?, _ state: ServerState) throws {
    let hint = "; if that is right: news sync remove \(server.name), and add it again"
    if let old = state.user, let user, old != user {
      throw Failure("another account answers than the one before" + hint)
    }
  }

  /// Asks for the wanted stories until a limit or the deadline; returns false if some are left.
  private func read(
    _ lists: inout ServerReading,
    by client: inout any ServerClient,
    _ texts: inout ServerTexts,
    _ state: ServerState,
    again: Set<ServerItemID>,
  ) throws -> Bool {
    let ids = lists.wanted(besides: state, again: again, atMost: Self.most + 1)
    let room = max(Self.mostKnown - state.items.count, 0)
    if room < min(ids.count, Self.most) {
      lists.omissions.append("it has more than \(Self.mostKnown) stories: no more are taken")
    }
    var bytes = 0
    for ids in ids.prefix(min(Self.most, room)).batches(of: Self.batch) {
      guard bytes <= Self.mostBytes else {
        context.complain("\(server.name): many long stories; the rest follows with the next sync")
        return false
      }
      var failure: ServerError?
      do throws(ServerError) {
        try client.stories(ids) { asked, stories in
          let wanted = Set(asked)
          let stories = stories.filter { wanted.contains($0.id) }
          lists.take(asked, stories)
          guard server.fetchesStories else { return }
          for story in stories where state.items[story.id] == nil || again.contains(story.id) {
            bytes += story.content.html?.utf8.count ?? 0
            texts.add(story)
          }
        }
      } catch {
        failure = error
      }
      // Stories that have come are known from now on, and do not come again.
      if !lists.asked.isEmpty { try texts.save(lists.feeds, state) }
      guard let failure else { continue }
      guard case .request(let error) = failure, !lists.asked.isEmpty || error == .deadline else {
        throw Failure("\(failure)")
      }
      context.complain("\(server.name): \(error); the rest follows with the next sync")
      return false
    }
    return ids.count <= Self.most
  }

  // MARK: What is new

  package mutating func merge(_ reading: Reading) throws -> (Merged, SyncOutcome) {
    if let merged = try merged(reading) { return merged }
    if let merged = try merged(read()) { return merged }
    throw Failure("it is synchronized by another process at this moment")
  }

  /// Merges with the home under its lock, and saves the result.
  ///
  /// Returns nil if another process has merged with the server meanwhile: this reading is older,
  /// and would undo the edits that the other has sent.
  private func merged(_ reading: Reading) throws -> (Merged, SyncOutcome)? {
    try store.change { library in
      let state = try state()
      guard state.serial == reading.serial else { return (LibraryChange(), nil) }
      var own = try home.merge(library)
      var merge = try ServerMerge(
        server,
        state,
        reading.lists,
        &own,
        now: context.now(),
        consent: home.consent,
      )
      var origin = context.origin
      origin.author = .remote(server.name)
      var (change, result) = try merge.change(
        &own,
        by: origin,
        undoesMarks: home.isByHand,
      )
      if server.fetchesStories, reading.isComplete { noteThatAllWasAsked(library, in: &change) }
      change.agreements.machines = try home.saving(own)
      change.agreements.server = ServerFile(server.name, merge.state)
      merge.didRead(reading)
      result.stories = reading.stored
      var outcome = SyncOutcome(result: result)
      outcome.omissions = reading.lists.omissions.map { "\(server.name): \($0)" }
      return (change, (Merged(merge: merge, feeds: reading.lists.feeds), outcome))
    }
  }

  // MARK: Here is ours

  /// Sends edits that the server lacks, and then saves those that it took.
  ///
  /// A run stopped before that reads the server first next time, and finds the edits that arrived.
  package mutating func send(_ merged: Merged, _ outcome: inout SyncOutcome) throws {
    var sending = ServerSending(server, context, merged.merge)
    // `read` has reported the requests for which there was no time.
    if var client, !isOver {
      sending.send(by: &client, before: merged.feeds)
      self.client = client
    }
    var state = sending.merge.state
    try store.change { _ in
      var change = LibraryChange()
      if try self.state().serial == state.serial {
        state.serial += 1
        change.agreements.server = ServerFile(server.name, state)
      }
      return (change, ())
    }
    if let reason = sending.failures.first { throw Failure("\(reason)") }
    outcome.result.sent = sending.count
  }

  private var isOver: Bool {
    home.cancellation.isCancelled || home.deadline.map { $0 <= .now } ?? false
  }

  package func end(_ failure: (any Error)?) -> (any Error)? {
    // The server sends a `Retry-After` that cannot be saved again.
    if let connection { try? store.note(retryTimes: connection.retryTimes) }
    return failure
  }
}

extension ArraySlice {
  func batches(of size: Int) -> [ArraySlice] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}
