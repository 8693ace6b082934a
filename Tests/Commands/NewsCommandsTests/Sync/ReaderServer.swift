import FeedModel
import FeedStorage
import Synchronization

@testable import CommandLine
@testable import CommandSupport
@testable import FeedFetching
@testable import FeedSync
@testable import FollowingCommands

/// A server of the Google Reader API, or of another: one account, in memory.
final class ReaderServer: Sendable {
  static let (url, user, password) = ("https://reader.example", "me", "s3cret-pass")
  static let feed = "https://example.com/feed.xml"

  struct Feed: Sendable {
    var stream: String
    var url: String
    var title: String
    var labels: [String] = []
  }

  struct Story: Sendable {
    let id: ServerItemID
    let stream: String
    var link: String
    var title: String
    var date: Int
    /// The second in which it came to the server, which does not say so without one.
    var came: Int?
    var html = ""
    var isRead = false
    var isStarred = false
    var labels: Set<String> = []
  }

  struct Request: Sendable {
    /// The path below the root, such as `reader/api/0/edit-tag`.
    let path: String
    let method: String
    let query: [String: [String]]
    let form: [String: [String]]
    let authorization: String?
    /// The path and the query, and the form, as they were sent.
    let (target, body): (String, String?)

    var name: String { String(path.split(separator: "/").suffix(2).joined(separator: "/")) }
  }

  enum Fault: Sendable {
    /// The server answers with this page, and changes nothing.
    case page(Int, String)
    /// The server makes the change, and its answer gets lost.
    case lost
    /// The server is killed while it makes the change; an account is as after `lost`.
    case killed
    case error(FetchError)
  }

  struct Account: Sendable {
    var user = "1001"
    var feeds: [Feed] = []
    /// The stories, newest first.
    var stories: [Story] = []
    var token = "token-1"
    var auth = "auth/secret-word"
    var pageSize = 10_000
    /// True for the long form of ids in lists, which some servers write.
    var usesLongIDs = false
    var oneLabel = false
    var labelsStories = true
    var refusedFeeds: Set<String> = []
    /// The stories that pages of stories cannot be made of.
    var bad: Set<ServerItemID> = []
    var folders: [String] = []
    var next: UInt64 = 1_700_000_000_000_000
  }

  let api: ServerAPI
  let account = Mutex(Account())
  private let faults = Mutex<(@Sendable (Request) -> Fault?)?>(nil)
  private let log = Mutex<[Request]>([])
  /// What answers in the place of the account; nil for nothing.
  let home = Mutex<(@Sendable (Request, _ isKilled: Bool) -> (status: Int, body: String))?>(nil)

  init(_ api: ServerAPI = .greader) { self.api = api }

  var requests: [Request] { log.withLock { $0 } }
  func count(_ name: String) -> Int { requests.count { $0.path.hasSuffix(name) } }
  func forget() { log.withLock { $0 = [] } }

  func fail(_ fault: (@Sendable (Request) -> Fault?)?) { faults.withLock { $0 = fault } }

  // MARK: What it has

  @discardableResult
  func follow(_ url: String, title: String = "Feed", labels: [String] = []) -> String {
    account.withLock { account in
      account.next += 1
      let stream = "feed/\(account.next % 100_000)"
      account.feeds.append(Feed(stream: stream, url: url, title: title, labels: labels))
      return stream
    }
  }

  @discardableResult
  func add(
    _ link: String,
    _ title: String,
    of url: String = feed,
    date: Int = 1_793_500_000,
    isRead: Bool = false,
    isStarred: Bool = false,
  ) -> ServerItemID {
    account.withLock { account in
      account.next += 1
      let id = ServerItemID(low: account.next)
      let stream = account.feeds.first { $0.url == url }?.stream ?? ""
      var story = Story(id: id, stream: stream, link: link, title: title, date: date)
      (story.isRead, story.isStarred) = (isRead, isStarred)
      account.stories.insert(story, at: 0)
      return id
    }
  }

  func story(_ title: String) -> Story? {
    account.withLock { account in account.stories.first { $0.title == title } }
  }

  func change(_ title: String, _ body: (inout Story) -> Void) {
    account.withLock { account in
      for place in account.stories.indices where account.stories[place].title == title {
        body(&account.stories[place])
      }
    }
  }

