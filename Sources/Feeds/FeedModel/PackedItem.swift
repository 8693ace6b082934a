package import System

package enum ItemText: Int, CaseIterable, Sendable {
  case title, pubDate, guid, link, summary

  var kind: RecordText { self == .link ? .link : .line }
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
  let bytes: UnsafeRawBufferPointer
  let layout: ItemTextLayout

  static let start = MemoryLayout<ItemTextLayout>.size

  /// Bytes that are too few read as an item without texts and details.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    layout =
      bytes.count >= Self.start
      ? bytes.loadUnaligned(as: ItemTextLayout.self) : ItemTextLayout()
  }

  package func text(_ text: ItemText) -> UnsafeBufferPointer<UInt8> { part(layout.range(of: text)) }

  func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
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

  func reader(skipping size: Int, checks: Bool = false) -> PackedReader {
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
