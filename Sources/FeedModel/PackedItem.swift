package import System

/// One of the texts of an item, in the order in which they lie in memory.
package enum ItemText: Int, CaseIterable, Sendable {
  case title, pubDate, guid, link, summary
}

/// Where each of an item's texts ends, in bytes from the beginning of the first.
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

/// What an item holds, where it lies in memory: valid only as long as the closure that got it.
///
/// The date and the number of the whole text (eight bytes each), whether the guid is a permalink
/// (one), where each of the texts ends (four each), and these; then author, categories, enclosures
/// and related files, each text behind its length and each list behind its count. So a story lies in
/// memory, and in the file in which many wait to be stored; nothing that is kept has this form.
package struct PackedItem {
  private let bytes: UnsafeRawBufferPointer
  let layout: ItemTextLayout

  private static let layoutStart = 17
  private static let start = layoutStart + MemoryLayout<ItemTextLayout>.size
  /// The length of a text that is nil.
  fileprivate static let none = UInt32.max

  /// - Parameter bytes: those of one item; of others what lies in them counts.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    layout =
      bytes.count >= Self.start
      ? bytes.loadUnaligned(fromByteOffset: Self.layoutStart, as: ItemTextLayout.self)
      : ItemTextLayout()
  }

  /// The UTF-8 of a text; empty where there is none.
  package func text(_ text: ItemText) -> UnsafeBufferPointer<UInt8> { part(layout.range(of: text)) }

  private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    guard Self.start + range.upperBound <= bytes.count else { return .init(start: nil, count: 0) }
    let range = Self.start + range.lowerBound..<Self.start + range.upperBound
    return UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
  }

  package var date: Date? {
    guard bytes.count >= Self.start else { return nil }
    let seconds = Double(bitPattern: bytes.loadUnaligned(as: UInt64.self))
    return seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds)
  }

  package var textNumber: Int64 {
    bytes.count >= Self.start ? bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self) : 0
  }

  package var guidIsPermaLink: Bool { bytes.count >= Self.start && bytes[16] == 1 }

  package var details: ItemDetails {
    var details = ItemDetails()
    details.date = date
    details.textNumber = textNumber
    details.guidIsPermaLink = guidIsPermaLink
    var reader = PackedReader(bytes: bytes, position: Self.start + layout[.summary])
    details.author = reader.text()
    details.categories = reader.list { $0.text() ?? "" }
    details.enclosures = reader.list { reader in
      var enclosure = Enclosure(url: reader.text() ?? "", type: reader.text())
      let (length, duration) = (reader.number(Int64.self), reader.number(Int64.self))
      enclosure.length = length == .min ? nil : length
      enclosure.duration = duration == .min ? nil : Int(duration)
      return enclosure
    }
    details.related = reader.list { reader in
      let role = reader.text().flatMap(RelatedFile.Role.init) ?? .alternate
      var file = RelatedFile(role: role, url: reader.text() ?? "", type: reader.text())
      let length = reader.number(Int64.self)
      file.length = length == .min ? nil : length
      file.language = reader.text()
      return file
    }
    return details
  }

  static func bytes(
    _ layout: ItemTextLayout,
    _ details: ItemDetails,
    appendingTexts append: (inout [UInt8]) -> Void,
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(start + layout[.summary] + 16)
    // Nought has two spellings.
    let date = details.date.map { $0.timeIntervalSinceReferenceDate + 0 } ?? .nan
    Self.append(date.bitPattern, to: &bytes)
    Self.append(details.textNumber, to: &bytes)
    bytes.append(details.guidIsPermaLink ? 1 : 0)
    withUnsafeBytes(of: layout) { bytes.append(contentsOf: $0) }
    append(&bytes)
    Self.append(details, to: &bytes)
    return bytes
  }

  private static func append(_ details: ItemDetails, to bytes: inout [UInt8]) {
    append(details.author, to: &bytes)
    append(UInt32(details.categories.count), to: &bytes)
    for category in details.categories { append(category, to: &bytes) }
    append(UInt32(details.enclosures.count), to: &bytes)
    for enclosure in details.enclosures {
      append(enclosure.url, to: &bytes)
      append(enclosure.type, to: &bytes)
      append(enclosure.length ?? .min, to: &bytes)
      append(Int64(enclosure.duration ?? .min), to: &bytes)
    }
    append(UInt32(details.related.count), to: &bytes)
    for file in details.related {
      append(file.role.rawValue, to: &bytes)
      append(file.url, to: &bytes)
      append(file.type, to: &bytes)
      append(file.length ?? .min, to: &bytes)
      append(file.language, to: &bytes)
    }
  }

  private static func append(_ text: String?, to bytes: inout [UInt8]) {
    guard var text else { return append(none, to: &bytes) }
    text.withUTF8 { utf8 in
      append(UInt32(utf8.count), to: &bytes)
      bytes.append(contentsOf: utf8)
    }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }
}

/// Takes what was packed from its bytes; zeros where they are too few.
private struct PackedReader {
  let bytes: UnsafeRawBufferPointer
  var position: Int

  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self
  ) -> Number {
    guard let start = take(MemoryLayout<Number>.size) else { return 0 }
    return bytes.loadUnaligned(fromByteOffset: start, as: type)
  }

  mutating func text() -> String? {
    let count = number(UInt32.self)
    guard count != PackedItem.none, let start = take(Int(count)) else { return nil }
    let utf8 = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(count)])
    return String(decoding: utf8, as: UTF8.self)
  }

  mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
    var list: [Element] = []
    let count = number(UInt32.self)
    while list.count < count, position < bytes.count { list.append(element(&self)) }
    return list
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
