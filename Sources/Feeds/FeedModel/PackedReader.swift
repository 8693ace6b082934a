import System

struct PackedReader: ItemCoder {
  typealias Failure = Never

  let bytes: UnsafeRawBufferPointer
  private var position: Int
  /// True to look at each value; what was packed here needs no look.
  let checks: Bool
  private var isFit = true

  static let dateSize = MemoryLayout<UInt64>.size
  static let none = UInt32.max

  init(_ bytes: UnsafeRawBufferPointer, from position: Int, checks: Bool) {
    (self.bytes, self.position, self.checks) = (bytes, position, checks)
  }

  /// True where all bytes were read, and each value was fit.
  var isSound: Bool { isFit && position == bytes.count }

  mutating func flag(_: ItemField, _: Bool) -> Bool {
    let number = value(UInt8.self) ?? 0
    require(number <= 1)
    return number == 1
  }

  mutating func number(_: ItemField, _: Int?) -> Int? { number() }

  mutating func date(_: ItemField, _: Date?) -> Date? {
    guard let seconds = value(UInt64.self).map({ Double(bitPattern: $0) }), !seconds.isNaN else {
      return nil
    }
    require(Date.recordedSeconds.contains(seconds))
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  mutating func text(_ field: ItemField, _: String?) -> String? {
    text(field == .comments ? .link : .line)
  }

  mutating func texts(_: ItemField, _: [String]) -> [String] {
    list(atMost: Self.maximumTexts) { $0.text(.line) ?? "" }
  }

  mutating func hasParts(_: ItemField, count _: Int) -> Bool {
    let start = position
    guard value(UInt32.self) ?? 0 > 0 else { return false }
    position = start
    return true
  }

  mutating func parts<Part: ItemPart>(_: ItemField, _: [Part]) -> [Part] {
    list(atMost: Part.maximumCount) { reader in
      let part = Part().coded(by: &reader)
      reader.require(part != nil)
      return part
    }.compactMap(\.self)
  }

  private static let maximumTexts = 1_000

  mutating func number() -> Int? {
    let kind = value(UInt8.self) ?? 0
    require(kind <= 1)
    guard kind == 1 else { return nil }
    let number = value(Int64.self).map { Int($0) }
    require(number ?? -1 >= 0)
    return number
  }

  mutating func text(_ kind: RecordText) -> String? {
    guard let count = value(UInt32.self), count != Self.none else { return nil }
    guard let start = take(Int(count)) else {
      require(false)
      return nil
    }
    let utf8 = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(count)])
    if checks { require(kind.accepts(utf8.bindMemory(to: UInt8.self))) }
    return String(decoding: utf8, as: UTF8.self)
  }

  private mutating func require(_ isFit: Bool) {
    if !isFit { self.isFit = false }
  }

  mutating func list<Element>(
    atMost limit: Int,
    _ element: (inout Self) -> Element,
  ) -> [Element] {
    var list: [Element] = []
    let count = value(UInt32.self) ?? 0
    require(count <= limit)
    while list.count < count, position < bytes.count { list.append(element(&self)) }
    require(list.count == count)
    return list
  }

  mutating func value<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type
  ) -> Value? {
    take(MemoryLayout<Value>.size).map { bytes.loadUnaligned(fromByteOffset: $0, as: type) }
  }

  /// Returns where so many bytes begin; nil at the end, behind which all that is missing was cut.
  private mutating func take(_ count: Int) -> Int? {
    guard count <= bytes.count - position else {
      require(position == bytes.count)
      position = bytes.count
      return nil
    }
    position += count
    return position - count
  }
}

extension PackedReader: PartCoder {
  mutating func text(_: String, _: String?) -> String? { text(.line) }
  mutating func link(_: String, _: String?) -> String? { text(.link) }
  mutating func number(_: String, _: Int?) -> Int? { number() }
}