  func labels(_ url: String) -> [String]? {
    account.withLock { account in account.feeds.first { $0.url == url }?.labels }
  }

  // MARK: What it says

  func answer(_ request: Request) -> Result<(status: Int, body: String), FetchError> {
    log.withLock { $0.append(request) }
    let fault = faults.withLock { $0 }
    switch fault?(request) {
    case .page(let status, let body): return .success((status, body))
    case .error(let error): return .failure(error)
    case .lost:
      _ = carryOut(request)
      return .failure(.connectionClosed)
    case .killed:
      _ = carryOut(request, isKilled: true)
      return .failure(.connectionClosed)
    case nil: return .success(carryOut(request))
    }
  }

  private func carryOut(_ request: Request, isKilled: Bool = false) -> (status: Int, body: String) {
    if let home = home.withLock({ $0 }) { return home(request, isKilled) }
    return account.withLock { account in
      switch api {
      case .greader: Self.answer(request, &account)
      case .miniflux: account.miniflux(request)
      case .nextcloud: account.nextcloud(request)
      }
    }
  }

  private static func answer(
    _ request: Request,
    _ account: inout Account,
  ) -> (status: Int, body: String) {
    if request.path == "accounts/ClientLogin" {
      guard request.form["Email"] == [user], request.form["Passwd"] == [password] else {
        return (401, "Error=BadAuthentication")
      }
      return (200, "SID=\(account.auth)\nLSID=null\nAuth=\(account.auth)\n")
    }
    guard request.path.hasPrefix("reader/api/0/") else { return (404, "<html>none</html>") }
    guard request.authorization == "GoogleLogin auth=\(account.auth)" else { return (401, "") }
    let path = request.path.dropFirst(13)
    if !request.form.isEmpty, request.form["T"] != [account.token] {
      return (401, "Unauthorized!")
    }
    switch path {
    case "token": return (200, account.token + "\n")
    case "user-info": return (200, "{\"userId\":\"\(account.user)\"}")
    case "subscription/list": return (200, subscriptions(account))
    case "tag/list": return (200, tags(account))
    case "stream/items/ids": return (200, list(request.query.mapValues { $0[0] }, account))
    case "stream/items/contents": return (200, contents(request, account))
    case "edit-tag": return editTag(request, &account)
    case "subscription/edit": return edit(request, &account)
    default: return (400, "Bad Request!")
    }
  }

  private static func subscriptions(_ account: Account) -> String {
    let all = account.feeds.map { feed in
      let labels = (feed.labels.isEmpty ? ["Uncategorized"] : feed.labels).map {
        "{\"id\":\"user/-/label/\($0)\",\"label\":\"\($0)\"}"
      }
      return "{\"id\":\"\(feed.stream)\",\"title\":\"\(feed.title)\",\"url\":\"\(feed.url)\","
        + "\"categories\":[\(labels.joined(separator: ","))]}"
    }
    return "{\"subscriptions\":[\(all.joined(separator: ","))]}"
  }

  private static func tags(_ account: Account) -> String {
    let tags = Set(account.stories.flatMap(\.labels)).sorted().map { ($0, "tag") }
    let folders = Set(account.feeds.flatMap(\.labels)).sorted().map { ($0, "folder") }
    let all = (folders + tags).map { "{\"id\":\"user/-/label/\($0)\",\"type\":\"\($1)\"}" }
    return "{\"tags\":[\(all.joined(separator: ","))]}"
  }

  private static func list(_ query: [String: String], _ account: Account) -> String {
    var stories = account.stories
    if let label = query["s"], label.hasPrefix("user/-/label/") {
      stories.removeAll { !$0.labels.contains(String(label.dropFirst(13))) }
    }
    if query["s"]?.hasSuffix("starred") == true { stories.removeAll { !$0.isStarred } }
    if query["xt"]?.hasSuffix("read") == true { stories.removeAll(where: \.isRead) }
    if let start = query["ot"].flatMap({ Int($0) }) { stories.removeAll { $0.date < start } }
    let first = query["c"].flatMap { Int($0) } ?? 0
    let size = min(query["n"].flatMap { Int($0) } ?? 20, account.pageSize)
    let page = stories.dropFirst(first).prefix(size)
    let refs = page.map { story in
      "{\"id\":\"\(account.usesLongIDs ? story.id.text : "\(story.id.low)")\"}"
    }
    let isLast = first + size >= stories.count
    return "{\"itemRefs\":[\(refs.joined(separator: ","))]"
      + (isLast ? "}" : ",\"continuation\":\"\(first + size)\"}")
  }

