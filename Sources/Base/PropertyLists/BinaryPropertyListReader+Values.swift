package import System

/// The values of single objects; each is nil where the object is of another kind.
extension BinaryPropertyListReader {
  package func arrayCount(_ object: Int) throws -> Int? {
    let raw = try layout.object(object)
    return raw.kind == .array ? raw.count : nil
  }

  package func elements(_ object: Int) throws -> [Int]? {
    let raw = try layout.object(object)
    guard raw.kind == .array else { return nil }
    return (0..<raw.count).map { layout.reference(raw, $0) }
  }

  package func element(_ object: Int, at position: Int) throws -> Int? {
    let raw = try layout.object(object)
    guard raw.kind == .array, position >= 0, position < raw.count else { return nil }
    return layout.reference(raw, position)
  }

  package func willRead(_ object: Int) throws {
    bytes.willRead(at: try layout.offset(of: object))
  }

  /// Calls `body` with the key and the value of each of the first `limit` entries of a dictionary,
  /// as objects; returns false for another object.
  package func forEachEntry(
    _ object: Int,
    atMost limit: Int = .max,
    _ body: (_ key: Int, _ value: Int) throws -> Void,
  ) throws -> Bool {
    let raw = try layout.object(object)
    guard raw.kind == .dictionary else { return false }
    for position in 0..<min(raw.count, limit) {
      try body(layout.reference(raw, position), layout.reference(raw, raw.count + position))
    }
    return true
  }

  package func string(_ object: Int) throws -> String? {
    try stringBytes(object)?.string
  }

  package func boolean(_ object: Int) throws -> Bool? {
    if case .boolean(let value) = try layout.object(object).kind { value } else { nil }
  }

  /// Returns nil also for an integer of more than 64 bits.
  package func integer(_ object: Int) throws -> Int64? {
    let raw = try layout.object(object)
    guard raw.kind == .integer, raw.size <= 8 else { return nil }
    return Int64(bitPattern: bigEndian(buffer, at: raw.content, width: raw.size))
  }

  /// Returns seconds since 2001; nil also for a date that is not finite.
  package func date(_ object: Int) throws -> Double? {
    let raw = try layout.object(object)
    guard raw.kind == .date else { return nil }
    let seconds = Double(bitPattern: bigEndian(buffer, at: raw.content, width: 8))
    return seconds.isFinite ? seconds : nil
  }

  /// Compares without decoding the object; only strings of ASCII match.
  package func isString(_ object: Int, _ text: StaticString) throws -> Bool {
    let raw = try layout.object(object)
    guard raw.kind == .ascii, raw.count == text.utf8CodeUnitCount else { return false }
    guard let start = layout.content(raw).baseAddress else { return true }
    return memcmp(start, text.utf8Start, raw.count) == 0
  }

  package func stringBytes(_ object: Int) throws -> StringBytes? {
    layout.string(try layout.object(object))
  }

  /// Returns bytes that stay where they are for as long as the reader's bytes.
  package func data(_ object: Int) throws -> UnsafeRawBufferPointer? {
    let raw = try layout.object(object)
    return raw.kind == .data ? layout.content(raw) : nil
  }

  package func value(_ object: Int) throws -> PropertyListValue {
    var budget = expansionBudget
    return try value(object, budget: &budget)
  }

  /// The bytes that all values of the list together may take: shared objects may be expanded more
  /// often than they are stored, within reason.
  package var expansionBudget: Int { 64 + 8 * buffer.count }

  package func value(_ index: Int, depth: Int = 0, budget: inout Int) throws -> PropertyListValue {
    guard depth < Self.maximumDepth else {
      throw PropertyListError.tooDeep(limit: Self.maximumDepth)
    }
    let raw = try layout.object(index)
    budget -= 16 + raw.size
    guard budget > 0 else { throw PropertyListError.tooLarge }
    switch raw.kind {
    case .boolean(let value): return .boolean(value)
    case .integer: return try integer(raw)
    case .real: return .real(real(raw))
    case .date:
      guard let seconds = try date(index) else {
        throw PropertyListError.damaged("a date is not a number", offset: raw.start)
      }
      return .date(seconds)
    case .uid: return .uid(bigEndian(buffer, at: raw.content, width: raw.size))
    case .data: return .data(Array(layout.content(raw)))
    case .ascii, .utf16: return .string(layout.string(raw)?.string ?? "")
    case .array: return .array(try array(raw, depth: depth, budget: &budget))
    case .dictionary: return .dictionary(try dictionary(raw, depth: depth, budget: &budget))
    }
  }

  /// Decodes an integer: one, two and four bytes are unsigned, eight are signed, sixteen hold what
  /// is above that.
  private func integer(_ raw: RawObject) throws -> PropertyListValue {
    guard raw.size == 16 else {
      return .integer(Int64(bitPattern: bigEndian(buffer, at: raw.content, width: raw.size)))
    }
    let high = bigEndian(buffer, at: raw.content, width: 8)
    let low = bigEndian(buffer, at: raw.content + 8, width: 8)
    if high == 0 { return low > UInt64(Int64.max) ? .unsigned(low) : .integer(Int64(low)) }
    guard high == .max, Int64(bitPattern: low) < 0 else {
      throw PropertyListError.damaged("an integer needs more than 64 bits", offset: raw.start)
    }
    return .integer(Int64(bitPattern: low))
  }

  private func real(_ raw: RawObject) -> Double {
    let bits = bigEndian(buffer, at: raw.content, width: raw.size)
    return raw.size == 4
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private func array(
    _ raw: RawObject,
    depth: Int,
    budget: inout Int,
  ) throws -> [PropertyListValue] {
    var values: [PropertyListValue] = []
    for position in 0..<raw.count {
      values.append(try value(layout.reference(raw, position), depth: depth + 1, budget: &budget))
    }
    return values
  }

  private func dictionary(
    _ raw: RawObject,
    depth: Int,
    budget: inout Int,
  ) throws -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    for position in 0..<raw.count {
      guard let key = try string(layout.reference(raw, position)) else {
        throw PropertyListError.damaged("a key is not a string", offset: raw.start)
      }
      budget -= key.utf8.count
      let index = layout.reference(raw, raw.count + position)
      dictionary.append(key, try value(index, depth: depth + 1, budget: &budget))
    }
    return dictionary
  }
}

extension StringBytes {
  var string: String {
    switch self {
    case .ascii(let bytes): String(decoding: bytes, as: UTF8.self)
    case .utf16BigEndian(let bytes): UTF16Text.string(bytes)
    }
  }

  package func withUTF8<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    switch self {
    case .ascii(let bytes): body(bytes)
    case .utf16BigEndian(let bytes): UTF16Text.withUTF8(of: bytes, body)
    }
  }

  /// Compares byte by byte with UTF-8 that has to be valid.
  package func isText(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    withUTF8 { bytes in
      guard bytes.count == utf8.count, let start = bytes.baseAddress, let other = utf8.baseAddress
      else { return bytes.count == utf8.count }
      return memcmp(start, other, bytes.count) == 0
    }
  }
}
