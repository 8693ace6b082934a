/// A coder that takes the values of a record one by one; a writer packs them, and a reader replaces
/// them.
///
/// Both ends are the same program, so a record has no names and no versions.
package protocol RecordCoder {
  /// Set where the bytes are no record; values read after that are blank.
  var hasFailed: Bool { get }
  /// True for a reader, which overwrites the values that it is given.
  var isReading: Bool { get }
  mutating func fail()
  mutating func code(_ number: inout Int)
  /// Codes a value by its bytes: `withBytes` calls its body with them once, and `make` makes a value
  /// of such bytes.
  mutating func code<Value>(
    _ value: inout Value,
    _ withBytes: (Value, (UnsafeRawBufferPointer) -> Void) -> Void,
    _ make: (UnsafeRawBufferPointer) -> Value,
  )
  /// Codes values that nest in values of their own type; too deep a nesting fails.
  mutating func nest(_ body: (inout Self) -> Void)
}

package protocol RecordValue {
  static var blank: Self { get }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder)
}

extension RecordCoder {
  package mutating func code(_ bytes: inout [UInt8]) {
    code(&bytes, { $0.withUnsafeBytes($1) }, { Array($0) })
  }

  package mutating func code<Value: RecordValue>(_ value: inout Value) {
    value.code(with: &self)
  }

  /// Codes a text with all of its control characters, for readers that trust the writer.
  package mutating func code(verbatim text: inout String) {
    var bytes = Array(text.utf8)
    code(&bytes)
    text = String(decoding: bytes, as: UTF8.self)
  }

  package mutating func code<Value: Equatable>(_ value: inout Value, among all: [Value]) {
    var index = all.firstIndex(of: value) ?? 0
    code(&index)
    if all.indices.contains(index) { value = all[index] } else { fail() }
  }

  package mutating func code<Value: RecordValue>(constant value: Value) -> Value {
    var value = value
    code(&value)
    return value
  }
}

extension RecordValue {
  package var record: [UInt8] { record(reserving: 0) }

  package func record(reserving capacity: Int) -> [UInt8] {
    var writer = RecordWriter(reserving: capacity)
    var value = self
    writer.code(&value)
    return writer.bytes
  }

  /// Reads a record; nil for bytes that are none, and where a text has control characters, which
  /// are written as blanks.
  package init?(record: [UInt8]) {
    var reader = RecordReader(record)
    self = .blank
    reader.code(&self)
    guard !reader.hasFailed, reader.isAtEnd else { return nil }
  }
}

package struct RecordWriter: RecordCoder {
  package private(set) var bytes: [UInt8] = []
  package var hasFailed: Bool { false }
  package var isReading: Bool { false }

  fileprivate init(reserving capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  package mutating func fail() {}

  package mutating func code(_ number: inout Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func code<Value>(
    _ value: inout Value,
    _ withBytes: (Value, (UnsafeRawBufferPointer) -> Void) -> Void,
    _: (UnsafeRawBufferPointer) -> Value,
  ) {
    withBytes(value) { content in
      var count = content.count
      code(&count)
      bytes.append(contentsOf: content)
    }
  }

  package mutating func nest(_ body: (inout Self) -> Void) { body(&self) }
}

/// Reads values from bytes of any origin, and fails where they are too few.
package struct RecordReader: RecordCoder {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  package private(set) var hasFailed = false

  /// The limit of nesting, which spares the stack; no text is nested as deeply.
  private static let maximumDepth = 300

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package var isReading: Bool { true }
  package var isAtEnd: Bool { position == bytes.count }
  fileprivate var rest: Int { hasFailed ? 0 : bytes.count - position }

  package mutating func fail() { hasFailed = true }

  package mutating func code(_ number: inout Int) {
    guard let start = take(8) else {
      number = 0
      return
    }
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Int64.self) }
    number = Int(Int64(littleEndian: value))
  }

  package mutating func code<Value>(
    _ value: inout Value,
    _: (Value, (UnsafeRawBufferPointer) -> Void) -> Void,
    _ make: (UnsafeRawBufferPointer) -> Value,
  ) {
    var count = 0
    code(&count)
    let start = count < 0 ? nil : take(count)
    if start == nil { fail() }
    let range = start.map { $0..<$0 + count } ?? 0..<0
    value = bytes.withUnsafeBytes { make(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  package mutating func nest(_ body: (inout Self) -> Void) {
    depth += 1
    if depth > Self.maximumDepth { fail() } else { body(&self) }
    depth -= 1
  }

  private mutating func take(_ count: Int) -> Int? {
    guard count <= rest else {
      fail()
      return nil
    }
    position += count
    return position - count
  }
}
