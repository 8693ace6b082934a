import System

/// The words of a story's HTML, read without a tree.
///
/// It knows only elements that are shown as they stand, as nearly all stories have them and a
/// search meets them by the thousand. Everything else is left to `HTMLTree`.
package struct BodyLine {
  package private(set) var output: [UInt8] = []
  private var tokenizer: HTMLTokenizer

  package init(_ html: UnsafeRawBufferPointer) {
    tokenizer = HTMLTokenizer(html)
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
    let tag = HTMLTag.of(tokenizer.bytes[tokenizer.name])
    guard tag.isPlain, !isStart || !isTold(tag) else { return false }
    if tag == .img { addPicture() }
    if tag.separatesWords || tag == .hr { output.endWord() }
    return true
  }

  private mutating func addPicture() {
    func text(_ name: StaticString) -> String {
      let value = tokenizer.value(of: name).map { UnsafeRawBufferPointer(rebasing: $0) }
      return value.map { SafeText.line(HTMLReference.decoded($0)) } ?? ""
    }
    let line = PictureCaption.line(text("alt"), title: text("title"))
    if !line.isEmpty { output += " \(line) ".utf8 }
  }

  /// True where an attribute shows more, or less, than the element's text.
  private func isTold(_ tag: HTMLTag) -> Bool {
    tokenizer.hidesNumber
      || tokenizer.attributes.contains { attribute in
        let name = tokenizer.bytes[attribute.name].map(\.asciiLowercased)
        let value = tokenizer.bytes[attribute.value].map(\.asciiLowercased)
        if name.elementsEqual("hidden".utf8) { return true }
        if name.elementsEqual("role".utf8) { return value.elementsEqual("img".utf8) }
        if name.elementsEqual("style".utf8) {
          return ["none", "hidden", "pre"].contains { value.contains($0.utf8) }
        }
        switch tag {
        case .a: return name.elementsEqual("href".utf8) && value.first == UInt8(ascii: "#")
        case .img where name.elementsEqual("alt".utf8): return value.contains { $0 >= 0x80 }
        case .img where name.elementsEqual("class".utf8):
          return ["emoji", "smiley", "latex", "tex", "math"].contains { value.contains($0.utf8) }
        default: return false
        }
      }
  }
}

extension [UInt8] {
  /// Puts a space in the place of the white space at the end, where a line break may be no space.
  mutating func endWord(behind start: Int = 0) {
    while count > start, last?.isASCIISpace == true { removeLast() }
    append(UInt8(ascii: " "))
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
