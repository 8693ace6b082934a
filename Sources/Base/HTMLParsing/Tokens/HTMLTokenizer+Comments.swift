import System

// MARK: - Comments and document types

extension HTMLTokenizer {
  mutating func declaration() -> Token {
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

  mutating func bogusComment(from start: Int) -> Token {
    let less: UInt8 = isCautious ? 0x3C : 0x3E
    let end = ByteScan.first(of: (less, 0x3E, 0x3E), in: bytes, from: start)
    isUnended = byte(at: end) != 0x3E
    position = isUnended ? end : end + 1
    return .comment(start..<end)
  }

  /// Reads up to `-->` or `--!>`; `<!-->` and `<!--->` are whole.
  mutating func comment() -> Token {
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
  var name: Range<Int>?
  private(set) var publicID: Range<Int>?
  private(set) var systemID: Range<Int>?
  private(set) var isCorrect = true
  var end: Int

  init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    end = start
    isCorrect = read(bytes)
    end = ByteScan.first(0x3E, in: bytes, from: end).map { $0 + 1 } ?? bytes.count
  }

  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
