import System

/// The words of a story's HTML, read without a tree.
///
/// It knows only elements that are shown as they stand, as nearly all stories have them and a
/// search meets them by the thousand. Everything else is left to `HTMLTree`.
package struct BodyLine {
  package private(set) var output: [UInt8] = []
  private var tokenizer: HTMLTokenizer
  private let hasPictures: Bool

  package init(_ html: UnsafeRawBufferPointer, hasPictures: Bool) {
    tokenizer = HTMLTokenizer(html)
    self.hasPictures = hasPictures
    output.reserveCapacity(html.count)
  }

  package mutating func read() -> Bool {
    while true {
      let start = tokenizer.position
      switch tokenizer.next() {
      case .text(let range): output += tokenizer.bytes[range]
      case .reference(let reference): reference.append(to: &output)
      case .startTag: guard pass(isStart: true) else { return false }
      case .endTag: guard pass(isStart: false) else { return false }
      case .comment: guard !tokenizer.bytes.hasASCII("<![CDATA[", at: start) else { return false }
      case .nothing, .doctype: break
      case .end: return true
      }
    }
  }

  private mutating func pass(isStart: Bool) -> Bool {
    guard let tag = tokenizer.plainTag(isStart: isStart) else { return false }
    if tag == .img, hasPictures { addPicture() }
    if tag.separatesWords { output.endWord() }
    return true
  }

  private mutating func addPicture() {
    func text(_ name: StaticString) -> String {
      SafeText.line(tokenizer.decodedValue(of: name) ?? "")
    }
    let line = PictureCaption.line(text("alt"), title: text("title"))
    if !line.isEmpty { output += " \(line) ".utf8 }
  }
}

extension [UInt8] {
  /// Puts a space in the place of the white space at the end, where a line break may be no space.
  mutating func endWord(behind start: Int = 0) {
    while count > start, last?.isASCIISpace == true { removeLast() }
    append(UInt8(ascii: " "))
  }
}

extension HTMLTokenizer {
  /// Returns the element of the last tag if it is shown as it stands, and nil where an attribute
  /// shows more, or less, than its text.
  func plainTag(isStart: Bool) -> HTMLTag? {
    let tag = HTMLTag.of(bytes[name])
    guard tag.isPlain else { return nil }
    return isStart && attributes.contains { isTelling($0, of: tag) } ? nil : tag
  }

  // PERF: names are told apart by their lengths, and values are not copied: half of a summary's
  // tags have attributes.
  private func isTelling(_ attribute: Attribute, of tag: HTMLTag) -> Bool {
    func isNamed(_ name: StaticString) -> Bool {
      bytes.hasASCII(name, at: attribute.name.lowerBound)
    }
    let value = attribute.value
    switch attribute.name.count {
    case 3: return tag == .img && isNamed("alt") && bytes[value].contains { $0 >= 0x80 }
    case 4:
      if isNamed("role") { return bytes.hasASCII("img", at: value.lowerBound) }
      return tag == .a && isNamed("href") && bytes[value].first == UInt8(ascii: "#")
    case 5:
      if isNamed("style") { return has(["none", "hidden", "pre", "user-select"], value) }
      return tag == .img && isNamed("class")
        && has(["emoji", "smiley", "latex", "tex", "math"], value)
    case 6: return isNamed("hidden")
    case 11: return isNamed("aria-hidden")
    case 16: return isNamed("data-line-number")
    default: return false
    }
  }

  private func has(_ words: [StaticString], _ value: Range<Int>) -> Bool {
    value.contains { index in words.contains { bytes.hasASCII($0, at: index) } }
  }
}

extension HTMLTag {
  /// True of elements that only say how their text looks, or where it stands.
  fileprivate var isPlain: Bool {
    switch self {
    case .a, .article, .b, .big, .blockquote, .br, .center, .cite, .code, .dd, .del, .div, .dl, .dt,
      .em, .figcaption, .figure, .font, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .i, .img, .ins, .kbd,
      .li, .mark, .ol, .p, .pre, .s, .samp, .section, .small, .span, .strike, .strong, .time, .tt,
      .u, .ul, .var, .wbr:
      true
    default: false
    }
  }
}
