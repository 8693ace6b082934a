// What stands before the root element. Nothing of it is handed on but its line feeds.
extension MarkupRepair {
  mutating func readProlog(_ cursor: inout MarkupCursor) throws(FeedParsingError) -> Bool {
    let text = cursor.rest.prefix { $0 != UInt8(ascii: "<") }
    if !text.isEmpty {
      pass(&cursor, text)
      return true
    }
    let rest = cursor.rest
    guard rest.count > 1 || cursor.isLast else { return false }
    switch rest.dropFirst().first {
    case UInt8(ascii: "?"): return readPrologInstruction(&cursor)
    case UInt8(ascii: "!"): return try readPrologDeclaration(&cursor)
    default: return readFirstElement(&cursor)
    }
  }

  /// Drops white space and junk.
  private mutating func pass(_ cursor: inout MarkupCursor, _ text: some Collection<UInt8>) {
    let isJunk = text.contains { $0 > 0x20 && !Self.markBytes.contains($0) }
    if isJunk { addJunk() }
    if !text.isEmpty { prolog.hasBegun = true }
    prolog.count(text)
    dropKeepingLines(&cursor, to: cursor.position + text.count)
  }

  /// A byte order mark in the middle of joined files.
  private static let markBytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  mutating func addJunk() {
    if !prolog.hasJunk { findings.add(.leadingJunk) }
    prolog.hasJunk = true
  }

  private mutating func readPrologInstruction(_ cursor: inout MarkupCursor) -> Bool {
    let rest = cursor.rest
    guard rest.count > 5 || cursor.isLast else { return false }
    let isDeclaration = rest.hasASCII("<?xml", at: 0) && rest.count > 5 && rest[5].isMarkupSpace
    if isDeclaration {
      if prolog.hasBegun, !prolog.hasJunk { findings.add(.secondDeclaration) }
      prolog.hasMarkup = true
    }
    prolog.hasBegun = true
    drop(&cursor, to: cursor.position + 2)
    stage = .instruction(inProlog: true, end: isDeclaration ? .greaterThan : .questionMark)
    return true
  }

  private mutating func readPrologDeclaration(
    _ cursor: inout MarkupCursor
  ) throws(FeedParsingError) -> Bool {
    let rest = cursor.rest
    guard rest.count >= 9 || cursor.isLast else { return false }
    prolog.hasBegun = true
    if rest.hasASCII("<!--", at: 0) {
      drop(&cursor, to: cursor.position + 4)
      stage = .comment(inProlog: true)
      return true
    }
    guard rest.hasASCII("<!DOCTYPE", at: 0) else {
      pass(&cursor, rest.prefix(2))
      addJunk()
      return true
    }
    return try readDocumentType(&cursor)
  }

  private mutating func readDocumentType(
    _ cursor: inout MarkupCursor
  ) throws(FeedParsingError) -> Bool {
    prolog.hasMarkup = true
    var reader = DocumentTypeReader(cursor.rest)
    guard let length = try reader.read() else {
      guard cursor.rest.count <= DocumentTypeReader.maximumLength else {
        throw .limitExceeded(
          name: "bytes of the document type",
          limit: DocumentTypeReader.maximumLength,
        )
      }
      if cursor.isLast { drop(&cursor, to: cursor.bytes.count) }
      return cursor.isLast
    }
    entities = reader.entities
    prolog.count(cursor.rest.prefix(length))
    dropKeepingLines(&cursor, to: cursor.position + length)
    return true
  }

  /// Decides what the first element begins.
  private mutating func readFirstElement(_ cursor: inout MarkupCursor) -> Bool {
    let rest = cursor.rest
    switch XMLNameScan.scan(rest, from: 1) {
    case .incomplete where !cursor.isLast && rest.count <= XMLNameScan.maximumLength: return false
    case .end(let end) where end > 1 && end <= XMLNameScan.maximumLength:
      return readFirstElement(&cursor, name: rest[1..<end])
    default:
      pass(&cursor, rest.prefix(1))
      addJunk()
      return true
    }
  }

  private mutating func readFirstElement(
    _ cursor: inout MarkupCursor,
    name: Slice<UnsafeRawBufferPointer>,
  ) -> Bool {
    prolog.hasMarkup = true
    let local = name.split(separator: UInt8(ascii: ":")).last ?? name
    switch Prolog.beginning(String(decoding: local, as: UTF8.self).lowercased()) {
    case .root:
      stage = .content
    case .page:
      stage = .page
    case .fragment:
      let window = UnsafeRawBufferPointer(rebasing: cursor.rest.prefix(Prolog.lookahead))
      if let start = Prolog.feedStart(in: window) {
        addJunk()
        prolog.hasBegun = true
        prolog.count(window[..<start])
        dropKeepingLines(&cursor, to: cursor.position + start)
      } else if window.count == Prolog.lookahead || cursor.isLast {
        stage = .page
      } else {
        return false
      }
    }
    return true
  }
}
