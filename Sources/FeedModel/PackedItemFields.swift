#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How the texts of an item stand one after the other: title, date, guid, link, summary.
package struct ItemTextLayout: Hashable, Sendable {
  /// Where each text ends, in bytes from the beginning of the first.
  package var titleEnd = 0
  package var pubDateEnd = 0
  package var guidEnd = 0
  package var linkEnd = 0
  package var summaryEnd = 0

  package init() {}
}

/// What an item holds, its texts in one piece of memory; a guid or summary that is empty is none.
///
/// Sendable: nothing in it changes after it was made.
struct PackedItemFields: @unchecked Sendable {
  private struct Header: Hashable {
    let layout: ItemTextLayout
    let details: ItemDetails
  }

  private let buffer: ManagedBuffer<Header, UInt8>

  /// - Parameters:
  ///   - texts: UTF-8, at least as long as the layout's last end; it is copied.
  ///   - layout: Where each of them ends.
  ///   - details: What is not text.
  init(_ texts: UnsafeBufferPointer<UInt8>, layout: ItemTextLayout, details: ItemDetails) {
    precondition(layout.summaryEnd <= texts.count, "a layout ends within its texts")
    buffer = .create(minimumCapacity: layout.summaryEnd) { _ in
      Header(layout: layout, details: details)
    }
    buffer.withUnsafeMutablePointerToElements { bytes in
      if let source = texts.baseAddress { memcpy(bytes, source, layout.summaryEnd) }
    }
  }

  private var layout: ItemTextLayout { buffer.header.layout }

  var details: ItemDetails { buffer.header.details }
  var title: String { text(0, layout.titleEnd) }
  var pubDate: String { text(layout.titleEnd, layout.pubDateEnd) }
  var link: String { text(layout.guidEnd, layout.linkEnd) }

  var guid: String? {
    layout.guidEnd > layout.pubDateEnd ? text(layout.pubDateEnd, layout.guidEnd) : nil
  }

  var summary: String? {
    layout.summaryEnd > layout.linkEnd ? text(layout.linkEnd, layout.summaryEnd) : nil
  }

  var fields: ItemFields {
    ItemFields(
      title: title,
      link: link,
      pubDate: pubDate,
      guid: guid,
      summary: summary,
      details: details,
    )
  }

  func isEqual(to other: PackedItemFields) -> Bool {
    if buffer === other.buffer { return true }
    guard buffer.header == other.buffer.header else { return false }
    return buffer.withUnsafeMutablePointerToElements { one in
      other.buffer.withUnsafeMutablePointerToElements { memcmp(one, $0, layout.summaryEnd) == 0 }
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
