package import System

package enum ItemText: Int, CaseIterable, Sendable {
  case title, pubDate, guid, link, summary
}

package struct ItemTextLayout: BitwiseCopyable, Sendable {
  private var ends = InlineArray<5, UInt32>(repeating: 0)

  package init() {}

  package subscript(text: ItemText) -> Int {
    get { Int(ends[text.rawValue]) }
    set { ends[text.rawValue] = UInt32(newValue) }
  }

  func range(of text: ItemText) -> Range<Int> {
    let start = text.rawValue == 0 ? 0 : ends[text.rawValue - 1]
    return Int(start)..<Int(max(start, ends[text.rawValue]))
  }
}

/// A view of an item's bytes, valid only inside the closure that received it.
///
/// The ends of the texts (four bytes each), the texts, then the details in the order of
/// `ItemDetails.passed`: a text behind its length, a list behind its count, cut behind the last
/// that is there. Items have this form in memory and in the file in which many wait to be stored;
/// no file that is kept has it.
package struct PackedItem {
  private let bytes: UnsafeRawBufferPointer
  let layout: ItemTextLayout

  private static let start = MemoryLayout<ItemTextLayout>.size

  /// Bytes that are too few read as an item without texts and details.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    layout =
      bytes.count >= Self.start
      ? bytes.loadUnaligned(as: ItemTextLayout.self) : ItemTextLayout()
  }

  package func text(_ text: ItemText) -> UnsafeBufferPointer<UInt8> { part(layout.range(of: text)) }

  private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    guard Self.start + range.upperBound <= bytes.count else { return .init(start: nil, count: 0) }
    let range = Self.start + range.lowerBound..<Self.start + range.upperBound
    return UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
  }

  package var date: Date? {
    var reader = reader(skipping: 0)
    return reader.date(.date, nil)
  }

  package var guidIsPermaLink: Bool {
    var reader = reader(skipping: PackedReader.dateSize)
    return reader.flag(.guidIsPermaLink, false)
  }

  package var textNumber: Int64 {
    var reader = reader(skipping: PackedReader.dateSize + 1)
    return Int64(reader.number(.text, nil) ?? 0)
  }

  package var details: ItemDetails {
    var reader = reader(skipping: 0)
    return ItemDetails().coded(by: &reader)
  }

  private func reader(skipping size: Int) -> PackedReader {
    PackedReader(bytes: bytes, position: Self.start + layout[.summary] + size)
  }

  static func bytes(
    _ layout: ItemTextLayout,
    _ details: ItemDetails,
    appendingTexts append: (inout [UInt8]) -> Void,
  ) -> [UInt8] {
    var writer = PackedWriter()
    writer.bytes.reserveCapacity(start + layout[.summary] + 48)
    writer.appendBytes(of: layout)
    append(&writer.bytes)
    _ = details.coded(by: &writer)
    writer.cut()
    return writer.bytes
  }
}

private struct PackedWriter: ItemCoder {
  typealias Failure = Never

  var bytes: [UInt8] = []
  private var end = 0

  /// Cuts the details that are missing at the end.
  ///
  /// PERF: most stories have no author, no enclosure and the like.
  mutating func cut() { bytes.removeLast(bytes.count - end) }

  private mutating func keep() { end = bytes.count }

  mutating func appendBytes(of value: some BitwiseCopyable) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func flag(_: ItemField, _ value: Bool) -> Bool {
    bytes.append(value ? 1 : 0)
    keep()
    return value
  }

  mutating func number(_ field: ItemField, _ value: Int?) -> Int? {
    append(value)
    if value != nil || field == .text { keep() }
    return value
  }

  mutating func date(_: ItemField, _ value: Date?) -> Date? {
    // -0 and 0 are equal, but their bits are not; adding 0 makes both 0.
    appendBytes(of: (value.map { $0.timeIntervalSinceReferenceDate + 0 } ?? .nan).bitPattern)
    keep()
    return value
  }

