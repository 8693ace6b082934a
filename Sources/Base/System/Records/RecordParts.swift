extension RecordCoder {
  /// Codes an enumeration by the compiler's own conformance: the name of its case, then its values.
  ///
  /// A value is a line of text, a number from 0 up, a record, or an enumeration like this.
  package mutating func code<Value: Codable>(cases value: inout Value) {
    let parts = RecordParts(self)
    do {
      if isReading { value = try Value(from: parts) } else { try value.encode(to: parts) }
    } catch {
      parts.coder.fail()
    }
    self = parts.coder
  }
}

private struct NoRecordPart: Error {}

private final class RecordParts<Coder: RecordCoder>: Encoder, Decoder {
  var coder: Coder
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ coder: Coder) { self.coder = coder }

  /// Returns what the reader has, or the writer was given; nil for a type that has parts.
  func coded(_ value: Any) -> Any? {
    switch value {
    case var text as String:
      coder.code(&text, .line)
      return text
    case var number as Int:
      coder.code(&number, in: 0...Int.max)
      return number
    case var record as any RecordValue:
      record.code(with: &coder)
      return record
    default: return nil
    }
  }

  static func blank(_ type: Any.Type) -> Any {
    switch type {
    case is String.Type: ""
    case is Int.Type: 0
    case let type as any RecordValue.Type: type.blank
    default: type
    }
  }

  func container<Key>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordKeys(parts: self))
  }

  func container<Key>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordKeys(parts: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("has no keys") }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoRecordPart() }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    preconditionFailure("is no kind of part")
  }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoRecordPart() }
}

private struct RecordKeys<Coder: RecordCoder, Key: CodingKey>: KeyedEncodingContainerProtocol,
  KeyedDecodingContainerProtocol
{
  let parts: RecordParts<Coder>

  var codingPath: [any CodingKey] { [] }
  /// The case of an enumeration, which is read now.
  var allKeys: [Key] {
    var (name, key): ([UInt8], Key?) = ([], nil)
    parts.coder.code(&name) { bytes in
      key = Key(stringValue: String(decoding: bytes, as: UTF8.self))
      return key != nil
    }
    return [key].compactMap(\.self)
  }

  func contains(_: Key) -> Bool { true }
  func encodeNil(forKey _: Key) {}
  func decodeNil(forKey _: Key) -> Bool { false }

  func encode<Value: Encodable>(_ value: Value, forKey _: Key) throws {
    if parts.coded(value) == nil { try value.encode(to: parts) }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey _: Key) throws -> Value {
    try parts.coded(RecordParts<Coder>.blank(type)) as? Value ?? Value(from: parts)
  }

  // Without these two, those of the library would take the place of what follows.
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if parts.coder.code(flag: value != nil), let value { try encode(value, forKey: key) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    parts.coder.code(flag: false) ? try decode(type, forKey: key) : nil
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if parts.coder.code(flag: value != nil), let value { try encode(value, forKey: key) }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    parts.coder.code(flag: false) ? try decode(type, forKey: key) : nil
  }

  func nestedContainer<Inner>(
    keyedBy _: Inner.Type,
    forKey key: Key,
  ) -> KeyedEncodingContainer<Inner> {
    var name = Array(key.stringValue.utf8)
    parts.coder.code(&name) { _ in true }
    return parts.container(keyedBy: Inner.self)
  }

  func nestedContainer<Inner>(
    keyedBy _: Inner.Type,
    forKey _: Key,
  ) -> KeyedDecodingContainer<Inner> {
    parts.container(keyedBy: Inner.self)
  }

  func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedEncodingContainer {
    parts.unkeyedContainer()
  }

  func nestedUnkeyedContainer(forKey _: Key) throws -> any UnkeyedDecodingContainer {
    try parts.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { parts }
  func superEncoder(forKey _: Key) -> any Encoder { parts }
  func superDecoder() -> any Decoder { parts }
  func superDecoder(forKey _: Key) -> any Decoder { parts }
}
