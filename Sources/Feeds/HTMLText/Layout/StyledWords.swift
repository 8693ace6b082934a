internal import CommandLine
internal import FeedModel
internal import HTMLParsing
internal import System

struct StyledWords {
  private(set) var lines: [[StyledWord]] = [[]]
  private let signs: StorySigns
  private let links: StoryLinks
  private let style: TextStyle
  private var word = StyledWord()
  private var last: Character?

  init(_ inlines: [StoryInline], _ signs: StorySigns, _ links: StoryLinks, style: TextStyle = []) {
    self.signs = signs
    self.links = links
    self.style = style
    let inlines = inlines.inLine(isUnicode: signs.isUnicode)
    for (index, inline) in inlines.enumerated() {
      let next = index + 1 < inlines.count ? inlines[index + 1] : nil
      switch inline {
      case .text(let run):
        add(signs.text(run), signs.style(run).union(style), run.link)
        if let link = run.link, next?.link != link { addNumber(of: link) }
      case .image(let image):
        add(image)
        if let link = image.link, link != image.url, next?.link != link { addNumber(of: link) }
      case .lineBreak:
        endWord()
        lines.append([])
      }
    }
    endWord()
  }

  func wrapped(to columns: Int) -> [StyledLine] {
    lines.flatMap { $0.isEmpty ? [StyledLine()] : StyledWord.wrap($0, to: columns) }
  }

  private mutating func add(_ image: StoryImage) {
    if !word.spans.isEmpty { breakWord(hasSpace: true) }
    add(links.label(of: image), style.union(.dim), image.link ?? image.url)
    breakWord(hasSpace: true)
  }

  /// Adds a number on the line of the link's last word.
  private mutating func addNumber(of link: String) {
    guard let number = links.number(of: link) else { return }
    if word.spans.isEmpty, let previous = lines[lines.count - 1].popLast() {
      let hasSpace = word.hasSpace
      word = previous
      append(" [\(number)]", style.union(.dim), nil)
      if hasSpace { breakWord(hasSpace: true) }
    } else {
      append(" [\(number)]", style.union(.dim), nil)
    }
  }

  private mutating func add(_ text: String, _ style: TextStyle, _ link: String?) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      var isFirst = true
      for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
        if !isFirst { breakWord(hasSpace: true) }
        isFirst = false
        if !piece.isEmpty { append(String(piece), style, link) }
      }
    } else {
      for character in text {
        if character == " " {
          breakWord(hasSpace: true)
        } else {
          if LineBreaking.isAllowed(between: last, character) { breakWord(hasSpace: false) }
          append(String(character), style, link)
        }
      }
    }
  }

  private mutating func append(_ text: String, _ style: TextStyle, _ link: String?) {
    if let span = word.spans.last, span.style == style, span.link == link {
      word.spans[word.spans.count - 1].text += text
    } else {
      word.spans.append(StyledSpan(text: text, style: style, link: link))
    }
    word.width += TerminalText.width(text, .apart)
    last = text.last
  }

  private mutating func breakWord(hasSpace: Bool) {
    endWord()
    word.hasSpace = word.hasSpace || hasSpace
    last = nil
  }

  private mutating func endWord() {
    guard !word.spans.isEmpty else { return }
    lines[lines.count - 1].append(word)
    word = StyledWord()
  }
}

/// Finds places where a line may be broken without a space: between the signs of Chinese and
/// Japanese.
private enum LineBreaking {
  static func isAllowed(between last: Character?, _ next: Character) -> Bool {
    guard let last else { return false }
    return (isIdeographic(last) || isIdeographic(next)) && !closing.contains(next)
      && !opening.contains(last)
  }

  private static let closing = Set("、。，．・：；？！）」』】〕〉》〗〙”’…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ%!?,.:;)]}")
  private static let opening = Set("（「『【〔〈《〖〘“‘([{")

  private static func isIdeographic(_ character: Character) -> Bool {
    character.unicodeScalars.first?.isEastAsian ?? false
  }
}
