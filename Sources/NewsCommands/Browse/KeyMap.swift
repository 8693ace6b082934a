import CommandLine
import FeedStorage

/// The keys in force: those of `BrowserKeys`, as the lines of `browse.conf` change them.
struct KeyMap: Sendable {
  /// By the name of the key.
  private(set) var lines: [String: String] = [:]
  /// The keys that the reader has set, in order.
  private var own: [String] = []

  static let fileName = "browse.conf"
  private static let maximumBytes = 1 << 20

  init() {
    for entry in BrowserKeys.all {
      for key in entry.keys { lines[key] = entry.line }
    }
  }

  /// Takes the lines of a home's `browse.conf`, if it has one.
  init(home: String) throws(CommandError) {
    let path = "\(home)/\(Self.fileName)"
    var bytes: [UInt8] = []
    do { bytes = try POSIX.readFile(path, maximumBytes: Self.maximumBytes) } catch {
      if FileStatus(at: path) != nil { throw .failed("\(path): \(error)") }
    }
    self.init()
    let text = String(decoding: bytes, as: UTF8.self)
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      do { try take(line) } catch {
        throw .failed("\(path), line \(number + 1): \(error.reason)")
      }
    }
  }

  /// `key command…`; a key alone means nothing any more, and `#` begins a comment.
  mutating func take(_ line: Substring) throws(WordFault) {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard let key = parts.first.map(String.init), !key.hasPrefix("#") else { return }
    guard Self.isKey(key) else {
      let names = Key.names.map(\.name).joined(separator: ", ")
      throw WordFault(
        reason: "\(Spelling.quoted(key)) is no key; keys are signs, ^A to ^Z, Space, \(names)"
      )
    }
    let command = parts.count == 2 ? Self.trimmed(parts[1]) : nil
    if let command { try Self.check(command) }
    lines[key] = command
    own.removeAll { $0 == key }
    if command != nil { own.append(key) }
  }

  private static func isKey(_ name: String) -> Bool {
    let isControl = name.count == 2 && name.first == "^" && ("A"..."Z").contains(name.last ?? " ")
    return name.count == 1 || isControl || name == "Space" || Key.names.contains { $0.name == name }
  }

  /// Without spaces around it; what `:` opens may end with one.
  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop { $0 == " " || $0 == "\t" }
    let end = text.lastIndex { $0 != " " && $0 != "\t" }
    return text.hasPrefix(":") ? String(text) : end.map { String(text[...$0]) } ?? ""
  }

  private static func check(_ line: String) throws(WordFault) {
    guard BrowserKeys.key(for: line) == nil, !line.hasPrefix(":") else { return }
    if let program = BrowserProgram(line) { return try program.check() }
    do { _ = try CommandList.split(ShellWord.split(line).words) } catch {
      throw WordFault(reason: error.lines.first ?? "")
    }
  }

  /// Keys of one line, and what it does; empty for a line of the reader's.
  typealias Row = (keys: [String], line: String, meaning: String)

  typealias Topic = (name: String, rows: [Row])

  /// All keys, by topic.
  var topics: [Topic] {
    var topics = BrowserKeys.topics.map { topic -> Topic in
      (topic.name, topic.keys.map(row).filter { !$0.keys.isEmpty })
    }
    let rest = own.filter { key in lines[key].map { BrowserKeys.key(for: $0) == nil } ?? false }
    let ownRows = rest.map { key -> Row in ([key], lines[key] ?? "", "") }
    if !ownRows.isEmpty { topics.append(("Your own", ownRows)) }
    return topics
  }

  private func row(_ entry: BrowserKey) -> Row {
    let others = own.filter { lines[$0] == entry.line && !entry.keys.contains($0) }
    let keys = entry.keys.filter { lines[$0] == entry.line } + others
    return (keys, entry.line, entry.meaning)
  }
}

/// A program of the reader's that a line runs: `!` gives it the terminal, `|` a story's text, too.
struct BrowserProgram: Hashable, Sendable {
  /// Templates of a story: `{link}`, `{title:q}`.
  let words: [String]
  let readsText: Bool

  init?(_ line: String) {
    guard line.hasPrefix("!") || line.hasPrefix("|") else { return nil }
    words = ShellWord.split(String(line.dropFirst())).words
    readsText = line.hasPrefix("|")
  }

  func check() throws(WordFault) {
    guard let program = words.first, !program.contains("{") else {
      throw WordFault(reason: "no program given: ! PROGRAM {link}")
    }
    for word in words { _ = try StoryTemplate(word) }
  }

  /// The whole texts, where one of its words is looked for in them.
  func texts(_ context: CommandContext) throws(WordFault) -> StoryTextIndex? {
    for word in words {
      if let texts = try StoryTemplate(word).texts(context) { return texts }
    }
    return nil
  }

  /// Its words for a story, each one word of the program, whatever stands in it.
  func words(for story: TemplateStory) throws(WordFault) -> [String] {
    try words.map { word throws(WordFault) in
      let text = try StoryTemplate(word).text(story)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
  }
}
