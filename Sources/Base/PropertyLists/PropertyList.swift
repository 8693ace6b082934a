package enum PropertyList {
  /// Returns a reader of a binary list, or of an XML one, which is first turned into a binary one
  /// in memory.
  package static func reader(
    _ bytes: PropertyListBytes
  ) throws -> BinaryPropertyListReader {
    guard !bytes.buffer.isEmpty else { throw PropertyListError.empty }
    guard !BinaryPropertyListReader.isBinary(bytes.buffer) else {
      return try BinaryPropertyListReader(bytes)
    }
    guard XMLPropertyListReader.isXML(bytes.buffer) else { throw PropertyListError.unrecognized }
    let binary = encode(try XMLPropertyListReader.value(bytes.buffer))
    return try BinaryPropertyListReader(PropertyListBytes(binary))
  }

  package static func value(
    _ bytes: PropertyListBytes
  ) throws -> PropertyListValue {
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

package enum PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case unrecognized
  case truncated
  case damaged(String, offset: Int)
  case tooDeep(limit: Int)
  case tooLarge
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
