/// What stands behind the root element.
struct Epilog {
  private var first: [UInt8] = []
  private(set) var hasContent = false

  /// Looks at bytes behind the root; true when they turn out to be more than remarks.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !hasContent, first.count < 2 else { return false }
    for byte in bytes where first.count < 2 {
      if !first.isEmpty || byte > 0x20 { first.append(byte) }
    }
    guard let start = first.first else { return false }
    let isRemark =
      start == UInt8(ascii: "<")
      && (first.count == 1 || first[1] == UInt8(ascii: "!") || first[1] == UInt8(ascii: "?"))
    hasContent = !isRemark
    return hasContent
  }
}

extension MarkupRepair {
  /// Nothing behind the root element belongs to the document.
  mutating func readEpilog(_ cursor: inout MarkupCursor) -> Bool {
    if epilog.take(cursor.rest) { findings.add(.trailingContent) }
    drop(&cursor, to: cursor.bytes.count)
    return true
  }

  mutating func readPage(_ cursor: inout MarkupCursor) -> Bool {
    page.take(cursor.rest)
    drop(&cursor, to: cursor.bytes.count)
    return true
  }
}
