import CommandLine
package import CommandSupport
import FeedStorage

/// The keys in force: those of `BrowserKeys`, as the reader's own lines change them.
package struct KeyMap: Sendable {
  /// Names of keys that are pressed one after the other; most are one alone.
  typealias Sequence = [String]

  private(set) var lines: [Sequence: String] = [:]
  private var own: [Sequence] = []
  let commands: CommandList
  /// One for each line left out, or one for a whole file.
  package private(set) var faults: [String] = []

  init(_ commands: CommandList) {
    self.commands = commands
    for entry in BrowserKeys.all {
      for key in entry.keys { lines[[key]] = entry.line }
    }
  }

  /// Reads the file `keys`.
  package init(_ environment: Environment) {
    self.init(environment.program.commands)
    guard let path = environment.keysPath else { return }
    let name = environment.shortened(path)
    let text = SettingsText(at: path)
    if let refusal = text.refusal { faults.append("\(name) is left out: \(refusal)") }
    for (index, line) in text.lines.enumerated() {
      do { try take(line) } catch {
        faults.append("\(name), line \(index + 1): \(SafeText.line(Failure(error).message))")
      }
    }
  }

  var complaint: String? {
    guard let first = faults.first else { return nil }
    // The end of a long line is not seen in a small window.
    return faults.count == 1
      ? first : "\(faults.count) lines are wrong (news browse --keys); \(first)"
  }

  /// Takes a line `key… line`; a key alone is freed, `#` begins a comment.
  package mutating func take(_ text: Substring) throws {
    let text = text.drop(while: Self.isBlank)
    guard let first = text.first, first != "#" else { return }
    // A key may be a quotation mark.
    let behind = text.firstIndex(where: Self.isBlank) ?? text.endIndex
    let comment = ShellLine(String(text[behind...])).withoutComment
    let (keys, rest) = Self.split(text[..<behind] + comment)
    try Self.check(keys)
    let line = rest.isEmpty ? nil : Self.trimmed(rest)
    if let line {
      try KeyLine(line).check(commands)
      try makeRoom(for: keys)
    }
    lines[keys] = line
    own.removeAll { $0 == keys }
    if line != nil { own.append(keys) }
  }

  /// Returns the keys that a line begins with, and what stands behind them.
  ///
  /// A further word is a key where something stands behind it: `g g first`, but `x n`. The signs that
  /// begin lines, and the one between them, are none.
  private static func split(_ text: Substring) -> (keys: Sequence, rest: Substring) {
    var (keys, rest): (Sequence, Substring) = ([], text)
    while true {
      let word = rest.prefix { !isBlank($0) }
      let behind = rest[word.endIndex...].drop(while: isBlank)
      let isNext = !behind.isEmpty && isKey(String(word)) && ![":", "!", "|", ";"].contains(word)
      guard keys.isEmpty || isNext && behind.prefix(while: { !isBlank($0) }) != ";" else {
        return (keys, rest)
      }
      keys.append(sameKeys[String(word)] ?? String(word))
      rest = behind
    }
  }

  /// Control keys for which terminals send what other keys send, by those keys.
  private static let sameKeys = ["^H": "Backspace", "^I": "Tab", "^J": "Enter", "^M": "Enter"]

  private static func check(_ keys: Sequence) throws {
    if let key = keys.first(where: { !isKey($0) }) {
      throw Failure("\(Spelling.quoted(key)) is no key\(hint(key))")
    }
    if let digit = keys.first(where: { ("0"..."9").contains($0.first ?? " ") }) {
      throw Failure("\(digit) begins a number, as in 3o, and is no key")
    }
    if keys.count > 1, let key = keys.first(where: { ["Esc", "^C"].contains($0) }) {
      throw Failure("\(key) ends a sequence, and stands in none")
    }
  }

  private static func hint(_ key: String) -> String {
    if isKey(key.uppercased()) { return "; did you mean \(key.uppercased())?" }
    let names = ["Space"] + Key.names.map(\.name)
    let near = Spelling.hint(key, among: names)
    guard near.isEmpty else { return near }
    // As other programs write a sequence: gg.
    let isSequence = key.count == 2 && key.allSatisfy(\.isLetter)
    let blanks = isSequence ? " (a sequence has blanks: \(text(key.map(String.init))))" : ""
    return "\(blanks); keys are signs, ^A to ^Z, \(names.joined(separator: ", "))"
  }

  /// Takes away other keys that are its beginning, or begin with it; one of the reader's is a fault.
  private mutating func makeRoom(for keys: Sequence) throws {
    let isInWay = { (other: Sequence) in
      other != keys && (other.starts(with: keys) || keys.starts(with: other))
    }
    if let other = own.first(where: isInWay) {
      let (this, that) = (Self.text(keys), Self.text(other))
      throw Failure(
        other.count > keys.count
          ? "\(this) begins \(that), and cannot have a line of its own"
          : "\(that) has a line of its own, and cannot begin \(this)"
      )
    }
    for other in lines.keys where isInWay(other) { lines[other] = nil }
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
    guard line.hasPrefix(":"), line != ":", ShellLine(line).parts.count == 1 else { return line }
    return line.last?.isLetter == true || line.count < text.count ? line + " " : line
  }

  // MARK: Sequences

  func isBeginning(_ keys: Sequence) -> Bool {
    lines.keys.contains { $0.count > keys.count && $0.starts(with: keys) }
  }

  /// Returns the rests of the sequences that begin so, with their lines, in order.
  func continuations(of keys: Sequence) -> [(keys: String, line: String)] {
    lines.filter { $0.key.count > keys.count && $0.key.starts(with: keys) }
      .map { (Self.text(Array($0.key.dropFirst(keys.count))), $0.value) }
      .sorted { $0.keys < $1.keys }
  }

  static func text(_ keys: Sequence) -> String { keys.joined(separator: " ") }

  // MARK: Help

  /// Returns a line of `keys` for keys that the reader has given a line.
  package func ownLine(of keys: String) -> String? {
    own.first { Self.text($0) == Self.sameKeys[keys] ?? keys }.flatMap { lines[$0] }.map {
      "\(keys) \($0)"
    }
  }

  package func help(columns: Int) -> [String] { BrowserHelp.lines(self, columns: columns) }

  /// Returns the first key of an operation; nil where the reader has taken its keys away.
  func key(for line: String) -> String? {
    BrowserKeys.key(for: line).flatMap { row($0).keys.first }
  }

  /// Returns what begins an operation: a key, or else the line to be typed.
  func name(of line: String) -> String { key(for: line) ?? ":\(line)" }

  /// Keys of one line; `meaning` is empty for a line of the reader's.
  typealias Row = (keys: [String], line: String, meaning: String)

  typealias Topic = (name: String, rows: [Row])

  var topics: [Topic] {
    var topics = BrowserKeys.topics.map { topic -> Topic in
      (topic.name, topic.keys.map(row).filter { !$0.keys.isEmpty })
    }
    let rest = own.filter { keys in lines[keys].map { BrowserKeys.key(for: $0) == nil } ?? false }
    let ownRows = rest.map { keys -> Row in ([Self.text(keys)], lines[keys] ?? "", "") }
    if !ownRows.isEmpty { topics.append(("Your own", ownRows)) }
    return topics
  }

  private func row(_ entry: BrowserKey) -> Row {
    let others = own.filter { lines[$0] == entry.line && !entry.keys.contains(Self.text($0)) }
    let keys = entry.keys.filter { lines[[$0]] == entry.line } + others.map(Self.text)
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
    words = ShellLine(String(line.dropFirst())).words
    readsText = line.hasPrefix("|")
  }

  private var templates: [StoryTemplate] {
    get throws { try words.map { try StoryTemplate($0) } }
  }

  func check() throws {
    guard let program = words.first, !program.contains("{") else {
      throw Failure("no program given: ! PROGRAM {link}")
    }
    _ = try templates
  }

  /// The end of a key's operations with a program whose status is not 0.
  func failure(_ status: Int32, isLast: Bool) -> Failure {
    Failure(
      "\(Spelling.quoted(words.first ?? "")) ended with status \(status)"
        + (isLast ? "" : "; what stands behind it was left out")
    )
  }

  func namesNumber() throws -> Bool {
    try templates.contains { $0.names("n") }
  }

  func texts(_ context: CommandContext) throws -> StoryTextIndex? {
    for template in try templates {
      if let texts = template.texts(context) { return texts }
    }
    return nil
  }

  /// Returns the words for a story; a field is one word, whatever it contains.
  ///
  /// `guarded` is the first field that got a blank before it, so as not to be an option.
  func words(for story: TemplateStory) throws -> (words: [String], guarded: String?) {
    var all: [String] = []
    var guarded: String?
    for template in try templates {
      let (text, option) = template.word(story, isBehindDashes: all.contains("--"))
      guarded = guarded ?? option
      all.append(text)
    }
    return (all, guarded)
  }
}
