/// Writes a start tag anew whose attributes XML does not allow: with quotes, of two attributes of a
/// name the first, and without what is no name.
struct TagRepair {
  private let bytes: UnsafeRawBufferPointer
  private var reader: AttributeReader
  private var names: Set<[UInt8]> = []
  private var hasDropped = false
  private(set) var output: [UInt8]

  /// - Parameters:
  ///   - bytes: The whole tag from `<`, without its `>` (if it has one).
  ///   - nameEnd: Behind the element's name.
  init(_ bytes: UnsafeRawBufferPointer, nameEnd: Int) {
    self.bytes = bytes
    reader = AttributeReader(bytes, nameEnd: nameEnd)
    output = Array(bytes[..<nameEnd])
  }

  /// Whether more was wrong than the values' text.
  var isMalformed: Bool { hasDropped || reader.isMalformed }

  /// Writes the attributes; answers whether the tag is that of an empty element.
  mutating func run(
    writeValue: (UnsafeRawBufferPointer, inout [UInt8]) throws(FeedParsingError) -> Void
  ) throws(FeedParsingError) -> Bool {
    while let attribute = reader.next() {
      let name = UnsafeRawBufferPointer(rebasing: bytes[attribute.name])
      guard XMLNameScan.isName(name), names.insert(Array(name)).inserted else {
        hasDropped = true
        continue
      }
      guard names.count <= StartTag.maximumAttributes else {
        throw .limitExceeded(name: "attributes of an element", limit: StartTag.maximumAttributes)
      }
      output.append(UInt8(ascii: " "))
      output.append(contentsOf: name)
      output.append(contentsOf: "=\"".utf8)
      try writeValue(UnsafeRawBufferPointer(rebasing: bytes[attribute.value]), &output)
      output.append(UInt8(ascii: "\""))
    }
    let isEmpty = bytes.last == UInt8(ascii: "/") && !reader.endsInValue
    output.append(contentsOf: isEmpty ? "/>".utf8 : ">".utf8)
    return isEmpty
  }
}
