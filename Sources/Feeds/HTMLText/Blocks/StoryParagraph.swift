internal import FeedModel
internal import System

struct StoryParagraph {
  private(set) var inlines: [StoryInline] = []
  /// True where the space at the end is a line break in the source.
  private var isBroken = false
  /// The last character if it is East Asian, else an `x`.
  private var last = other

  var isEmpty: Bool { inlines.isEmpty }

  /// True after a line break: another one ends the paragraph.
  var endsWithBreak: Bool { inlines.last == .lineBreak }

  mutating func append(_ text: String, marks: StoryMarks, link: String?) {
    let isBroken = isBroken
    var text = collapsed(text)
    if isBroken, text.utf8.first != Self.space { trim() }
    if text.utf8.first == Self.space, startsWord { text.removeFirst() }
    append(raw: text, marks: marks, link: link)
  }

  mutating func append(preformatted text: String, marks: StoryMarks, link: String?) {
    append(raw: SafeText.spaced(text), marks: marks, link: link)
  }

  mutating func append(_ image: StoryImage) {
    inlines.append(.image(image))
    (isBroken, last) = (false, Self.other)
  }

  /// The last picture, if only white space is behind it.
  var lastImage: StoryImage? {
    let last = inlines.last { inline in
      if case .text(let run) = inline { !run.text.allSatisfy(\.isWhitespace) } else { true }
    }
    guard case .image(let image)? = last else { return nil }
    return image
  }

  /// Removes the last picture if it has no address; false if it has one.
  mutating func removePlaceholder() -> Bool {
    guard let image = lastImage, image.url == nil,
      let index = inlines.lastIndex(of: .image(image))
    else { return false }
    inlines.removeSubrange(index...)
    return true
  }

  mutating func appendBreak() {
    trim()
    if !inlines.isEmpty { inlines.append(.lineBreak) }
  }

  mutating func beginLine() {
    guard case .text(let run)? = inlines.last, run.text.last != "\n" else { return }
    append(raw: "\n", marks: [], link: nil)
  }

  /// Returns the content without white space around it, and empties the paragraph.
  mutating func take() -> [StoryInline] {
    trim()
    while endsWithBreak { inlines.removeLast() }
    defer { inlines = [] }
    return inlines
  }

  private static let space = UInt8(ascii: " ")

  private var startsWord: Bool {
    switch inlines.last {
    case .text(let run): run.text.utf8.last == Self.space
    case .image: false
    case .lineBreak, nil: true
    }
  }

  private mutating func append(raw text: String, marks: StoryMarks, link: String?) {
    guard !text.isEmpty else { return }
    if case .text(var run)? = inlines.last, run.marks == marks, run.link == link {
      // Taken out first: a string with two owners would be copied each time.
      inlines.removeLast()
      run.text += text
      inlines.append(.text(run))
    } else {
      inlines.append(.text(StoryRun(text, marks: marks, link: link)))
    }
  }

  private mutating func trim() {
    while case .text(var run)? = inlines.last, run.text.utf8.last == Self.space {
      inlines.removeLast()
      run.text.removeLast()
      if !run.text.isEmpty { inlines.append(.text(run)) }
    }
  }

  /// Returns a safe line that may have a space at either end.
  ///
  /// A line break between East Asian characters is none, also where one is in the text before.
  private mutating func collapsed(_ text: String) -> String {
    let before = startsWord && !isBroken ? Self.other : last
    let line = SafeText.line("\(before)\(isBroken ? "\n" : "")\(text)\(Self.other)").unicodeScalars
      .dropFirst().dropLast()
    if let end = line.last(where: { $0 != " " }) { last = end.isEastAsian ? end : Self.other }
    isBroken = text.reversed().prefix(while: \.isWhitespace).last?.isNewline ?? false
    return String(line)
  }

  private static let other: Unicode.Scalar = "x"
}
