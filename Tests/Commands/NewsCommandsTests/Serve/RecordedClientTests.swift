import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedServing
@testable import NewsCommands
@testable import System

/// The requests of real clients to `news serve`, as `Fixtures/serving` has them.
@Suite("Recorded requests of real clients")
struct RecordedClientTests {
  @Test(
    "are answered as the client reads it, and what they change is changed",
    arguments: ["liferea", "rssguard", "newsboat-feedhq", "newsboat-freshrss"],
  )
  func replay(_ client: String) throws {
    let home = try ReplayHome()
    let text = try readText(BuiltProduct.fixture("serving/\(client).txt"))
    let requests = RecordedRequest.all(text)
    #expect(requests.count > 5)
    for request in requests {
      let answer = home.ask(request)
      #expect(answer.status == request.status, "\(request.line): \(answer.text)")
      for part in request.parts {
        #expect(
          answer.text.contains(home.filled(part)),
          "\(request.line): \(part)\n\(answer.text)",
        )
      }
      for (line, now) in zip(request.after, [try home.marks(), try home.feeds()]) where line != nil
      {
        #expect(line == now, "\(request.line)")
      }
    }
  }
}

/// A request of a fixture: its line, its headers, and its form behind `>`; then the answer's status and
/// parts behind `<`, and the marks and feeds of the home after it behind `=` and `+`.
private struct RecordedRequest {
  let line: String
  var headers: [(name: String, value: String)] = []
  var form: String?
  var status = 200
  var parts: [String] = []
  var after: [String?] = [nil, nil]

  static func all(_ text: String) -> [RecordedRequest] {
    var requests: [RecordedRequest] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let rest = String(line.dropFirst(2))
      if line.hasPrefix("GET ") || line.hasPrefix("POST ") {
        requests.append(RecordedRequest(line: String(line)))
      } else if !requests.isEmpty {
        requests[requests.count - 1].take(line, rest)
      }
    }
    return requests
  }

  private mutating func take(_ line: Substring, _ rest: String) {
    switch line.prefix(2) {
    case "> ": form = rest
    case "< ": if let number = Int(rest) { status = number } else { parts.append(rest) }
    case "= ": after[0] = rest
    case "+ ": after[1] = rest
    default:
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      headers.append((String(line[..<colon]), String(line[colon...].dropFirst(2))))
    }
  }
}

/// A home like that which the clients were shown, with its stories' ids made short.
private final class ReplayHome {
  private static let password = "the-right-one"
  private static let site = "http://127.0.0.1:18080"
  private static let urls = ["alpha.xml", "beta.xml", "cast.xml", "delta.xml?a=1&b=2+3%20x"]
    .map { "\(site)/\($0)" }

  private let home = try? CommandRun()
  private let interface: ReaderInterface
  private let store: LibraryStore
  /// The values that the client was given, by their places in the recording.
  private var given: [String: String]

  init() throws {
    let run = try #require(home)
    let store = run.store
    self.store = store
    try run.store(Self.stories, subscriptions: [])
    try store.update(waitAtMost: .seconds(5)) { _ in
      (LibraryChange(subscriptions: Self.subscriptions), ())
    }
    try store.setServingPassword(hash: try ServingPassword.hash(of: Self.password))
    run.programs = { words, _ in
      _ = try? store.update(waitAtMost: .seconds(5)) { library in
        let new = Subscription(url: words.last ?? "", title: "New")
        return (LibraryChange(subscriptions: library.subscriptions + [new]), ())
      }
      return .init("", status: 0)
    }
    let date = Date(timeIntervalSince1970: run.now)
    let options = ReaderInterface.Options(
      store: store,
      isBehindProxy: false,
      now: { date },
      tell: { _ in },
    )
    interface = ReaderInterface(options, .of(HomeActions(context: try run.context, store: store)))
    given = ["{password}": Self.password, "{delta}": ServedFeeds.name(ofFeed: Self.urls[3])]
  }

  private static var subscriptions: [Subscription] {
    zip(urls, [["Tech"], ["World"], ["Audio", "Tech"], ["Tech"]]).map { url, tags in
      var feed = Subscription(url: url, title: nil)
      feed.tags = tags
      return feed
    }
  }

  /// Two stories of each feed; the number of the first one's id has the highest bit.
  private static var stories: [StoredItem] {
    var stories = (1...8).map { number in
      Sample.story(number, "s\(number)", hours: number, feeds: [urls[(number - 1) / 2]])
    }
    stories[0].id = "8000000000000001"
    stories[1].isRead = true
    stories[2].isStarred = true
    stories[3].tags = ["Later"]
    let file = Enclosure(url: "\(site)/a.mp3", type: "audio/mpeg", length: 1_234)
    stories[4].item.enclosures = [file]
    return stories
  }

  func ask(_ recorded: RecordedRequest) -> (status: Int, text: String) {
    let words = recorded.line.split(separator: " ", maxSplits: 1).map(String.init)
    var request = HTTPRequest(target: filled(words[1]))
    (request.method, request.peer) = (words[0], NetworkAddress("127.0.0.1"))
    for header in recorded.headers { request.headers.add(header.name, filled(header.value)) }
    if let form = recorded.form { request.body = Array(filled(form).utf8) }
    let service = interface.service
    let answer = service.refusal(request) ?? service.answer(request)
    let text = String(decoding: answer.body, as: UTF8.self)
    if request.path.hasSuffix("/token") { given["{token}"] = text }
    if let auth = text.split(separator: "\n").first(where: { $0.hasPrefix("Auth=") }) {
      given["{auth}"] = String(auth.dropFirst(5))
    }
    return (answer.status, text)
  }

  func filled(_ text: String) -> String {
    given.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  /// Each story's state: `r` for read, `s` for starred, and its tags.
  func marks() throws -> String {
    let items = try store.read().items
    return try (0..<items.count).map { place in
      let story = try items.item(at: place)
      return (story.isRead ? "r" : "-") + (story.isStarred ? "s" : "-")
        + story.tags.joined(separator: ",")
    }.joined(separator: " ")
  }

  func feeds() throws -> String {
    try store.read().subscriptions.map { feed in
      "\(feed.url.dropFirst(Self.site.utf8.count + 1))(\(feed.tags.joined(separator: ",")))"
    }.joined(separator: " ")
  }
}
