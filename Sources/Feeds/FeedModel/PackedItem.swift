package import System

package enum ItemText: Int, CaseIterable, Sendable {
  case title, pubDate, guid, link, summary

  fileprivate var kind: RecordText { self == .link ? .link : .line }
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
/// `ItemDetails.coded(by:)`: a text behind its length, a list behind its count, cut behind the last
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

  private func reader(skipping size: Int, checks: Bool = false) -> PackedReader {
    PackedReader(bytes, from: Self.start + layout[.summary] + size, checks: checks)
  }

  /// Returns true for bytes that are a whole item, with each value as its kind may be.
  ///
  /// Whatever else they hold, such as ends of texts in any order, was not written by `bytes`.
  static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let item = PackedItem(bytes)
    var end = 0
    for text in ItemText.allCases {
      guard item.layout[text] >= end else { return false }
      end = item.layout[text]
    }
    guard bytes.count >= start + end,
      ItemText.allCases.allSatisfy({ $0.kind.accepts(item.text($0)) })
    else { return false }
    var reader = item.reader(skipping: 0, checks: true)
    _ = ItemDetails().coded(by: &reader)
    return reader.isSound
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

  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  /// True to look at each value; what was packed here needs no look.
  private let checks: Bool
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

  fileprivate mutating func number() -> Int? {
    let kind = value(UInt8.self) ?? 0
    require(kind <= 1)
    guard kind == 1 else { return nil }
    let number = value(Int64.self).map { Int($0) }
    require(number ?? -1 >= 0)
    return number
  }

  fileprivate mutating func text(_ kind: RecordText) -> String? {
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

  private mutating func list<Element>(
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

  private mutating func value<Value: FixedWidthInteger & BitwiseCopyable>(
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
