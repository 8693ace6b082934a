import FeedFetching
import TestSupport
import Testing

@testable import CommandLine
@testable import CommandSupport
@testable import NewsCommands

@Suite("The keys that --json prints are those that the manual has")
struct JSONKeyTests {
  /// Command lines of all commands that print data, none of which leaves an array empty.
  private static let lines = [
    "news": [[]], "feeds": [["feeds"]], "refresh": [["refresh"]], "fetch": [["fetch"]],
    "list": [["list"]], "open": [["open", "1"]], "show": [["show", "1"]],
    "why": [["why", "1"]],
    "parse": [["parse", "document.xml"]], "log": [["log"]], "stats": [["stats"]],
    "export": [["export"]], "rules": [["rules"]], "publish": [["publish", "site"]],
    "download": [["download", "1", "--to", "saved"]],
    "help": [["help"], ["help", "list"], ["list", "--help"]],
    "doctor": [["doctor", "--offline"]], "sync": [["sync", "."]],
    "schedule": [["schedule", "status"]], "serve": [["serve", "status"]],
  ]

  @Test("command by command")
  func keys() throws {
    var forms = ["news": Welcome.json]
    for command in CommandList.news.all { forms[command.name] = command.json }
    #expect(Set(forms.keys) == Set(Self.lines.keys))
    for (name, form) in forms {
      for words in Self.lines[name] ?? [] {
        let news = try home()
        let text = news.run(words + ["--json"]).output
        let tree = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
        try check(tree, form, "\(words)")
      }
    }
  }

  private func check(_ tree: JSONTree, _ form: JSONForm, _ line: String) throws {
    guard form.isArray else { return try compare(tree, form.keys, line) }
    guard case .array(let elements) = tree else {
      Issue.record("\(line) prints no array")
      return
    }
    #expect(!elements.isEmpty, "\(line)")
    for element in elements { try compare(element, form.keys, line) }
  }

  private func compare(_ tree: JSONTree, _ keys: [JSONKey], _ line: String) throws {
    guard case .object(let members) = tree else {
      Issue.record("\(line) prints no object")
      return
    }
    #expect(Set(members.keys) == Set(keys.map(\.name)), "\(line)")
    for key in keys {
      switch members[key.name] {
      case .object where !key.inside.isEmpty:
        try compare(try #require(members[key.name]), key.inside, "\(line) \(key.name)")
      case .array(let elements) where !key.inside.isEmpty:
        for element in elements { try compare(element, key.inside, "\(line) \(key.name)") }
      case .object: Issue.record("\(line): the keys inside \(key.name) are in no manual")
      case .array(let elements):
        let areObjects = elements.contains { if case .object = $0 { true } else { false } }
        #expect(!areObjects, "\(line): the keys inside \(key.name) are in no manual")
      default: break
      }
    }
  }

  @Test("none that the last version had is gone")
  func promised() throws {
    let path = BuiltProduct.fixture("json-keys.txt")
    let lines = try readText(path).split(separator: "\n").map(String.init)
    let promised = Set(lines.filter { !$0.hasPrefix("#") })
    var keys = Self.paths(Welcome.json.keys, "news: ")
    for command in CommandList.news.all {
      keys += Self.paths(command.json?.keys ?? [], "news \(command.name): ")
    }
    #expect(promised.count > 100)
    #expect(promised.subtracting(keys).sorted() == [])
    guard ProcessInfo.processInfo.environment["NEWS_OUTPUT"] == "write" else { return }
    let all = lines.filter { $0.hasPrefix("#") } + promised.union(keys).sorted()
    try writeFile(path, all.map { $0 + "\n" }.joined().utf8)
  }

  private static func paths(_ keys: [JSONKey], _ start: String) -> [String] {
    keys.flatMap { [start + $0.name] + paths($0.inside, "\(start)\($0.name).") }
  }

  private func home() throws -> CommandRun {
    let news = try CommandRun()
    let enclosure =
      "<enclosure url=\"https://example.com/a.mp3\" type=\"audio/mpeg\" length=\"3\"/>"
      + "<podcast:chapters url=\"https://example.com/a.json\"/>"
      + "<psc:chapter start=\"0\" title=\"Intro\"/><podcast:person>Ida</podcast:person>"
    let body = Sample.rss("Example", ["one", "two"])
      .replacing("</item>", with: "\(enclosure)</item>")
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: body))
    try news.folder.write(body, to: "document.xml")
    news("subscribe", Sample.feed)
    news("feeds", "set", Sample.feed, "--keep", "5")
    news("refresh")
    let changed = body.replacing("<title>one</title>", with: "<title>one, changed</title>")
    news.fetcher.serve(Sample.feed, FakeFetcher.Page(body: changed))
    news("refresh")
    news("rules", "add", "r", "--grep", "one")
    return news
  }
}

private enum JSONTree: Decodable {
  case object([String: JSONTree])
  case array([JSONTree])
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let object = try? container.decode([String: JSONTree].self) {
      self = .object(object)
    } else if let array = try? container.decode([JSONTree].self) {
      self = .array(array)
    } else {
      self = .other
    }
  }
}
