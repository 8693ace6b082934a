import System

/// The tokenizer of HTML (HTML §13.2.5).
///
/// Tokens are ranges of the bytes, none of which is copied. The time is linear: nothing is searched
/// for twice.
struct HTMLTokenizer {
  enum Token: Hashable {
    case text(Range<Int>)
    case reference(HTMLReference)
    case startTag
    case endTag
    /// A comment, or markup that is taken for one: `<?php ?>`, `</ x>`, `<![endif]>`.
    case comment(Range<Int>)
    case nothing
    case doctype(HTMLDoctype)
    case end
  }

  struct Attribute: Hashable {
    var name: Range<Int>
    var value: Range<Int>
  }

  enum Content: Hashable {
    case markup
    case escapableText
    case rawText
    case script
    case plainText
    case section
  }

  let bytes: UnsafeRawBufferPointer
  var position = 0
  /// True where `<![CDATA[` begins text, as in foreign elements; else it begins a comment.
  var hasSections = false
  /// True for text that may be no HTML: a `<` in a tag, outside quoted values, ends it, and a tag
  /// without an end is returned all the same.
  var isCautious = false
  var isUnended = false
  var name = 0..<0
  /// The attributes of the last tag, in its order; of some with one name the first counts.
  private(set) var attributes: [Attribute] = []
  private(set) var isSelfClosing = false
  /// True after a comment without an end, so that no other end is searched for.
  var lacksCommentEnd = false
  private var content = Content.markup
  private var rawName: [UInt8] = []
  private var rawEnd = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func enter(_ content: Content, until name: some Sequence<UInt8> = EmptyCollection()) {
    self.content = content
    rawName = name.map(\.asciiLowercased)
    switch content {
    case .markup: break
    case .escapableText, .rawText:
      rawEnd = endTag(of: rawName, in: position..<bytes.count) ?? bytes.count
    case .script: rawEnd = endOfScript(from: position)
    case .plainText: rawEnd = bytes.count
    case .section: rawEnd = ByteScan.first("]]>", in: bytes, from: position) ?? bytes.count
    }
  }

  @inline(__always)
  mutating func next() -> Token {
    guard content == .markup else { return nextRaw() }
    guard position < bytes.count else { return .end }
    let start = position
    switch bytes[start] {
    case UInt8(ascii: "<"): return markup()
    case UInt8(ascii: "&"): return reference()
    default:
      position = ByteScan.first(of: (0x3C, 0x26, 0x26), in: bytes, from: start)
      return .text(start..<position)
    }
  }

  mutating func nextRaw() -> Token {
    let start = position
    guard start < rawEnd else { return endOfRaw() }
    switch bytes[start] {
    case 0 where content != .section:
      position += 1
      return .reference(.replacement)
    case UInt8(ascii: "&") where content == .escapableText: return reference()
    default:
      let ampersand: UInt8 = content == .escapableText ? 0x26 : 0
      position = ByteScan.first(of: (0, ampersand, 0), in: bytes, from: start + 1, to: rawEnd)
      return .text(start..<position)
    }
  }

  private mutating func endOfRaw() -> Token {
    let isSection = content == .section
    content = .markup
    if isSection { position = min(rawEnd + 3, bytes.count) }
    return next()
  }

  private mutating func reference() -> Token {
    let start = position
    guard let (reference, length) = HTMLReference.read(bytes, at: start) else {
      position += 1
      return .text(start..<position)
    }
    position += length
    return .reference(reference)
  }

  private mutating func markup() -> Token {
    let start = position
    switch byte(at: start + 1) {
    case let letter? where letter.isASCIILetter: return tag(.startTag, at: start + 1)
    case UInt8(ascii: "!"): return declaration()
    case UInt8(ascii: "?"): return bogusComment(from: start + 1)
    case UInt8(ascii: "/"):
      guard let next = byte(at: start + 2) else { break }
      if next.isASCIILetter { return tag(.endTag, at: start + 2) }
      guard next == UInt8(ascii: ">") else { return bogusComment(from: start + 2) }
      position += 3
      return .nothing
    default: break
    }
    position = start + 1 + (byte(at: start + 1) == UInt8(ascii: "/") ? 1 : 0)
    return .text(start..<position)
  }

  func byte(at index: Int) -> UInt8? {
    index < bytes.count ? bytes[index] : nil
  }
}

// MARK: - Tags

