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
  private(set) var isUnended = false
  private(set) var name = 0..<0
  /// The attributes of the last tag, in its order; of some with one name the first counts.
  private(set) var attributes: [Attribute] = []
  private(set) var isSelfClosing = false
  /// True after a comment without an end, so that no other end is searched for.
  private var lacksCommentEnd = false
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

  private mutating func nextRaw() -> Token {
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

  private func byte(at index: Int) -> UInt8? {
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

// MARK: - Comments and document types

extension HTMLTokenizer {
  private mutating func declaration() -> Token {
    if bytes.hasASCII("<!--", at: position) { return comment() }
    if !isCautious, bytes.hasASCII("<!doctype", at: position) {
      let type = HTMLDoctype(bytes, at: position + 9)
      position = type.end
      return .doctype(type)
    }
    guard hasSections, bytes[position...].starts(with: "<![CDATA[".utf8) else {
      return bogusComment(from: position + 2)
    }
    position += 9
    enter(.section)
    return nextRaw()
  }

  private mutating func bogusComment(from start: Int) -> Token {
    let less: UInt8 = isCautious ? 0x3C : 0x3E
    let end = ByteScan.first(of: (less, 0x3E, 0x3E), in: bytes, from: start)
    isUnended = byte(at: end) != 0x3E
    position = isUnended ? end : end + 1
    return .comment(start..<end)
  }

  /// Reads up to `-->` or `--!>`; `<!-->` and `<!--->` are whole.
  private mutating func comment() -> Token {
    let start = position + 4
    isUnended = false
    for mark: StaticString in [">", "->"] where bytes.hasASCII(mark, at: start) {
      position = start + mark.utf8CodeUnitCount
      return .comment(start..<start)
    }
    var search = lacksCommentEnd ? bytes.count : start
    while let end = ByteScan.first(0x3E, in: bytes, from: search) {
      position = end + 1
      for mark: StaticString in ["-->", "--!>"] {
        let length = mark.utf8CodeUnitCount
        if position - length >= start, bytes.hasASCII(mark, at: position - length) {
          return .comment(start..<position - length)
        }
      }
      search = position
    }
    (position, isUnended, lacksCommentEnd) = (bytes.count, true, true)
    for mark: StaticString in ["--!", "--", "-"] {
      let end = position - mark.utf8CodeUnitCount
      if end >= start, bytes.hasASCII(mark, at: end) { return .comment(start..<end) }
    }
    return .comment(start..<position)
  }
}

/// A document type (HTML §13.2.5.53 to 68).
struct HTMLDoctype: Hashable {
  private(set) var name: Range<Int>?
  private(set) var publicID: Range<Int>?
  private(set) var systemID: Range<Int>?
  private(set) var isCorrect = true
  private(set) var end: Int

  init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    end = start
    isCorrect = read(bytes)
    end = ByteScan.first(0x3E, in: bytes, from: end).map { $0 + 1 } ?? bytes.count
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    skipSpace(bytes)
    let start = end
    while end < bytes.count, !bytes[end].isHTMLSpace, bytes[end] != 0x3E { end += 1 }
    guard end > start else { return false }
    name = start..<end
    skipSpace(bytes)
    if isAtEnd(bytes) { return true }
    let isPublic = bytes.hasASCII("public", at: end)
    guard isPublic || bytes.hasASCII("system", at: end) else { return false }
    end += 6
    if isPublic {
      let (identifier, isWhole) = readIdentifier(bytes)
      publicID = identifier
      guard isWhole else { return false }
      skipSpace(bytes)
      if isAtEnd(bytes) { return true }
    }
    let (identifier, isWhole) = readIdentifier(bytes)
    systemID = identifier
    skipSpace(bytes)
    return isWhole && end < bytes.count
  }

  private func isAtEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
    end < bytes.count && bytes[end] == 0x3E
  }

  private mutating func skipSpace(_ bytes: UnsafeRawBufferPointer) {
    while end < bytes.count, bytes[end].isHTMLSpace { end += 1 }
  }

  private mutating func readIdentifier(
    _ bytes: UnsafeRawBufferPointer
  ) -> (identifier: Range<Int>?, isWhole: Bool) {
    skipSpace(bytes)
    guard end < bytes.count, bytes[end] == 0x22 || bytes[end] == 0x27 else { return (nil, false) }
    let quote = bytes[end]
    end += 1
    let start = end
    while end < bytes.count, bytes[end] != quote, bytes[end] != 0x3E { end += 1 }
    let isWhole = end < bytes.count && bytes[end] == quote
    defer { if isWhole { end += 1 } }
    return (start..<end, isWhole)
  }
}

extension UInt8 {
  @inline(__always)
  var isHTMLSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
  }
}
