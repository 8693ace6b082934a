#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The texts of an item in one piece of memory; a guid or summary that is empty is none.
///
/// Sendable: nothing in it changes after it was made.
struct PackedTexts: @unchecked Sendable {
  private let buffer: ManagedBuffer<ItemTextLayout, UInt8>

  /// - Parameters:
  ///   - texts: UTF-8, at least as long as the layout's last end; it is copied.
  ///   - layout: Where each of them ends.
  init(_ texts: UnsafeBufferPointer<UInt8>, layout: ItemTextLayout) {
    precondition(layout.summaryEnd <= texts.count, "a layout ends within its texts")
    buffer = .create(minimumCapacity: layout.summaryEnd) { _ in layout }
    buffer.withUnsafeMutablePointerToElements { bytes in
      if let source = texts.baseAddress { memcpy(bytes, source, layout.summaryEnd) }
    }
  }

  private var header: ItemTextLayout { buffer.header }

  var title: String { text(0, header.titleEnd) }
  var pubDate: String { text(header.titleEnd, header.pubDateEnd) }
  var link: String { text(header.guidEnd, header.linkEnd) }

  var guid: String? {
    header.guidEnd > header.pubDateEnd ? text(header.pubDateEnd, header.guidEnd) : nil
  }

  var summary: String? {
    header.summaryEnd > header.linkEnd ? text(header.linkEnd, header.summaryEnd) : nil
  }

  var strings: ItemStrings {
    ItemStrings(title: title, link: link, pubDate: pubDate, guid: guid, summary: summary)
  }

  func isEqual(to other: PackedTexts) -> Bool {
    guard header == other.header else { return false }
    return buffer.withUnsafeMutablePointerToElements { one in
      other.buffer.withUnsafeMutablePointerToElements { memcmp(one, $0, header.summaryEnd) == 0 }
    }
  }

  private func text(_ start: Int, _ end: Int) -> String {
    buffer.withUnsafeMutablePointerToElements { bytes in
      String(
        decoding: UnsafeBufferPointer(start: bytes + start, count: end - start),
        as: UTF8.self,
      )
    }
  }
}
