internal import HTMLParsing

/// Writes an article as HTML with its structure, and without its looks.
struct ArticleWriter {
  private let facts: PageFacts
  private let isStripped: [Bool]
  private var html: [UInt8] = []
  private var open: [(end: Int, tag: [UInt8])] = []
  private var preformatted = 0
  private(set) var isFull = false
  static let maximumBytes = 1 << 20
  /// Room for the end tags of all elements that can be open.
  private static let reserve = 16_384

  private init(_ facts: PageFacts, _ isStripped: [Bool]) {
    (self.facts, self.isStripped) = (facts, isStripped)
  }

  static func html(_ facts: PageFacts, roots: [Int], except isStripped: [Bool]) -> [UInt8] {
    var writer = ArticleWriter(facts, isStripped)
    for root in roots { writer.write(root) }
    return writer.html
  }

  private mutating func write(_ root: Int) {
    var index = root
    while index < facts.tree.nodes[root].end, !isFull {
      close(before: index)
      if isStripped[index] {
        index = facts.tree.nodes[index].end
      } else {
        let node = facts.tree.nodes[index]
        if node.tag == .text {
          write(text: node, keepsLines: facts.keepsLines[index])
        } else {
          start(index, node)
        }
        index += 1
      }
    }
    close(before: Int.max)
  }

  private mutating func close(before index: Int) {
    while let last = open.last, last.end <= index {
      html += Array("</".utf8) + last.tag + Array(">".utf8)
      if last.tag.elementsEqual("pre".utf8) { preformatted -= 1 }
      open.removeLast()
    }
  }

  private mutating func start(_ index: Int, _ node: PageTree.Node) {
    guard let tag = tag(index, node) else { return }
    var text = Array("<\(tag)".utf8)
    for attribute in facts.tree.attributes[node.content] where Self.isHarmless(attribute) {
      text += Array(" \(attribute.name)=\"".utf8)
      text += Self.escaped(attribute.value.utf8) + Array("\"".utf8)
    }
    text += Array(">".utf8)
    guard html.count + text.count <= Self.maximumBytes - Self.reserve else {
      isFull = true
      return
    }
    html += text
    if !Self.isVoid(node.tag) { open.append((node.end, Array(tag.utf8))) }
    if node.tag == .pre { preformatted += 1 }
  }

  private func tag(_ index: Int, _ node: PageTree.Node) -> String? {
    switch node.tag {
    case .text, .document, .html, .body, .col, .colgroup, .input: nil
    case .span, .font, .other, .label, .center, .form, .fieldset, .main, .section, .article,
      .header,
      .footer, .nav, .aside, .address:
      facts.isBlock[index] ? "div" : nil
    case .table, .caption, .thead, .tbody, .tfoot, .tr, .th, .td:
      isLayout(index, node) ? "div" : node.tag.rawValue
    default: node.tag.rawValue
    }
  }

  private func isLayout(_ index: Int, _ node: PageTree.Node) -> Bool {
    !facts.isInDataTable[index] && facts.isLayoutTable[index]
  }

  private static func isVoid(_ tag: PageTag) -> Bool {
    tag == .img || tag == .br || tag == .hr || tag == .source
  }

  private static func isHarmless(_ attribute: PageTree.Attribute) -> Bool {
    let start = attribute.value.prefix(32).lowercased().filter { $0 > " " }
    return !start.hasPrefix("javascript:") && !start.hasPrefix("vbscript:")
  }

  private mutating func write(text node: PageTree.Node, keepsLines: Bool) {
    var text = Self.escaped(facts.tree.text[node.content])
    if preformatted == 0 {
      text =
        keepsLines
        ? Array(
          text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            Self.collapsed(Array($0))
          }.joined(separator: Array("<br>".utf8))
        )
        : Self.collapsed(text)
    }
    let room = Self.maximumBytes - Self.reserve - html.count
    if text.count > room {
      isFull = true
      text = Array(text.prefix(Self.boundary(text, max(room, 0))))
    }
    html += text
  }

  private static func boundary(_ text: [UInt8], _ limit: Int) -> Int {
    var end = limit
    while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    let start = text[..<end].suffix(6).lastIndex(of: UInt8(ascii: "&"))
    if let start, !text[start..<end].contains(UInt8(ascii: ";")) { end = start }
    return end
  }

  private static func collapsed(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text where byte > 0x20 || result.last ?? 0x21 > 0x20 {
      // A line break between East Asian characters is no space.
      let isBreak = byte == 0x0A && result.last ?? 0 >= 0x80
      result.append(byte > 0x20 || isBreak ? byte : 0x20)
    }
    return result
  }

  private static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    Array(text).withUnsafeBufferPointer { MarkupEscape.append($0, to: &result) }
    return result
  }
}