extension HTMLTokenizer {
  private mutating func tag(_ token: Token, at start: Int) -> Token {
    position = start
    skip { !$0.isHTMLSpace && $0 != 0x2F && $0 != 0x3E }
    name = start..<position
    attributes.removeAll(keepingCapacity: true)
    (isSelfClosing, isUnended) = (false, false)
    while let byte = byte(at: position) {
      if isCautious, byte == UInt8(ascii: "<") { break }
      position += 1
      if byte == UInt8(ascii: ">") { return token }
      if byte == UInt8(ascii: "/") {
        isSelfClosing = self.byte(at: position) == UInt8(ascii: ">")
      } else if !byte.isHTMLSpace {
        readAttribute(from: position - 1)
      }
    }
    isUnended = true
    return isCautious ? token : .end
  }

  private mutating func readAttribute(from start: Int) {
    skip { !$0.isHTMLSpace && $0 != 0x2F && $0 != 0x3E && $0 != 0x3D }
    let name = start..<position
    skip(while: \.isHTMLSpace)
    guard byte(at: position) == UInt8(ascii: "=") else {
      return attributes.append(Attribute(name: name, value: 0..<0))
    }
    position += 1
    skip(while: \.isHTMLSpace)
    let first = byte(at: position)
    var value = position..<position
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      value = quoted(first ?? 0)
    } else {
      skip { !$0.isHTMLSpace && $0 != 0x3E }
      value = value.lowerBound..<position
    }
    attributes.append(Attribute(name: name, value: value))
  }

  private mutating func quoted(_ quote: UInt8) -> Range<Int> {
    let start = position + 1
    if let end = ByteScan.first(quote, in: bytes, from: start) {
      position = end + 1
      return start..<end
    }
    // A quotation mark without a second one is none.
    position = bytes.count
    if isCautious { position = ByteScan.first(of: (0x3C, 0x3E, 0x3E), in: bytes, from: start) }
    return start..<position
  }

  @inline(__always)
  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]),
      !isCautious || bytes[position] != UInt8(ascii: "<")
    {
      position &+= 1
    }
  }

  private func isTag(_ name: some Sequence<UInt8>, at start: Int) -> Bool {
    var index = start
    for byte in name {
      guard index < bytes.count, bytes[index].asciiLowercased == byte.asciiLowercased
      else { return false }
      index += 1
    }
    guard index > start, let next = byte(at: index) else { return index > start && isCautious }
    return next.isHTMLSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
  }

  func endTag(of name: some Sequence<UInt8>, in range: Range<Int>) -> Int? {
    var start = range.lowerBound
    while let less = ByteScan.first(0x3C, in: bytes, from: start), less < range.upperBound {
      if byte(at: less + 1) == 0x2F, isTag(name, at: less + 2) { return less }
      start = less + 1
    }
    return nil
  }

  /// True of the last tag where no end tag of its name follows in the next 4 KiB.
  var isLone: Bool {
    endTag(of: bytes[name], in: position..<min(bytes.count, position + 4096)) == nil
  }

  /// Skips the end tags of scripts in a comment, which do not end the script (HTML §13.2.5.18 to
  /// 32).
  private func endOfScript(from start: Int) -> Int {
    var (isEscaped, isTwice) = (false, false)
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "-") {
        if isEscaped, bytes.hasASCII("-->", at: index) { (isEscaped, isTwice) = (false, false) }
      } else if bytes[index] == UInt8(ascii: "<") {
        if byte(at: index + 1) == 0x2F, isTag(rawName, at: index + 2) {
          guard isTwice else { return index }
          isTwice = false
        } else if !isEscaped, bytes.hasASCII("<!--", at: index) {
          isEscaped = true
          index += 1
        } else if isEscaped, isTag("script".utf8, at: index + 1) {
          isTwice = true
        }
      }
      index += 1
    }
    return bytes.count
  }
}

// MARK: - Values

extension HTMLTokenizer {
  func value(of name: StaticString) -> Slice<UnsafeRawBufferPointer>? {
    attributes.first {
      $0.name.count == name.utf8CodeUnitCount && bytes.hasASCII(name, at: $0.name.lowerBound)
    }.map { bytes[$0.value] }
  }

  func decodedValue(of name: StaticString) -> String? {
    value(of: name).map { HTMLReference.decoded(UnsafeRawBufferPointer(rebasing: $0)) }
  }
}
