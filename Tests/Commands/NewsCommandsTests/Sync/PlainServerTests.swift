import CommandLine
import FeedFetching
import FeedModel
import FeedParsing
import FeedReading
import FeedStorage
import Synchronization
import System
import TestSupport
import Testing

@testable import FeedSync

/// An interface of three calls that no real server has: everything, marks, and feeds.
private struct PlainClient: ServerClient {
  private let connection: ServerConnection
  private let server: SyncServer
  private(set) var root = ""
  private var known: [ServerItemID: ServerStory] = [:]

  init(_ connection: ServerConnection, _ server: SyncServer) {
    (self.connection, self.server) = (connection, server)
  }

  private func call(
    _ name: String,
    _ fields: [(String, String)] = [],
  ) throws(ServerError) -> JSONValue {
    var request = FetchRequest(url: "\(root)/\(name)")
    let form = ServiceCall.form([("user", server.user)] + fields)
    request.call = ServiceCall(form: form, user: server.user)
    request.passwordCommand = server.passwordCommand
    let bytes = try connection.ask([request])[0].get()
    let value = bytes.withUnsafeBytes { try? JSONDocument($0).value() }
    guard let value else { throw .answer("no JSON") }
    return value
  }

  mutating func logIn(known: String?) throws(ServerError) { root = server.url }

  mutating func lists(since: Date) throws(ServerError) -> ServerReading {
    let all = try call("all")
    let stories = (all["stories"]?.elements ?? []).compactMap(Self.story)
    known = Dictionary(stories.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
    return ServerReading(
      feeds: Self.feeds(all),
      unread: stories.filter { !$0.content.isRead }.map(\.id),
      starred: stories.filter(\.content.isStarred).map(\.id),
      recent: stories.map(\.id),
    )
  }

  mutating func feeds() throws(ServerError) -> [ServerReading.Feed] { Self.feeds(try call("all")) }

  mutating func stories(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError) {
    take(ids, ids.compactMap { known[$0] })
  }

  mutating func send(
    _ marks: [ServerEdit: [ServerItemID]],
    _ done: (ServerEdit, ArraySlice<ServerItemID>, ServerError?) -> Void,
  ) throws(ServerError) {
    for (edit, ids) in marks {
      let text = ids.map { "\($0.low)" }.joined(separator: " ")
      do throws(ServerError) {
        _ = try call("marks", [("mark", edit.word), ("ids", text)])
        done(edit, ids[...], nil)
      } catch {
        done(edit, ids[...], error)
      }
    }
  }

  mutating func send(_ edit: ServerFeedEdit) throws(ServerError) -> String {
    let tag = edit.added.last.map { [("tag", $0)] } ?? []
    let fields = [("do", edit.action.rawValue), ("url", edit.url)] + tag
    return try call("feeds", fields)["url"]?.text ?? edit.url
  }

  private static func feeds(_ all: JSONValue) -> [ServerReading.Feed] {
    (all["feeds"]?.elements ?? []).compactMap { feed in
      feed["url"]?.text.map {
        let tags = [feed["tag"]?.text].compactMap(\.self)
        return ServerReading.Feed(stream: $0, url: $0, title: "", tags: tags)
      }
    }
  }

  private static func story(_ value: JSONValue) -> ServerStory? {
    guard let id = value["id"]?.text.flatMap({ UInt64($0) }) else { return nil }
    var content = ForeignStory()
    (content.title, content.link) = (value["title"]?.text, value["url"]?.text)
    content.html = value["html"]?.text
    content.isRead = value["read"] == .bool(true)
    content.isStarred = value["starred"] == .bool(true)
    return ServerStory(ServerItemID(low: id), of: value["feed"]?.text ?? "", content)
  }
}

private final class PlainServer: FeedFetcher, Sendable {
  static let url = "https://plain.example/api"
  static let interface = ServerInterface(name: "plain", title: "plain API") { PlainClient($0, $1) }

  struct Story: Sendable {
    let feed: String
    let title: String
    var isRead = false
    var isStarred = false
  }

  struct Account: Sendable {
    var tags: [String: String?] = [:]
    var stories: [Story] = []
    var calls: [String] = []
    var isAway = false
  }

  let account = Mutex(Account())

  func story(_ title: String) -> Story? {
    account.withLock { account in account.stories.first { $0.title == title } }
  }

  func fetch(_ batch: FetchBatch) {
    for request in batch.requests {
      let body = batch.body(request)
      let fields = (request.call?.form ?? "").split(separator: "&").map { field in
        let parts = field.split(separator: "=", omittingEmptySubsequences: false)
        let value = String(decoding: (parts.last ?? "").utf8.percentDecoded(), as: UTF8.self)
        return (String(parts[0]), value)
      }
      let form = Dictionary(fields, uniquingKeysWith: { first, _ in first })
      let name = String(request.url.dropFirst(Self.url.count + 1))
      let answer = account.withLock { account -> String? in
        guard !account.isAway else { return nil }
        account.calls.append(name)
        return Self.answer(name, form, &account)
      }
      if let answer {
        body.begin(ResponseHead(status: 200, url: request.url))
        _ = Array(answer.utf8).withUnsafeBytes { body.receive($0) }
        batch.completion(
          request,
          .content(FetchResponse(status: 200, url: request.url)),
          body,
        )
      } else {
        batch.completion(request, .failed(.connectionRefused(host: "plain.example"), nil), body)
      }
    }
  }

