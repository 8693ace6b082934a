import CommandLine
import FeedModel
import Synchronization
import Testing

@testable import FeedServing

@Suite("What apps may change at once")
struct AppChangeTests {
  private func labels(_ field: String, _ count: Int) -> String {
    (0..<count).map { "\(field)=user/-/label/t\($0)" }.joined(separator: "&")
  }

  private func home(_ actions: ServedActions? = nil) throws -> ServedHome {
    let home = try ServedHome(actions: actions)
    try home.add([ServedHome.story(1)], feeds: [Subscription(url: ServedHome.feed)])
    return home
  }

  @Test("no request names more tags than a story can have")
  func tags() throws {
    let lines = ServedHome.Lines()
    let home = try home(.noting(in: lines))
    let limit = "400 a feed or a story has at most 100 tags"
    let feed = "s=feed/\(ServedHome.feed)"
    for field in ["a", "r"] {
      #expect(
        try home.call("subscription/edit", post: "ac=edit&\(feed)&\(labels(field, 101))") == limit
      )
    }
    #expect(try home.call("disable-tag", post: labels("s", 101)) == limit)
    try home.add((2...200).map { ServedHome.story($0) })
    let ids = (1...101).map { "i=\($0)" }.joined(separator: "&")
    #expect(
      try home.call("edit-tag", post: "\(ids)&\(labels("a", 60))&\(labels("r", 40))")
        == "400 more than 5000 tags of stories at once"
    )
    #expect(lines.all.withLock { $0.isEmpty })
    #expect(try home.call("edit-tag", post: "i=1&\(labels("a", 100))") == "OK")
    #expect(lines.all.withLock { $0.count } == 1)
  }

  @Test("what finds no room in a story is the app's mistake, and said in words")
  func limit() throws {
    let actions = ServedActions(make: { _ in throw TagLimit() }, exportedList: { "" })
    let home = try home(actions)
    let limit = "400 a feed or a story has at most 100 tags"
    #expect(try home.call("edit-tag", post: "i=1&\(labels("a", 1))") == limit)
    let edit = "ac=edit&s=feed/\(ServedHome.feed)&\(labels("a", 1))"
    #expect(try home.call("subscription/edit", post: edit) == limit)
    #expect(home.said.all.withLock { $0.isEmpty })
  }

  @Test("a mark of no story that is named, or in a body that is no form, is the app's mistake")
  func noStory() throws {
    let lines = ServedHome.Lines()
    let home = try home(.noting(in: lines))
    let read = "a=user/-/state/com.google/read"
    for form in [read, "\(read)&i=", "\(read)&i=x", "{\"i\": 1}"] {
      #expect(try home.call("edit-tag", post: form) == "400 no story: i=…", "\(form)")
    }
    #expect(try home.call("edit-tag", post: "\(read)&i=999") == "OK")
    #expect(lines.all.withLock { $0 } == [])
  }

  @Test("a feed that cannot be followed is the app's mistake, and said in words")
  func noFeed() throws {
    let actions = ServedActions(
      make: { _ in throw Failure("no feed there") },
      exportedList: { "" },
    )
    let home = try home(actions)
    let form = "ac=subscribe&s=feed/https://example.net/"
    #expect(try home.call("subscription/edit", post: form) == "400 no feed there")
  }

  /// The home whose actions ask it again.
  private final class Again: Sendable {
    let home = Mutex<ServedHome?>(nil)
    let answers = Mutex<[String]>([])

    func ask() throws {
      let home = home.withLock { $0 }
      let number = answers.withLock { $0.count }
      let forms = [
        ("subscription/quickadd", "quickadd=b.example"), ("subscription/import", "<opml/>"),
        ("subscription/edit", "ac=subscribe&s=feed/https://b.example/"),
      ]
      answers.withLock { $0.append("") }
      let (path, form) = forms[number % 3]
      let answer = try home?.call(path, post: form) ?? ""
      answers.withLock { $0[number] = answer }
    }
  }

  @Test("four feeds are asked at a time for all apps; others are told to come again")
  func asking() throws {
    let again = Again()
    let actions = ServedActions(make: { _ in try again.ask() }, exportedList: { "" })
    let home = try home(actions)
    again.home.withLock { $0 = home }
    _ = try home.call("subscription/quickadd", post: "quickadd=a.example")
    again.home.withLock { $0 = nil }
    let answers = again.answers.withLock { $0 }
    #expect(answers.count == 4)
    #expect(answers.last == "503 too many feeds at once: try again")
    let busy = RequestFault.busy.answer
    #expect(busy.headers.contains { $0.name == "Retry-After" && Int($0.value) != nil })
    // Those that ended leave room.
    again.answers.withLock { $0 = [] }
    #expect(try home.call("subscription/quickadd", post: "quickadd=a.example").hasPrefix("{"))
    #expect(again.answers.withLock { $0 } == [""])
  }
}
