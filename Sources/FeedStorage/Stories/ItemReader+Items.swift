package import FeedModel
internal import PropertyLists
package import System

extension ItemReader {
  package func item() throws(StorageError) -> StoredItem {
    var stored = StoredItem(
      id: try id(),
      item: try content(),
      feeds: try strings(.feeds),
      stored: try date(.stored),
    )
    stored.isRead = try isRead()
    stored.isStarred = try isStarred()
    stored.hasPageText = try boolean(.pageText)
    stored.tags = try strings(.tags)
    stored.rules = try strings(.rules)
    stored.file = try file()
    if let value = try value(.matched) { stored.matches = StoryMatch.list(value) }
    if let value = try value(.changed) {
      stored.changes = StoryChange.list(value, previous: try self.value(.previous))
    }
    return stored
  }

  private func content() throws(StorageError) -> Item {
    var details = ItemDetails()
    details.date = try date(.date)
    details.guidIsPermaLink = try boolean(.guidIsPermaLink)
    details.textNumber = try textNumber()
    details.author = try string(.author)
    details.categories = try strings(.categories)
    details.enclosures = try enclosures()
    details.related = try related()
    return Item(
      title: try string(.title) ?? "",
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      guid: try string(.guid),
      summary: try string(.summary),
      details: details,
    )
  }

  /// As `Item.textNumber`.
  package func textNumber() throws(StorageError) -> Int64 {
    try read(.text) { object throws(PropertyListError) in try reader.integer(object) } ?? 0
  }

  /// As `StoredItem.file`.
  package func file() throws(StorageError) -> String? {
    try string(.file).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  package func enclosures() throws(StorageError) -> [Enclosure] {
    (try value(.enclosures)?.array ?? []).compactMap { Enclosure($0) }
  }

  private func related() throws(StorageError) -> [RelatedFile] {
    (try value(.related)?.array ?? []).compactMap { RelatedFile($0) }
  }

  /// Whether the story surely has the content of an item: equal to the byte.
  ///
  /// PERF: nearly all that feeds bring is stored already, and nothing of it need be decoded to see
  /// that.
  package func surelyHas(_ item: Item) throws(StorageError) -> Bool {
    try item.withContents { (contents) throws(StorageError) in
      guard try isText(.title, contents.text(.title)),
        try isText(.pubDate, contents.text(.pubDate)),
        try isText(.guid, contents.text(.guid)), try isText(.link, contents.text(.link)),
        try isText(.summary, contents.text(.summary))
      else { return false }
      let details = contents.details
      guard try boolean(.guidIsPermaLink) == details.guidIsPermaLink,
        try textNumber() == details.textNumber,
        try instant(.date) == details.date?.timeIntervalSinceReferenceDate,
        try object(.author) == nil ? details.author == nil : isText(.author, details.author ?? ""),
        try hasCategories(details.categories), try enclosures() == details.enclosures
      else { return false }
      return try related() == details.related
    }
  }

  /// Whether a field is this text; one that is not there is empty.
  private func isText(
    _ field: ItemField,
    _ text: UnsafeBufferPointer<UInt8>,
  ) throws(StorageError) -> Bool {
    try read(field) { object throws(PropertyListError) in
      try reader.stringBytes(object)?.isText(text) == true
    } ?? text.isEmpty
  }

  private func isText(_ field: ItemField, _ text: String) throws(StorageError) -> Bool {
    try read(field) { object throws(PropertyListError) in try isText(object, text) } ?? text.isEmpty
  }

  private func isText(_ object: Int, _ text: String) throws(PropertyListError) -> Bool {
    guard let bytes = try reader.stringBytes(object) else { return false }
    var text = text
    return text.withUTF8(bytes.isText)
  }

  private func hasCategories(_ categories: [String]) throws(StorageError) -> Bool {
    try read(.categories) { list throws(PropertyListError) in
      guard try reader.arrayCount(list) == categories.count else { return false }
      for (position, category) in categories.enumerated() {
        guard let object = try reader.element(list, at: position), try isText(object, category)
        else { return false }
      }
      return true
    } ?? categories.isEmpty
  }
}

/// What a list shows of a story.
package struct StoredLine: Hashable, Sendable {
  package let id: String
  package let title: String
  package let link: String
  package let pubDate: String
  package let feeds: [String]
  package let date: Date?
  package let stored: Date?
  /// Neither value is nil.
  package let marks: ItemMarks
}

extension StoredLine {
  package init(_ story: StoredItem) {
    self.init(
      id: story.id,
      title: story.item.title,
      link: story.item.link,
      pubDate: story.item.pubDate,
      feeds: story.feeds,
      date: story.item.date,
      stored: story.stored,
      marks: ItemMarks(isRead: story.isRead, isStarred: story.isStarred),
    )
  }
}

extension ItemReader {
  package func line() throws(StorageError) -> StoredLine {
    StoredLine(
      id: try id(),
      title: try string(.title) ?? "",
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      feeds: try strings(.feeds),
      date: try date(.date),
      stored: try date(.stored),
      marks: try marks(),
    )
  }
}

extension ItemReader {
  /// The same, in this process, for stories of which the same is shown.
  package func shownHash() throws(StorageError) -> Int {
    var hasher = Hasher()
    for field in [ItemField.title, .pubDate, .link, .guid, .author, .summary] {
      hasher.combine(field)
      try withUTF8(of: field) { hasher.combine(bytes: $0) }
    }
    hasher.combine(try instant(.date))
    hasher.combine(try marks())
    hasher.combine(try strings(.feeds))
    hasher.combine(try strings(.categories))
    hasher.combine(try strings(.tags))
    hasher.combine(try enclosures())
    hasher.combine(try related())
    hasher.combine(try textNumber())
    hasher.combine(try file())
    return hasher.finalize()
  }
}
