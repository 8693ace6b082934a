/// A coder that takes the values of a record one by one; a writer packs them, and a reader replaces
/// them.
///
/// Both ends are the same program, so a record has no names and no versions. The process at the
/// other end may have been taken over: so each value is coded as what it may be, and a reader fails
/// at any other.
package protocol RecordCoder {
  /// Set where the bytes are no record; values read after that are blank.
  var hasFailed: Bool { get }
  /// True for a reader, which overwrites the values that it is given.
  var isReading: Bool { get }
  /// The most elements of a list.
  var maximumCount: Int { get }
  mutating func fail()
  mutating func code(_ number: inout Int, in range: ClosedRange<Int>)
  mutating func code(_ number: inout Double, in range: ClosedRange<Double>)
  mutating func code(_ text: inout String, _ kind: RecordText)
  /// Codes bytes; `accepts` says which a reader takes.
  ///
  /// PERF: a reader makes no copy of them.
  mutating func code(_ bytes: inout ArraySlice<UInt8>, _ accepts: (UnsafeRawBufferPointer) -> Bool)
  /// Codes values that nest in values of their own type; too deep a nesting fails.
  mutating func nest(_ body: (inout Self) -> Void)
}

package protocol RecordValue {
  static var blank: Self { get }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder)
}

extension RecordCoder {
  package mutating func code<Value: RecordValue>(_ value: inout Value) {
    value.code(with: &self)
  }

  package mutating func code(
    _ bytes: inout [UInt8],
    _ accepts: (UnsafeRawBufferPointer) -> Bool,
  ) {
    var all = bytes[...]
    code(&all, accepts)
    if isReading { bytes = Array(all) }
  }

  package mutating func code<Value: Equatable>(_ value: inout Value, among all: [Value]) {
    var index = all.firstIndex(of: value) ?? 0
    code(&index, in: 0...all.count - 1)
    if all.indices.contains(index) { value = all[index] }
  }

  package mutating func code<Value: RecordValue>(constant value: Value) -> Value {
    var value = value
    code(&value)
    return value
  }

  /// Codes whether something is so, and returns it.
  mutating func code(flag: Bool) -> Bool {
    var number = flag ? 1 : 0
    code(&number, in: 0...1)
    return number == 1
  }

  package mutating func code(_ text: inout String?, _ kind: RecordText) {
    var own = text ?? ""
    let isThere = code(flag: text != nil)
    if isThere { code(&own, kind) }
    // What is no address is none.
    text = isThere && !(kind.isAddress && own.isEmpty) ? own : nil
  }

  package mutating func code(_ texts: inout [String], _ kind: RecordText) {
    code(&texts, blank: "") { $0.code(&$1, kind) }
  }

  package mutating func code(_ number: inout Int?, in range: ClosedRange<Int>) {
    var own = number ?? range.lowerBound
    let isThere = code(flag: number != nil)
    if isThere { code(&own, in: range) }
    number = isThere ? own : nil
  }

  package mutating func code(_ numbers: inout [Int], in range: ClosedRange<Int>) {
    code(&numbers, blank: range.lowerBound) { $0.code(&$1, in: range) }
  }

