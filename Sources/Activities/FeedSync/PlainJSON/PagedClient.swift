internal import CommandLine
internal import FeedFetching
internal import FeedModel
internal import FeedReading

enum PageLimits {
  static let (storiesOnPage, pages) = (100, 5_000)
  static let (bytes, keptBytes) = (16 << 20, 32 << 20)
  /// The most pages and marks that a server refuses before it counts as one in trouble.
  static let refusals = 64
}

/// A client of an interface that has whole stories in pages: what comes with the lists is not asked
/// for again.
struct PagedClient<Interface: PagedInterface>: ServerClient {
  let connection: ServerConnection
  let server: SyncServer
  private(set) var root = ""
  private var logIn = ServiceCall.LogIn.basic
  private(set) var user: String?
  private var folders: [ServerReading.Feed] = []
  private var followed: [ServerReading.Feed] = []
  /// The stories that have come with the lists, and their bytes.
  var kept: (stories: [ServerItemID: ServerStory], bytes: Int) = ([:], 0)
  var size = PageLimits.storiesOnPage
  var refusals = 0

  init(_ connection: ServerConnection, _ server: SyncServer) {
    (self.connection, self.server) = (connection, server)
  }

  mutating func logIn(known: String?) throws(ServerError) {
    let usual = Interface.root(of: server.url)
    // A known root may have moved.
    var roots = [known ?? usual]
    if roots != [usual] { roots.append(usual) }
    var failure = ServerError.absent
    for (root, logIn) in roots.flatMap({ root in Interface.logIns.map { (root, $0) } }) {
      (self.root, self.logIn) = (root, logIn)
      do throws(ServerError) {
        if let reading = Interface.user { user = try list(reading).feeds.first?.stream }
        folders = try list(Interface.folders).feeds
        return
      } catch {
        guard error.mayBeOfInterface else { throw error }
        guard case .request(let error) = error, [401, 403].contains(error.status) else { continue }
        failure = .refused(ReaderClient.words(ofRefusal: error))
      }
    }
    throw failure
  }

  // MARK: Asking

  func request(_ call: PlainCall) -> FetchRequest {
    var request = FetchRequest(url: "\(root)/\(call.path)")
    var service = ServiceCall(user: server.user)
    (service.method, service.logIn, service.isToggle) = (call.method, logIn, call.isToggle)
    service.json = call.body.map { PrintedJSON.object($0).description }
    request.call = service
    request.passwordCommand = server.passwordCommand
    return request
  }

  private func list(_ reading: NamedAnswerReading) throws(ServerError) -> ServerAnswer {
    let request = request(PlainCall(reading.path, by: .get))
    return try connection.read([(request, as: reading)], atMost: PageLimits.bytes)[0].get()
  }

  func carryOut(_ call: PlainCall) throws(ServerError) {
    _ = try connection.ask([request(call)], keeping: 0)[0].get()
  }

  // MARK: Feeds

  mutating func feeds() throws(ServerError) -> [ServerReading.Feed] {
    let names = Dictionary(folders.map { ($0.stream, $0.title) }, uniquingKeysWith: { $1 })
    followed = try list(Interface.feeds).feeds.distinct(by: \.stream)
    followed = followed.map { feed in
      let tags = feed.tags.compactMap { names[$0].flatMap(ServerReading.Feed.tag) }
      return ServerReading.Feed(stream: feed.stream, url: feed.url, title: feed.title, tags: tags)
    }
    return followed
  }

  mutating func send(_ edit: ServerFeedEdit) throws(ServerError) -> String {
    var there = edit.feed(in: followed)
    if edit.action == .unsubscribe {
      if let there { try carryOut(PlainCall("feeds/\(there.stream)", by: .delete)) }
      return edit.stream ?? ""
    }
    let folder = try edit.added.first.map { name throws(ServerError) in try self.folder(name) }
    if let there, folder != nil || !edit.removed.isEmpty {
      try carryOut(Interface.move(there.stream, to: folder ?? Interface.noFolder(folders)))
    } else if there == nil, edit.action == .subscribe {
      there = try follow(edit, in: folder)
    }
    guard let there else { throw .request(.status(404)) }
    if let title = edit.title { try carryOut(Interface.rename(there.stream, title)) }
    return there.stream
  }

  /// Follows a feed, which the server may have found at another URL.
  private mutating func follow(
    _ edit: ServerFeedEdit,
    in folder: Int?,
  ) throws(ServerError) -> ServerReading.Feed? {
    let old = Set(followed.map(\.stream))
    try carryOut(Interface.follow(edit.url, in: folder ?? Interface.noFolder(folders)))
    let new = try feeds().filter { !old.contains($0.stream) }
    return edit.feed(in: followed) ?? new.first
  }

  private mutating func folder(_ name: String) throws(ServerError) -> Int {
    let find = { (folders: [ServerReading.Feed]) in
      let same = folders.first { $0.title == name }
      // No server has two whose names differ in case alone.
      return (same ?? folders.first { $0.title.lowercased() == name.lowercased() })
        .flatMap { Int($0.stream) }
    }
    if let known = find(folders) { return known }
    try carryOut(Interface.makeFolder(name))
    folders = try list(Interface.folders).feeds
    guard let new = find(folders) else { throw .answer("the server makes no folder of that name") }
    return new
  }
}
