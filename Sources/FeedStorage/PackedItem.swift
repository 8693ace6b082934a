internal import FeedModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An item as bytes, for as long as nobody looks at it.
///
/// A number of eight bytes for the date, a byte for the flag, then each text behind its length; an
/// item takes half the memory that it does as values. For this process only: nothing that is kept
/// has this form.
enum PackedItem {
  /// The length of a text that is nil.
  private static let none = UInt32.max

  static func append(_ item: Item, to bytes: inout [UInt8]) {
    append((item.date?.timeIntervalSinceReferenceDate ?? .nan).bitPattern, to: &bytes)
    bytes.append(item.guidIsPermaLink ? 1 : 0)
    for text in [item.title, item.link, item.pubDate, item.guid, item.author, item.summary] {
      append(text, to: &bytes)
    }
    append(UInt32(item.categories.count), to: &bytes)
    for category in item.categories { append(category, to: &bytes) }
    append(UInt32(item.enclosures.count), to: &bytes)
    for enclosure in item.enclosures {
      append(enclosure.url, to: &bytes)
      append(enclosure.type, to: &bytes)
      append(enclosure.length ?? .min, to: &bytes)
      append(Int64(enclosure.duration ?? .min), to: &bytes)
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

  /// - Returns: nil for bytes that are not those of one item.
  static func item(_ bytes: UnsafeRawBufferPointer) -> Item? {
    var reader = PackedItemReader(bytes: bytes)
    let date = Double(bitPattern: reader.number())
    let isPermaLink = reader.number(UInt8.self) == 1
    var item = Item(
      title: reader.text() ?? "",
      link: reader.text() ?? "",
      pubDate: reader.text() ?? "",
      date: date.isNaN ? nil : Date(timeIntervalSinceReferenceDate: date),
      guid: reader.text(),
    )
    item.guidIsPermaLink = isPermaLink
    item.author = reader.text()
    item.summary = reader.text()
    item.categories = reader.list { $0.text() ?? "" }
    item.enclosures = reader.list { reader in
      var enclosure = Enclosure(url: reader.text() ?? "", type: reader.text())
      let (length, duration) = (reader.number(Int64.self), reader.number(Int64.self))
      enclosure.length = length == .min ? nil : length
      enclosure.duration = duration == .min ? nil : Int(duration)
      return enclosure
    }
    return reader.isAtEnd ? item : nil
  }

  /// Takes what was packed from its bytes; zeros where they are too few.
  private struct PackedItemReader {
    let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var isShort = false

    init(bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { !isShort && position == bytes.count }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
      _ type: Number.Type = Number.self
    ) -> Number {
      guard let start = take(MemoryLayout<Number>.size) else { return 0 }
      return bytes.loadUnaligned(fromByteOffset: start, as: type)
    }

    mutating func text() -> String? {
      let count = number(UInt32.self)
      guard count != none, let start = take(Int(count)) else { return nil }
      let utf8 = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(count)])
      return String(decoding: utf8, as: UTF8.self)
    }

    mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
      let count = Int(number(UInt32.self))
      guard count > 0 else { return [] }
      var list: [Element] = []
      while list.count < count, !isShort { list.append(element(&self)) }
      return list
    }

    private mutating func take(_ count: Int) -> Int? {
      guard count <= bytes.count - position else {
        isShort = true
        return nil
      }
      position += count
      return position - count
    }
  }
}
