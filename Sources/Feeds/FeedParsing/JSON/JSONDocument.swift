package struct JSONDocument {
  let bytes: UnsafeBufferPointer<UInt8>
  static let limits = ParsingLimits(maximumBytes: 32 << 20)

  /// - Parameter bytes: Memory that outlives the value.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes.bindMemory(to: UInt8.self)
  }

  /// Calls `body` with each element, its member's name and its position, as `JSONReader` does.
  ///
  /// Returns false where the end is missing, and nil where the document is something else.
  package func forEachElement(
    _ body: (_ member: String, _ start: Int, JSONValue) throws(FeedParsingError) -> Void
  ) throws(FeedParsingError) -> Bool? {
    var reader = JSONReader(bytes, limits: Self.limits)
    return try reader.forEachElement(body) ? reader.isComplete : nil
  }

  /// Calls `body` with each element of the array of that name.
  ///
  /// Returns the object's first 64 members, arrays without their elements, or nil where its end is
  /// missing, anything follows, or the document is no object.
  package func forEachElement(
    of name: String,
    _ body: (JSONValue) throws(FeedParsingError) -> Void,
  ) throws(FeedParsingError) -> JSONValue? {
    var reader = JSONReader(bytes, limits: Self.limits)
    var members: [JSONMember] = []
    func note(_ member: JSONMember) { members.append(member) }
    guard reader.peek() == UInt8(ascii: "{") else { return nil }
    let isRead = try reader.forEachElement(note: note) {
      (member, _, value) throws(FeedParsingError) in if member == name { try body(value) }
    }
    let isWhole = isRead && reader.isComplete && reader.isAtEnd
    return isWhole ? .object(members) : nil
  }

  /// Returns a document no longer than one story may be, or nil where its end is missing or
  /// anything follows.
  package func value() throws(FeedParsingError) -> JSONValue? {
    var reader = JSONReader(bytes, limits: Self.limits)
    let value = try reader.document()
    return reader.isComplete && reader.isAtEnd ? value : nil
  }

  package func element(at start: Int) throws(FeedParsingError) -> JSONValue {
    let end = min(bytes.count, start + Self.limits.maximumBytes)
    let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
    var reader = JSONReader(part, limits: Self.limits)
    return try reader.document() ?? .null
  }
}
