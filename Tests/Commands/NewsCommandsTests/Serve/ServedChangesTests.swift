import FeedModel
import FeedStorage
import Synchronization
import TestSupport
import Testing

@testable import FeedServing
@testable import NewsCommands
@testable import System

struct AppHome {
  let home: CommandRun
  private let interface: ReaderInterface
  private let token: String

  init() throws {
    let home = try CommandRun()
    try home.storeSample()
    try self.init(serving: home)
  }

  init(serving home: CommandRun) throws {
    self.home = home
    let (store, context) = (home.store, try home.context)
    try store.setServingPassword(hash: "$y$none")
    let date = Date(timeIntervalSince1970: home.now)
    interface = ReaderInterface(
      ReaderInterface.Options(
        store: store,
        isBehindProxy: false,
        now: { date },
        tell: { _ in },
      ),
      .of(HomeActions(context: context, store: store)),
    )
    token = AccessTokens(secret: try store.servingAccount()?.secret ?? "").new(at: date)
  }

  /// Posts a form, and returns the answer's text, with the status where it is not 200.
  @discardableResult
  func post(_ path: String, _ form: String, method: String = "POST") -> String {
    var request = HTTPRequest(target: "/reader/api/0/\(path)")
    request.method = method
    request.headers.add("Authorization", "GoogleLogin auth=\(token)")
    request.body = Array(form.utf8)
    let service = interface.service
    let answer = service.refusal(request) ?? service.answer(request)
    let text = String(decoding: answer.body, as: UTF8.self)
    return answer.status == 200 ? text : "\(answer.status) \(text)"
  }

  func marks() throws -> [String] {
    let items = try home.store.read().items
    return try (0..<items.count).map { place in
      let story = try items.item(at: place)
      return (story.isRead ? "r" : "-") + (story.isStarred ? "s" : "-")
        + story.tags.joined(separator: ",")
    }
  }

  func feeds() throws -> [String] {
    try home.store.read().subscriptions.map {
      "\($0.title ?? "-") \($0.tags.joined(separator: ","))"
    }
  }
}

extension ServedActions {
  /// Makes changes in this process, after they went the way of those that go to another one.
  static func of(_ actions: HomeActions) -> ServedActions {
    ServedActions(
      make: { change in
        let taken = try #require(ServedChange(record: change.record))
        #expect(taken == change && taken.isSound)
        try actions.make(taken)
      },
      exportedList: actions.exportedList,
    )
  }
}

@Suite("What an app changes in a served home")
struct ServedChangesTests {
  private static let state = "user/-/state/com.google"

