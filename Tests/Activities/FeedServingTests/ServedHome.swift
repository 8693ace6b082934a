import CommandLine
import FeedModel
import Synchronization
import TestSupport

@testable import FeedServing
@testable import FeedStorage
@testable import System

/// A home, and the interface that serves it, without a network.
struct ServedHome {
  let folder: TemporaryFolder
  let interface: ReaderInterface
  let store: LibraryStore
  let clock = Clock()
  let said = Lines()

  static let feed = "https://example.com/feed.xml"
  static let other = "https://example.org/atom"
  static let password = "the-right-one"
  private static let hash = (try? ServingPassword.hash(of: password)) ?? ""

  final class Clock: Sendable {
    let now = Mutex(Date(timeIntervalSince1970: 1_793_534_400))
  }

  final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  init(isBehindProxy: Bool = false, actions: ServedActions? = nil) throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
    try store.setServingPassword(hash: Self.hash)
    let (clock, said) = (clock, said)
    let options = ReaderInterface.Options(
      store: store,
      isBehindProxy: isBehindProxy,
      now: { clock.now.withLock { $0 } },
      tell: { line in said.all.withLock { $0.append(line) } },
    )
    interface = ReaderInterface(options, actions ?? .counting(store, clock))
  }

  static func id(_ number: Int) -> String { UInt64(number).hexadecimal }

  /// Returns a story that was stored so many seconds after others.
  static func story(_ number: Int, seconds: Int = 0, feeds: [String] = [feed]) -> StoredItem {
    let date = Date(timeIntervalSince1970: 1_793_000_000 + Double(seconds))
    var item = Item(title: "s\(number)", link: "https://example.com/\(number)", date: date)
    item.summary = "About <\(number)> & more"
    return StoredItem(id: id(number), item: item, feeds: feeds, stored: date)
  }

  func add(_ stories: [StoredItem], feeds: [Subscription] = []) throws {
    var store = store
    store.typed = OwnWords(typed: feeds.flatMap(\.ownWords))
    try store.update { library in
      let subscriptions = library.subscriptions + feeds
      return (LibraryChange(StoryChanges(adding: stories), subscriptions: subscriptions), ())
    }
  }

  func ask(
    _ target: String,
    post body: String? = nil,
    from address: String = "192.168.1.9",
    headers: [(String, String)] = [],
  ) -> (status: Int, text: String) {
    var request = HTTPRequest(target: target)
    request.peer = NetworkAddress(address)
    if let body {
      request.method = "POST"
      request.body = Array(body.utf8)
    }
    for (name, value) in headers { request.headers.add(name, value) }
    let answer = interface.service.refusal(request) ?? interface.service.answer(request)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  func call(_ target: String, post body: String? = nil) throws -> String {
    try ask(atPath: "/reader/api/0/" + target, post: body)
  }

  /// Asks for a stream's feed.
  func feed(_ stream: String) throws -> String { try ask(atPath: "/reader/atom/" + stream) }

  private func ask(atPath path: String, post body: String? = nil) throws -> String {
    let secret = try store.servingAccount()?.secret ?? ""
    let token = AccessTokens(secret: secret).new(at: clock.now.withLock { $0 })
    let answer = ask(
      path,
      post: body,
      headers: [("Authorization", "GoogleLogin auth=\(token)")],
    )
    return answer.status == 200 ? answer.text : "\(answer.status) \(answer.text)"
  }

  func ids(_ query: String) throws -> [Int] {
    try call("stream/items/ids?output=json&" + query).split(separator: "\"").compactMap { Int($0) }
  }

  static func continuation(_ text: String) -> String? {
    text.firstRange(of: "\"continuation\":\"").map { found in
      String(text[found.upperBound...].prefix { $0 != "\"" })
    }
  }
}

extension ServedActions {
  /// Changes nothing, and notes in a line what was asked for.
  static func noting(in lines: ServedHome.Lines) -> ServedActions {
    ServedActions(
      make: { change in lines.all.withLock { $0.append(change.line) } },
      exportedList: { "" },
    )
  }

  /// Changes nothing but the number of log-ins.
  static func counting(_ store: LibraryStore, _ clock: ServedHome.Clock) -> ServedActions {
    ServedActions(
      make: { change in
        guard change.kind == .noteLogIn, let account = try store.servingAccount() else {
          throw Failure("no changes here")
        }
        try store.noteLogIn(with: account, at: clock.now.withLock { $0 })
      },
      exportedList: { throw Failure("no changes here") },
    )
  }
}

extension ServedChange {
  fileprivate var line: String {
    let title = edit.title.map { ["=\($0)"] } ?? []
    let words = title + edit.added.map { "+\($0)" } + edit.removed.map { "-\($0)" }
    switch kind {
    case .mark:
      let read = edit.marks[.read].map { ["read \($0)"] } ?? []
      let numbers = stories.numbers.sorted().map(String.init)
      return "\((read + words).joined(separator: " ")): \(numbers.joined(separator: " "))"
    case .renameTag: return "\(edit.removed[0]) to \(edit.added.first ?? "nil")"
    case .editFeed: return (["edit \(feeds[0])"] + words).joined(separator: " ")
    case .subscribe: return "subscribe \(feeds[0])"
    case .unsubscribe: return "unsubscribe \(feeds)"
    case .importList: return "import"
    case .noteLogIn: return "log-in"
    }
  }
}
