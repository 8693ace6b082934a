import System

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
/// Sendable: nothing in it changes after it was made, unless one value alone refers to it.
struct PackedItemFields: @unchecked Sendable {
  private struct Header: Hashable {
    let layout: ItemTextLayout
    var details: ItemDetails
  }

  private var buffer: ManagedBuffer<Header, UInt8>

  /// - Parameters:
  ///   - texts: UTF-8, at least as long as the layout's last end; it is copied.
  ///   - layout: Where each of them ends.
  ///   - details: What is not text.
  init(_ texts: UnsafeBufferPointer<UInt8>, layout: ItemTextLayout, details: ItemDetails) {
    precondition(layout.isOrdered && layout.summaryEnd <= texts.count, "texts lie in their bytes")
    buffer = .create(minimumCapacity: layout.summaryEnd) { _ in
      Header(layout: layout, details: details)
    }
    buffer.withUnsafeMutablePointerToElements { bytes in
      if let source = texts.baseAddress { memcpy(bytes, source, layout.summaryEnd) }
    }
  }

  private init(_ contents: ItemContents) {
    self.init(contents.texts, layout: contents.layout, details: contents.details)
  }

  /// The same of fields that are strings.
  init(_ fields: ItemFields) {
    var texts: [UInt8] = []
    var layout = ItemTextLayout()
    func append(_ text: ItemText) -> Int {
      texts.append(contentsOf: fields.text(text).utf8)
      return texts.count
    }
    layout.titleEnd = append(.title)
    layout.pubDateEnd = append(.pubDate)
    layout.guidEnd = append(.guid)
    layout.linkEnd = append(.link)
    layout.summaryEnd = append(.summary)
    self = texts.withUnsafeBufferPointer {
      PackedItemFields($0, layout: layout, details: fields.details)
    }
  }

  // PERF: by pointer, here and below: the property is checked for exclusive access at each use.
  private var header: Header { buffer.withUnsafeMutablePointerToHeader(\.pointee) }

  private var layout: ItemTextLayout {
    buffer.withUnsafeMutablePointerToHeader(\.pointee.layout)
  }

  var details: ItemDetails {
    get { buffer.withUnsafeMutablePointerToHeader(\.pointee.details) }
    _modify {
      if !isKnownUniquelyReferenced(&buffer) { self = withContents(PackedItemFields.init) }
      yield &buffer.header.details
    }
  }

  var title: String { text(.title) }
  var pubDate: String { text(.pubDate) }
  var link: String { text(.link) }
  var guid: String? { hasText(.guid) ? text(.guid) : nil }
  var summary: String? { hasText(.summary) ? text(.summary) : nil }

  func hasText(_ text: ItemText) -> Bool {
    !layout.range(of: text).isEmpty
  }

  func withContents<R, E: Error>(_ body: (ItemContents) throws(E) -> R) throws(E) -> R {
    let header = header
    // PERF, and for the error's type: ManagedBuffer's own closures take any.
    let start = buffer.withUnsafeMutablePointerToElements { UnsafePointer($0) }
    defer { withExtendedLifetime(buffer) {} }
    let texts = UnsafeBufferPointer(start: start, count: header.layout.summaryEnd)
    return try body(ItemContents(texts: texts, layout: header.layout, details: header.details))
  }

  /// PERF: to look at one text nothing else is copied.
  func withUTF8<R>(of text: ItemText, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let range = layout.range(of: text)
    let start = buffer.withUnsafeMutablePointerToElements { UnsafePointer($0) }
    defer { withExtendedLifetime(buffer) {} }
    return body(UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
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
    guard header == other.header else { return false }
    return buffer.withUnsafeMutablePointerToElements { one in
      other.buffer.withUnsafeMutablePointerToElements { memcmp(one, $0, layout.summaryEnd) == 0 }
    }
  }

  private func text(_ text: ItemText) -> String {
    let range = layout.range(of: text)
    return buffer.withUnsafeMutablePointerToElements { bytes in
      let utf8 = UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
      return String(decoding: utf8, as: UTF8.self)
    }
  }
}