  private static func answer(
    _ name: String,
    _ form: [String: String],
    _ account: inout Account,
  ) -> String {
    let url = form["url"] ?? ""
    switch (name, form["do"]) {
    case ("marks", _):
      for number in (form["ids"] ?? "").split(separator: " ").compactMap({ Int($0) }) {
        switch form["mark"] {
        case "read", "unread": account.stories[number].isRead = form["mark"] == "read"
        default: account.stories[number].isStarred = form["mark"] == "starred"
        }
      }
    case ("feeds", "unsubscribe"): account.tags[url] = nil
    case ("feeds", _): account.tags[url] = .some(form["tag"])
    default: return all(account)
    }
    return "{\"url\":\"\(url)\"}"
  }

  private static func all(_ account: Account) -> String {
    let feeds = account.tags.keys.sorted().map { url in
      let tag = account.tags[url]??.description
      return "{\"url\":\"\(url)\"" + (tag.map { ",\"tag\":\"\($0)\"}" } ?? "}")
    }
    let stories = account.stories.enumerated().map { number, story in
      "{\"id\":\(number),\"feed\":\"\(story.feed)\",\"title\":\"\(story.title)\","
        + "\"url\":\"https://example.com/\(story.title)\",\"html\":\"<p>text</p>\","
        + "\"read\":\(story.isRead),\"starred\":\(story.isStarred)}"
    }
    return "{\"feeds\":[\(feeds.joined(separator: ","))],"
      + "\"stories\":[\(stories.joined(separator: ","))]}"
  }
}

@Suite("A server with an interface of its own is one file, and is kept alike as any other")
struct PlainServerTests {
  private let home: CommandRun
  private let plain = PlainServer()

  init() throws {
    home = try CommandRun()
    home.realFetcher = plain
    plain.account.withLock { account in
      account.tags[Sample.feed] = .some("News")
      account.stories = (0..<4).map { PlainServer.Story(feed: Sample.feed, title: "s\($0)") }
    }
    #expect(try sync().get().stories == 4)
  }

  private func sync(_ interface: String? = "plain") throws -> Result<SyncResult, Failure> {
    var server = SyncServer(
      name: "plain",
      url: PlainServer.url,
      user: "me",
      passwordCommand: "echo secret",
    )
    (server.fetchesStories, server.interface) = (true, interface)
    return try home.sync(with: server, interfaces: [PlainServer.interface]).result
  }

  private func stories() throws -> [StoredItem] {
    let items = try home.store.read().items
    return try (0..<items.count).map { try items.item(at: $0) }
  }

  private func marks() throws -> [String: String] {
    let all = try stories().map { story in
      let mark = (story.isRead ? "read" : "-") + (story.isStarred ? " starred" : "")
      return (story.item.title, mark)
    }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
  }

  private func mark(_ command: String, _ title: String) throws {
    let story = try #require(try stories().first { $0.item.title == title })
    #expect(home(command, story.id).status == 0)
  }

  private func change(_ number: Int, _ body: (inout PlainServer.Story) -> Void) {
    plain.account.withLock { body(&$0.stories[number]) }
  }

  @Test("marks go both ways, each once")
  func marksBothWays() throws {
    change(1) { $0.isRead = true }
    try mark("star", "s0")
    let result = try sync().get()
    #expect(result.marked == 1 && result.sent == 1)
    #expect(try marks() == ["s0": "- starred", "s1": "read", "s2": "-", "s3": "-"])
    #expect(plain.story("s0")?.isStarred == true)
    plain.account.withLock { $0.calls = [] }
    #expect(try sync().get() == SyncResult())
    #expect(plain.account.withLock { $0.calls } == ["all"])
    change(0) { $0.isStarred = false }
    #expect(try sync().get().marked == 1)
    #expect(try marks()["s0"] == "-")
  }

  @Test("a feed that is new on either side is followed on both, with its stories and its tag")
  func feeds() throws {
    plain.account.withLock { account in
      account.tags[Sample.other] = .some(nil)
      account.stories.append(PlainServer.Story(feed: Sample.other, title: "other"))
    }
    let own = "https://example.net/own"
    home("subscribe", own, "--no-check", "--tag", "Mine")
    let result = try sync().get()
    #expect(result.added == 1 && result.stories == 1 && result.sent == 1)
    #expect(plain.account.withLock { $0.tags[own] } == "Mine")
    let feeds = try home.store.read().subscriptions
    #expect(Set(feeds.map(\.url)) == [Sample.feed, Sample.other, own])
    #expect(feeds.first { $0.url == Sample.feed }?.tags == ["News"])
    home("unsubscribe", Sample.other)
    #expect(try sync().get().sent == 1)
    #expect(plain.account.withLock { $0.tags.keys.sorted() } == [Sample.feed, own].sorted())
  }

  @Test("a mark that could not be sent is sent with the next sync, and once")
  func offline() throws {
    try mark("read", "s2")
    plain.account.withLock { $0.isAway = true }
    #expect(
      try sync() == .failure(Failure("connection refused by plain.example"))
    )
    plain.account.withLock { $0.isAway = false }
    #expect(try sync().get().sent == 1)
    #expect(plain.story("s2")?.isRead == true)
    #expect(try sync().get() == SyncResult())
  }

  @Test("an interface that is not known is told of in a line")
  func unknown() throws {
    #expect(try sync("x") == .failure(Failure("its interface x is not known")))
  }
}
