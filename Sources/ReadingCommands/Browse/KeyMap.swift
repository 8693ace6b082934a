import CommandLine
package import CommandSupport
import FeedStorage

/// The keys in force, and the commands that they may stand for: the keys of `BrowserKeys`, as
/// `browse.conf` changes them.
package struct KeyMap: Sendable {
  private(set) var lines: [String: String] = [:]
  private var own: [String] = []
  let commands: CommandList
  /// Faults of `browse.conf`: one for each line left out, or one for the whole file.
  package private(set) var faults: [String] = []

  package static let fileName = "browse.conf"
  private static let maximumBytes = 1 << 20

  init(_ commands: CommandList) {
    self.commands = commands
    for entry in BrowserKeys.all {
      for key in entry.keys { lines[key] = entry.line }
    }
  }

  package init(home: String, _ commands: CommandList) throws(CommandError) {
    self.init(commands)
    let path = "\(home)/\(Self.fileName)"
    guard FileStatus(at: path) != nil else { return }
    // Any line of it can have a program run: `a :subscribe --command …` does.
    if let refusal = FileTrust.refusal(path) {
      faults = ["\(Self.fileName) is left out: \(refusal)"]
      return
    }
    let bytes: [UInt8]
    do { bytes = try POSIX.readFile(path, maximumBytes: Self.maximumBytes) } catch {
      throw .failed("\(path): \(error)")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      do { try take(line) } catch {
        faults.append("\(Self.fileName), line \(number + 1): \(error.reason)")
      }
    }
  }

  var complaint: String? {
    guard let first = faults.first else { return nil }
    let more = faults.count - 1
    return more == 0 ? first : "\(first) (and \(more) more: news browse --keys)"
  }

  /// Takes a line `key command…`; a key alone means nothing any more, `#` begins a comment.
  mutating func take(_ line: Substring) throws(WordFault) {
    let parts = line.split(maxSplits: 1, whereSeparator: Self.isBlank)
    guard let key = parts.first.map(String.init), !key.hasPrefix("#") else { return }
    guard Self.isKey(key) else {
      let names = Key.names.map(\.name).joined(separator: ", ")
      throw WordFault(
        reason: "\(Spelling.quoted(key)) is no key; keys are signs, ^A to ^Z, Space, \(names)"
      )
    }
    let command = parts.count == 2 ? Self.trimmed(parts[1]) : nil
    if let command { try check(command) }
    lines[key] = command
    own.removeAll { $0 == key }
    if command != nil { own.append(key) }
  }

  private static func isBlank(_ sign: Character) -> Bool { sign == " " || sign == "\t" }

  private static func isKey(_ name: String) -> Bool {
    let isControl = name.count == 2 && name.first == "^" && ("A"..."Z").contains(name.last ?? " ")
    return name.count == 1 || isControl || name == "Space" || Key.names.contains { $0.name == name }
  }

  /// Removes the blanks around a line; one that is to be finished ends with a blank.
  ///
  /// Editors often remove it; a line that ends inside a word (`:list tag:`) needs none.
  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop(while: isBlank)
    let end = text.lastIndex { !isBlank($0) }
    let line = end.map { String(text[...$0]) } ?? ""
    guard line.hasPrefix(":"), line != ":" else { return line }
    return line.last?.isLetter == true || line.count < text.count ? line + " " : line
  }

  private func check(_ line: String) throws(WordFault) {
    guard BrowserKeys.key(for: line) == nil, !line.hasPrefix(":") else { return }
    if let program = BrowserProgram(line) { return try program.check() }
    do { _ = try commands.split(ShellWord.split(line).words) } catch {
      throw WordFault(reason: error.lines.first ?? "")
    }
  }

  /// Keys of one line; `meaning` is empty for a line of the reader's.
  typealias Row = (keys: [String], line: String, meaning: String)

  typealias Topic = (name: String, rows: [Row])

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

/// A program of the reader's: `!` gives it the terminal, `|` a story's text as well.
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

  func namesNumber() throws(WordFault) -> Bool {
    for word in words where try StoryTemplate(word).names("n") { return true }
    return false
  }

  func texts(_ context: CommandContext) throws(WordFault) -> StoryTextIndex? {
    for word in words {
      if let texts = try StoryTemplate(word).texts(context) { return texts }
    }
    return nil
  }

  /// Returns the words for a story; a field is one word, whatever it contains.
  ///
  /// `guarded` is the first field that got a blank before it, so as not to be an option.
  func words(for story: TemplateStory) throws(WordFault) -> (words: [String], guarded: String?) {
    var all: [String] = []
    var guarded: String?
    for word in words {
      let isBehindDashes = all.contains("--")
      let (text, option) = try StoryTemplate(word).word(story, isBehindDashes: isBehindDashes)
      guarded = guarded ?? option
      all.append(text)
    }
    return (all, guarded)
  }
}