  @Test("are marks as by hand: of all forms of ids, in one step, which undo takes back")
  func marks() throws {
    let app = try AppHome()
    #expect(try app.marks() == ["--", "--", "r-", "--", "-s"])
    let ids = "i=1&i=tag:google.com,2005:reader/item/0000000000000002&i=77"
    #expect(app.post("edit-tag", "\(ids)&a=\(Self.state)/read&a=\(Self.state)/starred") == "OK")
    #expect(try app.marks() == ["rs", "rs", "r-", "--", "-s"])
    #expect(
      try app.home.undoLatest().errors
        == "2 stories are unread again, 2 stories are no longer starred\n"
    )
    #expect(try app.marks() == ["--", "--", "r-", "--", "-s"])
    app.post("edit-tag", "i=3&a=\(Self.state)/kept-unread")
    app.post("edit-tag", "i=5&r=\(Self.state)/starred&a=\(Self.state)/tracking-kept-unread")
    #expect(try app.marks() == ["--", "--", "--", "--", "--"])
    #expect(app.home("undo", "--list").output.contains("unstar"))
    app.post("edit-tag", "i=1&a=user/-/label/To+read&a=user/-/label/b")
    app.post("edit-tag", "i=1&i=2&r=user/-/label/B&a=user/-/label/c")
    #expect(try app.marks() == ["--To read,c", "--c", "--", "--", "--"])
  }

  @Test("are told to other machines")
  func sync() throws {
    let app = try AppHome()
    let folder = app.home.folder.path("shared")
    try makeFolder(folder)
    app.home("sync", folder)
    app.post("edit-tag", "i=1&a=\(Self.state)/read")
    let other = try CommandRun()
    try other.storeSample()
    app.home("sync", folder)
    other("sync", folder)
    #expect(try other.store.read().items.item(at: 0).isRead)
  }

  @Test("stories that another home had stored before are new to apps when they come")
  func arrivals() throws {
    let (source, other) = (try CommandRun(), try CommandRun())
    try source.storeSample()
    try other.store([], subscriptions: [(Sample.feed, "Example"), (Sample.other, "Other")])
    let stored = source("export", "--json").output
    other.now += 3_600
    other("import", try other.folder.write(stored, to: "stories.json"))
    let stories = try other.store.read().items
    #expect(stories.count == 5)
    let story = try stories.item(at: 0)
    #expect(story.stored == Date(timeIntervalSince1970: source.now - 3_600))
    #expect(story.arrived == Date(timeIntervalSince1970: other.now))
    let ids = "stream/items/ids?output=json&s=\(Self.state)/reading-list"
    let app = try AppHome(serving: other)
    let new = app.post("\(ids)&ot=\(Int(other.now))", "", method: "GET")
    #expect(new.split(separator: "\"id\"").count == 6)
    #expect(!other("export", "--json").output.contains("arrived"))
  }

  @Test("mark what was there at a time")
  func all() throws {
    let app = try AppHome()
    app.post("mark-all-as-read", "s=feed/\(Sample.feed)&ts=\(Int(app.home.now) - 2 * 3600)")
    #expect(try app.marks() == ["--", "--", "r-", "r-", "rs"])
    #expect(app.post("mark-all-as-read", "s=\(Self.state)/reading-list") == "OK")
    #expect(try app.marks() == ["r-", "r-", "r-", "r-", "rs"])
    #expect(try app.home.undoLatest().errors == "2 stories are unread again\n")
    #expect(app.post("mark-all-as-read", "s=\(Self.state)/reading-list&ts=0") == "OK")
    #expect(try app.marks() == ["r-", "r-", "r-", "r-", "rs"])
    #expect(app.post("mark-all-as-read", "ts=1").hasPrefix("400 "))
  }

  @Test("mark no story that was being saved when the app asked for those that it marks")
  func lateSaves() throws {
    let app = try AppHome()
    let all = "stream/items/ids?output=json&s=\(Self.state)/reading-list"
    #expect(app.post(all, "", method: "GET").contains("itemRefs"))
    // The time of a save is the system's, whose files may be some milliseconds behind its clock.
    let time = Date().timeIntervalSince1970 - 0.05
    var late = Sample.story(9, "late", hours: 0)
    late.stored = Date(timeIntervalSince1970: time - 5)
    try app.home.store.update { _ in (LibraryChange(StoryChanges(adding: [late])), ()) }
    func unread() throws -> Int { try app.marks().count { $0.hasPrefix("-") } }
    for end in [time - 1, time] {
      app.post("mark-all-as-read", "s=\(Self.state)/reading-list&ts=\(Int(end * 1_000))")
      #expect(try unread() == 1)
    }
    let next = Int(Date().timeIntervalSince1970) + 1
    app.post("mark-all-as-read", "s=\(Self.state)/reading-list&ts=\(next)")
    #expect(try unread() == 0)
  }

  @Test("are not made unless they are posted, with the word for them or none")
  func tokens() throws {
    let app = try AppHome()
    let form = "i=1&a=\(Self.state)/read"
    #expect(app.post("edit-tag", form, method: "GET").hasPrefix("405 "))
    #expect(app.post("edit-tag", form + "&T=wrong").hasPrefix("401 "))
    #expect(try app.marks()[0] == "--")
    let word = app.post("token", "", method: "GET")
    #expect(app.post("edit-tag", form + "&T=\(word)") == "OK")
    #expect(try app.marks()[0] == "r-")
    for form in [
      "i=1&a=nothing", "i=1&a=user/-/label/",
      "i=1&a=user/-/label/\(String(repeating: "x", count: 2_000))",
    ] {
      #expect(app.post("edit-tag", form).hasPrefix("400 "))
    }
  }

  @Test("rename tags of stories and feeds in one step, and take them away")
  func tags() throws {
    let app = try AppHome()
    app.home("tag", "work", "1")
    app.home("feeds", "set", Sample.feed, "--tag", "Work")
    #expect(app.post("rename-tag", "s=user/-/label/work&dest=user/-/label/Job") == "OK")
    #expect(try app.marks()[0] == "--Job")
    #expect(try app.feeds() == ["Example Job", "Other Feed "])
    try app.home.undoLatest()
    #expect(try app.marks()[0] == "--work")
    #expect(try app.feeds() == ["Example Work", "Other Feed "])
    app.post("disable-tag", "s=user/-/label/WORK")
    #expect(try app.marks()[0] == "--")
    #expect(try app.feeds() == ["Example ", "Other Feed "])
    #expect(app.post("rename-tag", "s=user/-/label/work").hasPrefix("400 "))
    #expect(app.post("disable-tag", "s=\(Self.state)/starred").hasPrefix("400 "))
  }

  @Test("edit feeds, and stop following them")
  func feeds() throws {
    let app = try AppHome()
    let edit = "ac=edit&s=feed/\(Sample.feed)"
    #expect(
      app.post("subscription/edit", "\(edit)&t=New&a=user/-/label/a&a=user/-/label/b") == "OK"
    )
    #expect(try app.feeds() == ["New a,b", "Other Feed "])
    app.post("subscription/edit", "\(edit)&r=user/-/label/A&a=user/-/label/c")
    #expect(try app.feeds() == ["New b,c", "Other Feed "])
    try app.home.undoLatest()
    #expect(try app.feeds() == ["New a,b", "Other Feed "])
    #expect(app.post("subscription/edit", "ac=unsubscribe&s=feed/\(Sample.other)") == "OK")
    #expect(try app.feeds() == ["New a,b"])
    try app.home.undoLatest()
    #expect(try app.feeds().count == 2)
    for form in ["ac=edit&s=feed/x", "ac=x&s=feed/\(Sample.feed)", "ac=edit", "ac=edit&s=x"] {
      #expect(app.post("subscription/edit", form).hasPrefix("400 "), "\(form)")
    }
  }

  @Test("subscribe by another process, to what is on the web alone")
  func subscribing() throws {
    let app = try AppHome()
    let asked = Mutex<[[String]]>([])
    app.home.programs = { words, _ in
      asked.withLock { $0.append(words) }
      return .init("news: https://a.example/: no feed\nnews: it failed\n", status: 1)
    }
    let form = "s=feed/https://a.example/feed&t=-t&a=user/-/label/x"
    #expect(app.post("subscription/edit", "ac=subscribe&\(form)") == "400 it failed")
    let home = app.home.store.home
    #expect(
      asked.withLock { $0 } == [
        [
          "/usr/bin/env", "NEWS_BY_PHONE=1", "/usr/local/bin/news", "--home", home, "--no-defaults",
          "--no-history", "subscribe",
          "--title", "-t", "--tag", "x", "--public", "--", "https://a.example/feed",
        ]
      ]
    )
    #expect(
      app.post("subscription/quickadd", "quickadd=a.example")
        == #"{"query":"a.example","numResults":0,"error":"it failed"}"#
    )
    for text in ["/etc/passwd", "file:///etc/passwd", "exec:id", "", "ftp://a/"] {
      let answer = app.post("subscription/quickadd", "quickadd=\(text)")
      #expect(answer.hasPrefix("400 "), "\(text) \(answer)")
      let edit = app.post("subscription/edit", "ac=subscribe&s=feed/\(text)")
      #expect(edit.hasPrefix("400 not a"), "\(text) \(edit)")
    }
    #expect(asked.withLock { $0.count } == 2)
    // A site that takes too long is followed all the same, and fetched with the next refresh.
    let slow = Mutex<[String]>([])
    app.home.programs = { words, _ in
      slow.withLock { $0.append(words.dropFirst(7).joined(separator: " ")) }
      return .init("", status: words.contains("--no-check") ? 0 : nil)
    }
    #expect(app.post("subscription/edit", "ac=subscribe&s=feed/https://slow.example/") == "OK")
    #expect(
      slow.withLock { $0 } == [
        "subscribe --public -- https://slow.example/",
        "subscribe --public --no-check -- https://slow.example/",
      ]
    )
    app.home.programs = { words, _ in
      asked.withLock { $0.append(words) }
      return nil
    }
    app.post("subscription/edit", "ac=subscribe&s=feed/\(Sample.feed)&a=user/-/label/x")
    #expect(try app.feeds() == ["Example x", "Other Feed "])
    #expect(asked.withLock { $0.count } == 2)
  }

  @Test("lists of feeds come and go as OPML")
  func lists() throws {
    let app = try AppHome()
    let list = app.post("subscription/export", "", method: "GET")
    #expect(list == app.home("export").output)
    let given = Mutex("")
    app.home.programs = { words, input in
      given.withLock { $0 = words.joined(separator: " ") + input }
      return .init("", status: 0)
    }
    #expect(app.post("subscription/import", "<opml/>") == "OK")
    #expect(given.withLock { $0 }.hasSuffix("import -<opml/>"))
  }

  @Test("a list that is none is the app's mistake, and said in a line")
  func garbage() throws {
    let app = try AppHome()
    let status = Mutex<Int32>(65)
    app.home.programs = { _, _ in
      .init("news: from standard input: not OPML\n", status: status.withLock { $0 })
    }
    #expect(app.post("subscription/import", "<rss/>") == "400 from standard input: not OPML")
    status.withLock { $0 = 1 }
    #expect(app.post("subscription/import", "<opml/>").hasPrefix("500 "))
    app.home.programs = { _, _ in .init("", status: 0) }
    #expect(app.post("subscription/import", "\u{feff}\n<opml/>") == "OK")
    for text in ["", " ", "{\"stories\":[]}", "https://a.example/feed", "\0"] {
      #expect(app.post("subscription/import", text) == "400 not OPML", "\(text)")
    }
  }
}
