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

  /// The value in a list of either form.
  package static func value(
    _ bytes: PropertyListBytes
  ) throws(PropertyListError)
    -> PropertyListValue
  {
    let reader = try reader(bytes)
    return try reader.value(reader.root)
  }

  /// What becomes of strings that a list has more than once.
  package enum RepeatedStrings {
    /// Stored once, and referred to.
    case shared
    /// Stored each time. A reader refuses a list that would expand to many times its size, which
    /// one may do that repeats what came from outside.
    case repeated
  }

  /// A value as a binary property list.
  package static func encode(
    _ value: PropertyListValue,
    strings: RepeatedStrings = .shared,
  ) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    writer.sharesStrings = strings == .shared
    let root = writer.add(value)
    return writer.bytes(root: root)
  }
}
