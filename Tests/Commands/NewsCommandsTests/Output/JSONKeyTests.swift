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
    "export": [["export"]], "tags": [["tags"]], "rules": [["rules"]],
    "publish": [["publish", "site"]],
    "download": [["download", "1", "--to", "saved"]],
    "help": [["help"], ["help", "list"], ["list", "--help"]],
    "doctor": [["doctor", "--offline"]], "sync": [["sync", "."]],
    "schedule": [["schedule", "status"]], "serve": [["serve", "status"]],
    "undo": [["undo"], ["undo", "--show"]], "undo --list": [["undo", "--list"]],
    "redo": [["redo"]], "rules --test": [["rules", "--test"]],
  ]

  private static var forms: [String: JSONForm] {
    let all = CommandList.news.all.flatMap { $0.jsonForms.map { ($0.words, $0.form) } }
    return Dictionary(uniqueKeysWithValues: [("news", Welcome.json)] + all)
  }

  /// Returns what each of the commands prints, by its words.
  private func printed() throws -> [(words: String, tree: JSONTree)] {
    try Self.lines.flatMap { words, lines in
      try lines.map { line in
        let text = try home().run(line + ["--json"]).output
        return (words, try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)))
      }
    }
  }

  @Test("command by command")
  func keys() throws {
    let forms = Self.forms
    #expect(Set(forms.keys) == Set(Self.lines.keys))
    for (words, tree) in try printed() { try check(tree, try #require(forms[words]), words) }
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

  @Test("none that the last version had is gone, and none has a value of another kind")
  func promised() throws {
    let path = BuiltProduct.fixture("json-keys.txt")
    let lines = try readText(path).split(separator: "\n").map(String.init)
    // `news list: title = text`; a key that was null wherever it was seen has no kind yet.
    var kinds: [String: String?] = [:]
    for line in lines where !line.hasPrefix("#") {
      let parts = line.split(separator: " = ")
      kinds["\(parts[0])"] = .some(parts.count > 1 ? "\(parts[1])" : nil)
    }
    func start(_ words: String) -> String { words == "news" ? "news: " : "news \(words): " }
    let keys = Self.forms.flatMap { Self.paths($1.keys, start($0)) }
    #expect(kinds.count > 100)
    #expect(Set(kinds.keys).subtracting(keys).sorted() == [])
    for (words, tree) in try printed() {
      tree.visit(start(words)) { key, kind in
        let known = kinds[key] ?? nil
        #expect(known == nil || known == kind, "\(key)")
        kinds[key] = kind
      }
    }
    guard ProcessInfo.processInfo.environment["NEWS_OUTPUT"] == "write" else { return }
    let all = Set(keys).map { key in key + ((kinds[key] ?? nil).map { " = \($0)" } ?? "") }
    let text = (lines.filter { $0.hasPrefix("#") } + all.sorted()).map { $0 + "\n" }.joined()
    try writeFile(path, text.utf8)
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
    news("tag", "later", "--all")
    news("rules", "add", "r", "--grep", "one")
    news("rules", "add", "undone", "--grep", "two")
    news("undo")
    return news
  }
}

private enum JSONTree: Decodable {
  case object([String: JSONTree])
  case array([JSONTree])
  case text
  case number
  case truth
  case null

  private var kind: String? {
    switch self {
    case .object: "object"
    case .array: "array"
    case .text: "text"
    case .number: "number"
    case .truth: "true or false"
    case .null: nil
    }
  }

  /// Tells of each key with a value: its path behind `start`, and the kind of the value.
  func visit(_ start: String, _ see: (String, String) -> Void) {
    switch self {
    case .array(let elements): for element in elements { element.visit(start, see) }
    case .object(let members):
      for (key, value) in members {
        if let kind = value.kind { see(start + key, kind) }
        value.visit("\(start)\(key).", see)
      }
    default: break
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let object = try? container.decode([String: JSONTree].self) {
      self = .object(object)
    } else if let array = try? container.decode([JSONTree].self) {
      self = .array(array)
    } else if container.decodeNil() {
      self = .null
    } else if (try? container.decode(Bool.self)) != nil {
      self = .truth
    } else {
      self = (try? container.decode(Double.self)) != nil ? .number : .text
    }
  }
}
