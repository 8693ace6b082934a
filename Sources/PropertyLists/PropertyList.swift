/// A property list as a whole, in either form.
package enum PropertyList {
  /// A reader of a binary list, or of an XML one that is turned into a binary one in memory.
  package static func reader(
    _ bytes: PropertyListBytes
  ) throws(PropertyListError)
    -> BinaryPropertyListReader
  {
    guard !bytes.buffer.isEmpty else { throw .empty }
    guard !BinaryPropertyListReader.isBinary(bytes.buffer) else {
      return try BinaryPropertyListReader(bytes)
    }
    guard XMLPropertyListReader.isXML(bytes.buffer) else { throw .unrecognized }
    let binary = encode(try XMLPropertyListReader.value(bytes.buffer))
    return try BinaryPropertyListReader(PropertyListBytes(binary))
  }

  package static func value(
    _ bytes: PropertyListBytes
  ) throws(PropertyListError)
    -> PropertyListValue
  {
    let reader = try reader(bytes)
    return try reader.value(reader.root)
  }

  package static func encode(_ value: PropertyListValue) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    writer.sharesStrings = false
    let root = writer.add(value)
    return writer.bytes(root: root)
  }
}

/// Why bytes are not a property list, or are refused.
package enum PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// Neither a binary nor an XML property list.
  case unrecognized
  case truncated
  /// What is wrong, and at which byte of the file.
  case damaged(String, offset: Int)
  case tooDeep(limit: Int)
  /// The file would expand to many times its size.
  case tooLarge
  /// Wrong XML, and in which line.
  case malformedXML(String, line: Int)

  package var description: String {
    switch self {
    case .empty: "the file is empty"
    case .unrecognized: "not a property list"
    case .truncated: "the property list is cut off"
    case .damaged(let reason, let offset):
      "the property list is damaged: \(reason) at byte \(offset)"
    case .tooDeep(let limit): "the property list is nested deeper than \(limit)"
    case .tooLarge: "the property list refers to its own parts so often that it is refused"
    case .malformedXML(let reason, let line):
      "the XML property list is damaged: line \(line): \(reason)"
    }
  }
}