  private static func contents(_ request: Request, _ account: Account) -> String {
    let ids = Set((request.form["i"] ?? []).compactMap { ServerItemID($0) })
    let items = account.stories.filter { ids.contains($0.id) }.map { story in
      var categories = ["user/1/state/com.google/reading-list"]
      if story.isRead { categories.append("user/1/state/com.google/read") }
      if story.isStarred { categories.append("user/1/state/com.google/starred") }
      let states = categories.map { "\"\($0)\"" }.joined(separator: ",")
      let came = story.came.map { "\"crawlTimeMsec\":\"\($0)000\"," } ?? ""
      return
        "{\"id\":\"\(story.id.text)\",\(came)\"title\":\"\(story.title)\",\"published\":\(story.date),"
        + "\"canonical\":[{\"href\":\"\(story.link)\"}],\"categories\":[\(states)],"
        + "\"origin\":{\"streamId\":\"\(story.stream)\"},"
        + "\"summary\":{\"content\":\"\(story.html)\"}}"
    }
    return "{\"items\":[\(items.joined(separator: ","))]}"
  }

  private static func editTag(
    _ request: Request,
    _ account: inout Account,
  ) -> (status: Int, body: String) {
    let ids = Set((request.form["i"] ?? []).compactMap { ServerItemID($0) })
    for place in account.stories.indices where ids.contains(account.stories[place].id) {
      for (field, value) in [("a", true), ("r", false)] {
        for state in request.form[field] ?? [] {
          if state.hasSuffix("/read") { account.stories[place].isRead = value }
          if state.hasSuffix("/starred") { account.stories[place].isStarred = value }
          guard state.hasPrefix("user/-/label/"), account.labelsStories else { continue }
          let label = String(state.dropFirst(13))
          // FreshRSS says OK, and keeps no label of a folder's name.
          let isFolder = account.feeds.contains { $0.labels.contains(label) }
          if !value { account.stories[place].labels.remove(label) }
          if value, !isFolder { account.stories[place].labels.insert(label) }
        }
      }
    }
    return (200, "OK")
  }

  private static func edit(
    _ request: Request,
    _ account: inout Account,
  ) -> (status: Int, body: String) {
    let stream = request.form["s"]?.first ?? ""
    let url = String(stream.dropFirst(5))
    var place = account.feeds.firstIndex { $0.stream == stream || $0.url == url }
    switch request.form["ac"]?.first {
    case "subscribe":
      guard !account.refusedFeeds.contains(url) else { return (400, "Bad Request!") }
      guard place == nil else { break }
      account.next += 1
      let stream = "feed/\(account.next % 100_000)"
      place = account.feeds.count
      account.feeds.append(Feed(stream: stream, url: url, title: url))
    case "unsubscribe":
      guard let place else { return (400, "Bad Request!") }
      let gone = account.feeds.remove(at: place).stream
      account.stories.removeAll { $0.stream == gone }
      return (200, "OK")
    default: break
    }
    guard let place else { return (400, "Bad Request!") }
    if let title = request.form["t"]?.first { account.feeds[place].title = title }
    for label in (request.form["a"] ?? []).map({ String($0.dropFirst(13)) })
    where !account.feeds[place].labels.contains(label) {
      if account.oneLabel { account.feeds[place].labels = [] }
      account.feeds[place].labels.append(label)
    }
    for label in (request.form["r"] ?? []).map({ String($0.dropFirst(13)) }) {
      account.feeds[place].labels.removeAll { $0 == label }
    }
    return (200, "OK")
  }
}

extension ReaderServer.Request {
  /// Reads a request, or fails for a URL that is not below `root`.
  init?(_ url: String, root: String, method: String, body: String?, authorization: String?) {
    guard url.hasPrefix(root + "/") else { return nil }
    let parts = url.dropFirst(root.count + 1).split(separator: "?", maxSplits: 1)
    path = String(parts.first ?? "")
    query = Self.fields(parts.count > 1 ? parts[1] : "")
    form = Self.fields(body.map { $0.hasPrefix("{") ? "" : $0[...] } ?? "")
    (target, self.body, self.method) = (String(url.dropFirst(root.count)), body, method)
    self.authorization = authorization
  }

