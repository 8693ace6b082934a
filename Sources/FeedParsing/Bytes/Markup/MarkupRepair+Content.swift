// Attribute values, comments and processing instructions.
extension MarkupRepair {
  /// Appends the text that a reference means; answers how many bytes it took.
  mutating func decode(
    _ reference: MarkupReference,
    into output: inout [UInt8],
  ) throws(FeedParsingError) -> Int {
    switch reference {
    case .incomplete: return 0
    case .legal(let point, let length):
      output.append(codePoint: point)
      return length
    case .bare(let finding):
      findings.add(finding)
      output.append(UInt8(ascii: "&"))
      return 1
    case .character(let point, let length, let finding):
      findings.add(finding)
      output.append(codePoint: point)
      return length
    case .html(let text, let length):
      findings.add(.undeclaredEntity)
      output.append(contentsOf: text)
      return length
    case .declared(let text, let length):
      try entities.countExpansion(of: text)
      output.append(contentsOf: text)
      return length
    case .forbidden(let length):
      findings.add(.illegalReference)
      return length
    }
  }

  /// Writes a value of an attribute without what is not allowed in it.
  mutating func writeValue(
    _ value: UnsafeRawBufferPointer,
    into output: inout [UInt8],
  ) throws(FeedParsingError) {
    var position = 0
    while position < value.count {
      let end = ByteScan.firstInValue(value, from: position, quote: UInt8(ascii: "\""))
      output.append(contentsOf: value[position..<end])
      guard end < value.count else { return }
      position = end + (try writeSpecial(value, at: end, into: &output))
    }
  }

  private mutating func writeSpecial(
    _ value: UnsafeRawBufferPointer,
    at position: Int,
    into output: inout [UInt8],
  ) throws(FeedParsingError) -> Int {
    switch value[position] {
    case UInt8(ascii: "<"):
      findings.add(.bareLessThan)
      output.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
    default:
      let read = MarkupReference.read(value, at: position, isLast: true, declared: entities)
      guard case .legal(_, let length) = read else {
        var text: [UInt8] = []
        let length = try decode(read, into: &text)
        output.append(contentsOf: Self.escaped(text))
        return length
      }
      output.append(contentsOf: value[position..<position + length])
      return length
    }
    return 1
  }

  /// The text of one reference is a few bytes, and hardly ever has anything to escape.
  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    text.flatMap { escapes[$0] ?? [$0] }
  }

  private static let escapes: [UInt8: [UInt8]] = [
    UInt8(ascii: "<"): Array("&lt;".utf8), UInt8(ascii: "&"): Array("&amp;".utf8),
    UInt8(ascii: ">"): Array("&gt;".utf8), UInt8(ascii: "\""): Array("&quot;".utf8),
    UInt8(ascii: "'"): Array("&#39;".utf8),
  ]

  mutating func readComment(_ cursor: inout MarkupCursor, inProlog: Bool) -> Bool {
    swallow(&cursor, until: "-->") { repair in
      if !inProlog { repair.writer.append("-->") }
      repair.stage = inProlog ? .prolog : .content
    }
  }

  mutating func readInstruction(
    _ cursor: inout MarkupCursor,
    inProlog: Bool,
    end: InstructionEnd,
  ) -> Bool {
    swallow(&cursor, until: end == .questionMark ? "?>" : ">") { repair in
      if !inProlog { repair.writer.append("-->") }
      repair.stage = inProlog ? .prolog : .content
    }
  }

  /// Drops everything but line feeds up to an end mark, and then does what is to be done.
  private mutating func swallow(
    _ cursor: inout MarkupCursor,
    until mark: StaticString,
    then finish: (inout MarkupRepair) -> Void,
  ) -> Bool {
    var position = cursor.position
    let first = mark.utf8Start[0]
    while let candidate = ByteScan.first(first, in: cursor.bytes, from: position) {
      if cursor.bytes.hasASCII(mark, at: candidate) {
        swallow(&cursor, to: candidate + mark.utf8CodeUnitCount)
        finish(&self)
        return true
      }
      position = candidate + 1
    }
    // The mark may have begun in the last bytes.
    let tail = cursor.isLast ? 0 : mark.utf8CodeUnitCount - 1
    swallow(&cursor, to: max(cursor.position, cursor.bytes.count - tail))
    return false
  }

  private mutating func swallow(_ cursor: inout MarkupCursor, to end: Int) {
    if stage.isInProlog { prolog.count(cursor.bytes[cursor.position..<end]) }
    dropKeepingLines(&cursor, to: end)
  }
}

extension MarkupRepair.Stage {
  /// Whether the root element is yet to come.
  var isInProlog: Bool {
    switch self {
    case .prolog, .comment(inProlog: true), .instruction(inProlog: true, _): true
    default: false
    }
  }
}
