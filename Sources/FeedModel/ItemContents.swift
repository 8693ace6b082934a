/// One of the texts of an item.
package enum ItemText: CaseIterable, Sendable {
  case title, pubDate, guid, link, summary
}

/// What an item holds, where it lies in memory: valid only as long as the closure that got it.
///
/// PERF: whoever copies the texts of many items, or looks whether they are there, needs no strings.
package struct ItemContents {
  /// UTF-8, one text after the other.
  package let texts: UnsafeBufferPointer<UInt8>
  package let layout: ItemTextLayout
  package let details: ItemDetails

  package init(
    texts: UnsafeBufferPointer<UInt8>,
    layout: ItemTextLayout,
    details: ItemDetails,
  ) {
    self.texts = texts
    self.layout = layout
    self.details = details
  }

  /// The UTF-8 of a text; empty where there is none.
  package func text(_ text: ItemText) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: texts[layout.range(of: text)])
  }
}

extension ItemTextLayout {
  /// Whether no text ends before it begins.
  package var isOrdered: Bool {
    titleEnd >= 0 && titleEnd <= pubDateEnd && pubDateEnd <= guidEnd && guidEnd <= linkEnd
      && linkEnd <= summaryEnd
  }

  /// Where a text lies, in bytes.
  package func range(of text: ItemText) -> Range<Int> {
    switch text {
    case .title: 0..<titleEnd
    case .pubDate: titleEnd..<pubDateEnd
    case .guid: pubDateEnd..<guidEnd
    case .link: guidEnd..<linkEnd
    case .summary: linkEnd..<summaryEnd
    }
  }
}