  private static func fields(_ text: Substring) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    for field in text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value =
        parts.count > 1 ? String(decoding: parts[1].utf8.percentDecoded(), as: UTF8.self) : ""
      fields[String(parts[0]), default: []].append(value)
    }
    return fields
  }
}

struct ReaderFetcher: FeedFetcher {
  let server: ReaderServer
  let root: String

  init(server: ReaderServer, root: String? = nil) {
    let usual = ReaderServer.url + (server.api == .greader ? "/api/greader.php" : "")
    (self.server, self.root) = (server, root ?? usual)
  }

  func fetch(_ batch: FetchBatch) {
    for request in batch.requests {
      let body = batch.body(request)
      batch.completion(request, outcome(request, body), body)
    }
  }

  private func outcome(_ request: FetchRequest, _ received: ReceivedBody) -> FetchOutcome {
    var body = request.call?.json ?? request.call?.form
    var authorization = request.call?.authorization
    switch (request.password, request.call?.logIn) {
    case (let password?, .form):
      body = (body ?? "") + "&" + ServiceCall.form([("Passwd", password)])
    case (let password?, .basic): authorization = "Basic \(request.call?.user ?? ""):\(password)"
    case (let password?, .token): authorization = "Token \(password)"
    default: break
    }
    let call = ReaderServer.Request(
      request.url,
      root: root,
      method: request.call?.method.rawValue ?? "GET",
      body: body,
      authorization: authorization,
    )
    guard let call else { return .failed(.status(404), nil) }
    switch server.answer(call) {
    case .failure(let error): return .failed(error, nil)
    case .success(let (status, body)):
      let secrets = (request.call?.secrets ?? []) + [request.password].compactMap(\.self)
      guard 200..<300 ~= status else {
        let said = RefusedCall.answer(Array(body.utf8), hiding: secrets)
        let refusal = said.map { FetchError.refusedCall(status: status, answer: $0) }
        return .failed(refusal ?? .status(status), nil)
      }
      received.begin(ResponseHead(status: status, url: request.url))
      _ = Array(body.utf8).withUnsafeBytes { received.receive($0) }
      return .content(FetchResponse(status: status, url: request.url))
    }
  }
}

extension SyncServer {
  /// The arguments by which its user has typed the command for its password.
  var typed: Arguments {
    var arguments = Arguments()
    let option = CommandOption("password-command", value: "COMMAND", help: "")
    if let passwordCommand { arguments.add(option, value: passwordCommand) }
    return arguments
  }
}

extension CommandRun {
  static var readerServer: SyncServer {
    let command = "echo \(ReaderServer.password)"
    return SyncServer(
      name: "rss",
      url: ReaderServer.url,
      user: ReaderServer.user,
      passwordCommand: command,
    )
  }

  @discardableResult
  func sync(
    with server: SyncServer = readerServer,
    before deadline: ContinuousClock.Instant? = nil,
    consent: SyncConsent = .asked,
    interfaces: [ServerInterface] = ServerInterface.all,
  ) throws -> (result: Result<SyncResult, Failure>, errors: String) {
    let errors = Collector(failure: 0)
    var context = try syncContext(errors, server).sync
    context.serverInterfaces = interfaces
    let home = HomeSync(context, store, consent: consent, until: deadline)
    var sync = ServerSession(home, server)
    let result = Result { try sync.synchronize().result }.mapError { Failure($0) }
    return (result, errors.text)
  }

  private func syncContext(_ errors: Collector, _ server: SyncServer) throws -> CommandContext {
    try CommandContext(
      command: "sync",
      arguments: server.typed,
      environment: environment(
        TextOutput { _ in 0 },
        TextOutput(capacity: 0) { errors.take($0) },
      ),
    )
  }

  func waiting(for server: SyncServer = readerServer) throws -> Int? {
    let context = try syncContext(Collector(failure: 0), server)
    let home = try HomeSync(context.sync, store).merge(store.read())
    return try store.serverState(server.name).map {
      try ServerMerge.unsent(server, $0, home, now: context.clock.date).waiting
    }
  }
}
