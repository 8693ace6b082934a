package import FeedModel
internal import PropertyLists
internal import System

extension ItemReader {
  package func item() throws -> StoredItem {
    var fields = self
    return try StoredItem(id: "", item: try content(), feeds: [], stored: nil)
      .coded(by: &fields)
  }

  private func content() throws -> Item {
    var fields = self
    return Item(
      title: try string(.title) ?? "",
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      guid: try string(.guid),
      summary: try string(.summary),
      details: try ItemDetails().coded(by: &fields),
    )
  }

  package func textNumber() throws -> Int64 {
    Int64(try number(.text, nil) ?? 0)
  }

  package func article() throws -> StoredArticle {
    // PERF: like `StoredArticle.coded(by:)`, but without a copy of the reader, since a search asks
    // every story.
    StoredArticle(
      number: try number(.articleText, nil) ?? 0,
      isShown: try flag(.pageText, false),
    )
  }

  package func hasWholeText() throws -> Bool {
    if try textNumber() != 0 { return true }
    let article = try article()
    return article.isBeside && article.isShown
  }

  package func textKeys() throws -> [String] {
    let (hasText, article) = (try textNumber() != 0, try article())
    guard hasText || article.isBeside else { return [] }
    return article.textKeys(ofStory: try id(), hasText: hasText)
  }

  package func file() throws -> String? {
    try string(.file).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  package func enclosures() throws -> [Enclosure] { try parts(.enclosures, []) }

  package func related() throws -> [RelatedFile] { try parts(.related, []) }

  /// Returns true if the story surely has the content of an item, equal to the byte.
  ///
  /// PERF: nearly all that feeds bring is stored already, and nothing of it need be decoded to see
  /// that.
  package func surelyHas(_ item: Item) throws -> Bool {
    try item.withContents { (contents) in
      guard try isText(.title, contents.text(.title)),
        try isText(.pubDate, contents.text(.pubDate)),
        try isText(.guid, contents.text(.guid)), try isText(.link, contents.text(.link)),
        try isText(.summary, contents.text(.summary))
      else { return false }
      var comparison = ItemComparison(reader: self)
      _ = try contents.details.coded(by: &comparison)
      return comparison.isSame
    }
  }

  private func isText(_ field: ItemField, _ text: UnsafeBufferPointer<UInt8>) throws -> Bool {
    try read(field) { object in
      try reader.stringBytes(object)?.isText(text) == true
    } ?? text.isEmpty
  }
}

extension ItemReader {
  /// A hash of the shown fields, valid in this process.
  package func shownHash() throws -> Int {
    var hasher = Hasher()
    for field in ItemField.allCases where field.isShown && object(field) != nil {
      hasher.combine(field)
      if let text = try text(field) {
        text.withUTF8 { hasher.combine(bytes: $0) }
      } else {
        hasher.combine(try value(field))
      }
    }
    return hasher.finalize()
  }
}