  mutating func text(_: ItemField, _ value: String?) -> String? {
    append(value)
    if value != nil { keep() }
    return value
  }

  mutating func texts(_: ItemField, _ value: [String]) -> [String] {
    append(value) { $0.append($1) }
    return value
  }

  mutating func hasParts(_: ItemField, count: Int) -> Bool {
    if count == 0 { appendBytes(of: UInt32(0)) }
    return count > 0
  }

  mutating func parts<Part: ItemPart>(_: ItemField, _ value: [Part]) -> [Part] {
    append(value) { writer, part in _ = part.coded(by: &writer) }
    return value
  }

  private mutating func append(_ number: Int?) {
    bytes.append(number == nil ? 0 : 1)
    if let number { appendBytes(of: Int64(number)) }
  }

  private mutating func append(_ text: String?) {
    guard var text else { return appendBytes(of: PackedReader.none) }
    text.withUTF8 { utf8 in
      appendBytes(of: UInt32(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  private mutating func append<Element>(
    _ list: [Element],
    _ element: (inout Self, Element) -> Void,
  ) {
    appendBytes(of: UInt32(list.count))
    for one in list { element(&self, one) }
    if !list.isEmpty { keep() }
  }
}

extension PackedWriter: PartCoder {
  mutating func text(_: String, _ value: String?) -> String? {
    append(value)
    return value
  }

  mutating func link(_: String, _ value: String?) -> String? {
    append(value)
    return value
  }

  mutating func number(_: String, _ value: Int?) -> Int? {
    append(value)
    return value
  }
}

private struct PackedReader: ItemCoder {
  typealias Failure = Never

  let bytes: UnsafeRawBufferPointer
  var position: Int

  static let dateSize = MemoryLayout<UInt64>.size
  static let none = UInt32.max

  mutating func flag(_: ItemField, _: Bool) -> Bool { value(UInt8.self) == 1 }

  mutating func number(_: ItemField, _: Int?) -> Int? { number() }

  mutating func date(_: ItemField, _: Date?) -> Date? {
    guard let seconds = value(UInt64.self).map({ Double(bitPattern: $0) }), !seconds.isNaN else {
      return nil
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  mutating func text(_: ItemField, _: String?) -> String? { text() }

  mutating func texts(_: ItemField, _: [String]) -> [String] { list { $0.text() ?? "" } }

  mutating func hasParts(_: ItemField, count _: Int) -> Bool {
    let start = position
    guard value(UInt32.self) ?? 0 > 0 else { return false }
    position = start
    return true
  }

  mutating func parts<Part: ItemPart>(_: ItemField, _: [Part]) -> [Part] {
    list { Part().coded(by: &$0) }.compactMap(\.self)
  }

  fileprivate mutating func number() -> Int? {
    value(UInt8.self) == 1 ? value(Int64.self).map { Int($0) } : nil
  }

  fileprivate mutating func text() -> String? {
    guard let count = value(UInt32.self), count != Self.none, let start = take(Int(count)) else {
      return nil
    }
    let utf8 = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(count)])
    return String(decoding: utf8, as: UTF8.self)
  }

  private mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
    var list: [Element] = []
    let count = value(UInt32.self) ?? 0
    while list.count < count, position < bytes.count { list.append(element(&self)) }
    return list
  }

  private mutating func value<Value: FixedWidthInteger & BitwiseCopyable>(
    _ type: Value.Type
  ) -> Value? {
    take(MemoryLayout<Value>.size).map { bytes.loadUnaligned(fromByteOffset: $0, as: type) }
  }

  private mutating func take(_ count: Int) -> Int? {
    guard count <= bytes.count - position else {
      position = bytes.count
      return nil
    }
    position += count
    return position - count
  }
}

extension PackedReader: PartCoder {
  mutating func text(_: String, _: String?) -> String? { text() }
  mutating func link(_: String, _: String?) -> String? { text() }
  mutating func number(_: String, _: Int?) -> Int? { number() }
}