  mutating func code<Element>(
    _ list: inout [Element],
    blank: Element,
    _ body: (inout Self, inout Element) -> Void,
  ) {
    var count = list.count
    code(&count, in: 0...maximumCount)
    guard isReading else {
      for var element in list { body(&self, &element) }
      return
    }
    list = []
    // A reader fails where the bytes end, whatever they say of the count.
    while list.count < count, !hasFailed {
      var element = blank
      body(&self, &element)
      list.append(element)
    }
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

  /// Reads a record; nil for bytes that are none.
  package init?(record: [UInt8], maximumCount: Int = 1 << 20) {
    var reader = RecordReader(record, maximumCount: maximumCount)
    self = .blank
    reader.code(&self)
    guard !reader.hasFailed, reader.isAtEnd else { return nil }
  }
}

package struct RecordWriter: RecordCoder {
  package private(set) var bytes: [UInt8] = []
  package var hasFailed: Bool { false }
  package var isReading: Bool { false }
  package var maximumCount: Int { .max }

  package init(reserving capacity: Int = 0) {
    bytes.reserveMemory(capacity)
  }

  package mutating func fail() {}

  package mutating func code(_ number: inout Int, in range: ClosedRange<Int>) {
    write(Int64(min(max(number, range.lowerBound), range.upperBound)))
  }

  package mutating func code(_ number: inout Double, in range: ClosedRange<Double>) {
    write(min(max(number, range.lowerBound), range.upperBound).bitPattern)
  }

  package mutating func code(_ text: inout String, _ kind: RecordText) {
    let isFit = text.withUTF8 { utf8 in
      let isFit = kind.accepts(utf8)
      if isFit { write(UnsafeRawBufferPointer(utf8)) }
      return isFit
    }
    if !isFit { Array(kind.fitting(text).utf8).withUnsafeBytes { write($0) } }
  }

  package mutating func code(
    _ bytes: inout ArraySlice<UInt8>,
    _: (UnsafeRawBufferPointer) -> Bool,
  ) {
    bytes.withUnsafeBytes { write($0) }
  }

  package mutating func nest(_ body: (inout Self) -> Void) { body(&self) }

  private mutating func write(_ content: UnsafeRawBufferPointer) {
    write(Int64(content.count))
    bytes.append(contentsOf: content)
  }

  private mutating func write(_ number: some FixedWidthInteger & BitwiseCopyable) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Reads values from bytes of any origin, and fails where they are too few or none of their kind.
package struct RecordReader: RecordCoder {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  package private(set) var hasFailed = false
  package let maximumCount: Int

  /// The limit of nesting, which spares the stack; no text is nested as deeply.
  private static let maximumDepth = 300

  package init(_ bytes: [UInt8], maximumCount: Int) {
    (self.bytes, self.maximumCount) = (bytes, maximumCount)
  }

  package var isReading: Bool { true }
  package var isAtEnd: Bool { position == bytes.count }

  package mutating func fail() { hasFailed = true }

  package mutating func code(_ number: inout Int, in range: ClosedRange<Int>) {
    number = read(Int64.self).flatMap { Int(exactly: $0) } ?? range.lowerBound
    if !range.contains(number) {
      fail()
      number = range.lowerBound
    }
  }

  package mutating func code(_ number: inout Double, in range: ClosedRange<Double>) {
    number = Double(bitPattern: read(UInt64.self) ?? 0)
    // Not a number is in no range.
    if !range.contains(number) {
      fail()
      number = range.lowerBound
    }
  }

  package mutating func code(_ text: inout String, _ kind: RecordText) {
    text = ""
    content()?.withUnsafeBufferPointer { utf8 in
      if kind.accepts(utf8) { text = String(decoding: utf8, as: UTF8.self) } else { fail() }
    }
  }

  package mutating func code(
    _ bytes: inout ArraySlice<UInt8>,
    _ accepts: (UnsafeRawBufferPointer) -> Bool,
  ) {
    bytes = content() ?? []
    guard !hasFailed, bytes.withUnsafeBytes(accepts) else {
      bytes = []
      return fail()
    }
  }

  package mutating func nest(_ body: (inout Self) -> Void) {
    depth += 1
    if depth > Self.maximumDepth { fail() } else { body(&self) }
    depth -= 1
  }

  /// Returns the bytes behind their number, or fails.
  private mutating func content() -> ArraySlice<UInt8>? {
    guard let count = read(Int64.self).flatMap({ Int(exactly: $0) }), count >= 0,
      let start = take(count)
    else {
      fail()
      return nil
    }
    return bytes[start..<position]
  }

  private mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type
  ) -> Number? {
    take(MemoryLayout<Number>.size).map { start in
      bytes.withUnsafeBytes {
        Number(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Number.self))
      }
    }
  }

  private mutating func take(_ count: Int) -> Int? {
    guard !hasFailed, count <= bytes.count - position else {
      fail()
      return nil
    }
    position += count
    return position - count
  }
}
