internal import FeedModel
internal import System

/// An item as bytes, for as long as nobody looks at it.
///
/// A number of eight bytes for the date, a byte for the flag, where each of the item's texts ends
/// (four bytes each) and these; then each other text behind its length. For this process only:
/// nothing that is kept has this form.
enum PackedItem {
  /// The length of a text that is nil.
  private static let none = UInt32.max

  static func append(_ contents: ItemContents, to bytes: inout [UInt8]) {
    let (details, layout) = (contents.details, contents.layout)
    append((details.date?.timeIntervalSinceReferenceDate ?? .nan).bitPattern, to: &bytes)
    bytes.append(details.guidIsPermaLink ? 1 : 0)
    let ends: InlineArray<5, UInt32> = [
      UInt32(layout.titleEnd), UInt32(layout.pubDateEnd), UInt32(layout.guidEnd),
      UInt32(layout.linkEnd), UInt32(layout.summaryEnd),
    ]
    ends.span.withUnsafeBytes { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: contents.texts)
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
    contents(bytes).map { Item(texts: $0.texts, layout: $0.layout, details: $0.details) }
  }

  /// What the item holds, its texts where they lie among `bytes`.
  ///
  /// - Returns: nil for bytes that are not those of one item.
  static func contents(_ bytes: UnsafeRawBufferPointer) -> ItemContents? {
    var reader = PackedItemReader(bytes: bytes)
    var details = ItemDetails()
    let date = Double(bitPattern: reader.number())
    details.date = date.isNaN ? nil : Date(timeIntervalSinceReferenceDate: date)
    details.guidIsPermaLink = reader.number(UInt8.self) == 1
    guard let (texts, layout) = reader.texts() else { return nil }
    details.author = reader.text()
    details.categories = reader.list { $0.text() ?? "" }
    details.enclosures = reader.list { reader in
      var enclosure = Enclosure(url: reader.text() ?? "", type: reader.text())
      let (length, duration) = (reader.number(Int64.self), reader.number(Int64.self))
      enclosure.length = length == .min ? nil : length
      enclosure.duration = duration == .min ? nil : Int(duration)
      return enclosure
    }
    return reader.isAtEnd ? ItemContents(texts: texts, layout: layout, details: details) : nil
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

    /// - Returns: nil where they do not lie one after the other.
    mutating func texts() -> (UnsafeBufferPointer<UInt8>, ItemTextLayout)? {
      var layout = ItemTextLayout()
      layout.titleEnd = Int(number(UInt32.self))
      layout.pubDateEnd = Int(number(UInt32.self))
      layout.guidEnd = Int(number(UInt32.self))
      layout.linkEnd = Int(number(UInt32.self))
      layout.summaryEnd = Int(number(UInt32.self))
      guard layout.isOrdered, let start = take(layout.summaryEnd) else { return nil }
      let texts = UnsafeRawBufferPointer(rebasing: bytes[start..<position])
      return (texts.assumingMemoryBound(to: UInt8.self), layout)
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
