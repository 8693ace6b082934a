/// The inline elements of a paragraph in Markdown.
struct StoryMarkdownLine {
  private var rows = [""]

  /// The lines of the paragraph; a backslash at the end of one is a hard break.
  var lines: [String] {
    let lines = rows.map { Self.start(Self.trimmed($0)) }.filter { !$0.isEmpty }
    return lines.dropLast().map { $0 + "\\" } + lines.suffix(1)
  }

  private var text: String {
    get { rows[rows.count - 1] }
    set { rows[rows.count - 1] = newValue }
  }

  mutating func add(_ inlines: [StoryInline]) {
    var rest = inlines[...]
    while let first = rest.first {
      let link = StoryHTML.link(first.link)
      let part = rest.prefix { StoryHTML.link($0.link) == link }
      rest = rest.dropFirst(part.count)
      guard let link else {
        add(part, before: rest.first == nil ? nil : "[")
        continue
      }
      var words = StoryMarkdownLine()
      words.add(part, before: "]")
      // Behind an exclamation mark it would be a picture.
      if text.utf8.last == UInt8(ascii: "!") {
        text.unicodeScalars.removeLast()
        text += "\\!"
      }
      text += "[\(words.text)](\(Self.destination(link)))"
    }
  }

  private mutating func add(_ part: ArraySlice<StoryInline>, before end: Character?) {
    for (index, inline) in zip(part.indices, part) {
      let next = index + 1 < part.endIndex ? Self.first(of: part[index + 1]) : end
      switch inline {
      case .text(let run): add(run, before: next)
      case .image(let image): add(image)
      case .lineBreak: rows.append("")
      }
    }
  }

  private static func first(of inline: StoryInline) -> Character? {
    switch inline {
    case .text(let run): run.text.first
    case .image: "!"
    case .lineBreak: nil
    }
  }

  private static func destination(_ url: String) -> String {
    // `&lt;` would be a sign there, too.
    let url = url.contains(";") ? url.replacing("&", with: "&amp;") : url
    return url.contains { "() ".contains($0) } ? "<\(url)>" : url
  }

  private mutating func add(_ image: StoryImage) {
    let words = image.text.isEmpty && StoryHTML.link(image.link) != nil ? "image" : image.text
    let link = StoryHTML.webLink(image.url).map { "](\(Self.destination($0)))" }
    text += (link == nil ? "" : "![") + Self.escaped(words) + (link ?? "")
  }

  // MARK: Runs

  /// Signs inside which no blank may stand at either end: blanks stay outside.
  private mutating func add(_ run: StoryRun, before next: Character?) {
    let words = Self.trimmed(run.text)
    text += run.text.prefix { $0 == " " }
    guard !words.isEmpty else { return }
    let end = String(run.text.reversed().prefix { $0 == " " })
    let (last, next) = (text.last ?? " ", end.isEmpty ? next ?? " " : " ")
    var body = run.marks.contains(.code) ? Self.code(words) : Self.escaped(words)
    for (mark, sign, name) in Self.marks where run.marks.contains(mark) {
      let isPlain = Self.isPlain(body, between: last, next)
      body = isPlain && !sign.isEmpty ? sign + body + sign : "<\(name)>\(body)</\(name)>"
    }
    // Two spans of code would be one.
    if [text.utf8.last, body.utf8.first].allSatisfy({ $0 == UInt8(ascii: "`") }) {
      text += "<!-- -->"
    }
    text += body + end
  }

  private static let marks: [(StoryMarks, sign: String, name: String)] = [
    (.lowered, "", "sub"), (.raised, "", "sup"), (.underlined, "", "u"), (.deleted, "", "del"),
    (.emphasis, "*", "em"), (.strong, "**", "strong"),
  ]

  /// Returns true where asterisks around a text are surely taken for marks (§6.2).
  private static func isPlain(_ text: String, between last: Character, _ next: Character) -> Bool {
    let isWord = { (sign: Character?) in sign.map { $0.isLetter || $0.isNumber } ?? false }
    return last != "*" && (last == " " || isWord(text.first))
      && (next == " " || isWord(text.last)) && text.first != "*"
  }

  private static func code(_ text: String) -> String {
    let fence = fence(around: text, least: 1)
    let space = [text.utf8.first, text.utf8.last].contains(UInt8(ascii: "`")) ? " " : ""
    return fence + space + text + space + fence
  }

  /// Returns more backticks than any in the text.
  static func fence(around text: String, least: Int) -> String {
    let most = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
    return String(repeating: "`", count: max(most + 1, least))
  }

  // MARK: Signs

  /// Returns a text in which no sign means anything, but at the start of a line.
  static func escaped(_ text: String) -> String {
    // By scalars: a `<` behind a letter such as U+0D4E is one character with it.
    let signs = Array(text.unicodeScalars)
    let hasEnd = text.utf8.contains(UInt8(ascii: ";"))
    var result = String.UnicodeScalarView()
    for (index, sign) in signs.enumerated() {
      let next = index + 1 < signs.count ? signs[index + 1] : " "
      let isEscaped =
        switch sign {
        case "\\", "`", "*", "[", "]", "<", "~": true
        // Between letters it means nothing.
        case "_": index == 0 || !isWord(signs[index - 1]) || !isWord(next)
        case "&": hasEnd && (next == "#" || next.properties.isAlphabetic)
        default: false
        }
      if isEscaped { result.append("\\") }
      result.append(sign)
    }
    return String(result)
  }

  private static func isWord(_ sign: Unicode.Scalar) -> Bool {
    sign.properties.isAlphabetic || sign.properties.numericType != nil
  }

  /// Escapes what would make a line a heading, a quotation, an item or a rule.
  static func start(_ line: String) -> String {
    if let sign = line.unicodeScalars.first, "#>=+-".unicodeScalars.contains(sign) {
      return "\\" + line
    }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line[digits.endIndex...]
    guard !digits.isEmpty, rest.hasPrefix(".") || rest.hasPrefix(")") else { return line }
    return "\(digits)\\\(rest)"
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0 == " " }
    return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
  }
}
