internal import FeedModel
internal import PropertyLists
internal import System

/// One story of the data file: where its values are, none of them decoded yet.
struct ItemRow {
  private let reader: BinaryPropertyListReader
  private let path: String
  /// The object of each field, by `ItemField`'s order; -1 for none.
  private var objects = InlineArray<18, Int>(repeating: -1)

  /// Keys of a story, and elements of a list in it, that are looked at.
  ///
  /// A hostile file can let a million stories share one dictionary of a million keys.
  static let (maximumKeys, maximumElements) = (256, 1_024)
  /// Bytes of an `id`; a longer one counts as none.
  private static let maximumID = 1_024

  init(_ object: Int, in reader: BinaryPropertyListReader, path: String) throws(PropertyListError) {
    self.reader = reader
    self.path = path
    var found = InlineArray<18, Int>(repeating: -1)
    _ = try reader.forEachEntry(object, atMost: Self.maximumKeys) {
      (key, value) throws(PropertyListError) in
      if let field = try Self.field(key, in: reader) { found[field] = value }
    }
    objects = found
  }

  /// The number of the field that a key names.
  static func field(
    _ key: Int,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) -> Int? {
    guard case .ascii(let bytes)? = try reader.stringBytes(key) else { return nil }
    return names.firstIndex { $0.utf8CodeUnitCount == bytes.count && matches($0, bytes) }
  }

  private static func matches(_ name: StaticString, _ bytes: UnsafeRawBufferPointer) -> Bool {
    for position in 0..<bytes.count where name.utf8Start[position] != bytes[position] {
      return false
    }
    return true
  }

  /// `ItemField`'s names, in its order.
  private static let names: [StaticString] = [
    "id", "title", "pubDate", "link", "guid", "guidIsPermaLink", "date", "stored", "feeds",
    "author", "summary", "categories", "enclosures", "read", "starred", "matched", "changed",
    "previous",
  ]

  private func object(_ field: ItemField) -> Int? {
    let object = objects[Self.position(of: field)]
    return object < 0 ? nil : object
  }

  static func position(of field: ItemField) -> Int {
    switch field {
    case .id: 0
    case .title: 1
    case .pubDate: 2
    case .link: 3
    case .guid: 4
    case .guidIsPermaLink: 5
    case .date: 6
    case .stored: 7
    case .feeds: 8
    case .author: 9
    case .summary: 10
    case .categories: 11
    case .enclosures: 12
    case .read: 13
    case .starred: 14
    case .matched: 15
    case .changed: 16
    case .previous: 17
    }
  }

  // MARK: Fields

  func string(_ field: ItemField) throws(StorageError) -> String? {
    guard let object = object(field) else { return nil }
    return try reading { () throws(PropertyListError) in try reader.string(object) }
  }

  func boolean(_ field: ItemField) throws(StorageError) -> Bool {
    guard let object = object(field) else { return false }
    return try reading { () throws(PropertyListError) in try reader.boolean(object) ?? false }
  }

  func date(_ field: ItemField) throws(StorageError) -> Date? {
    guard let object = object(field) else { return nil }
    let seconds = try reading { () throws(PropertyListError) in try reader.date(object) }
    return seconds.flatMap { Date(storedSeconds: $0) }
  }

  func strings(_ field: ItemField) throws(StorageError) -> [String] {
    guard let object = object(field) else { return [] }
    return try reading { () throws(PropertyListError) in
      let count = min(try reader.arrayCount(object) ?? 0, Self.maximumElements)
      var strings: [String] = []
      // The elements may all be one object, and that as large as the file.
      var room = 65_536 + 2 * reader.bytes.buffer.count
      for position in 0..<count {
        guard let element = try reader.element(object, at: position),
          let text = try reader.string(element)
        else { continue }
        room -= text.utf8.count
        guard room >= 0 else { throw .tooLarge }
        strings.append(text)
      }
      return strings
    }
  }

  private func reading<R>(
    _ body: () throws(PropertyListError) -> R
  ) throws(StorageError) -> R {
    try ItemTable.reading(path, body)
  }

  // MARK: The story

  /// The stored `id`; for a story that another program wrote, the one that the rule gives it.
  func id() throws(StorageError) -> String {
    if try hasUsableID(), let id = try string(.id) { return id }
    return ItemID.id(
      feed: try strings(.feeds).first ?? "",
      key: ItemID.key(of: try Item(identityFrom: string)),
    )
  }

  /// Whether the stored `id` is a text that can be one: a list of stories keeps all of theirs in
  /// memory, and they may share one of a megabyte.
  private func hasUsableID() throws(StorageError) -> Bool {
    guard let object = object(.id) else { return false }
    return try reading { () throws(PropertyListError) in
      switch try reader.stringBytes(object) {
      case .ascii(let bytes), .utf16BigEndian(let bytes): 1...Self.maximumID ~= bytes.count
      case nil: false
      }
    }
  }

  func item() throws(StorageError) -> StoredItem {
    var stored = StoredItem(
      id: try id(),
      item: try content(),
      feeds: try strings(.feeds),
      stored: try date(.stored),
    )
    stored.isRead = try boolean(.read)
    stored.isStarred = try boolean(.starred)
    if let value = try value(.matched) { stored.matches = StoryMatch.list(value) }
    if let value = try value(.changed) {
      stored.changes = StoryChange.list(value, previous: try self.value(.previous))
    }
    return stored
  }

  private func content() throws(StorageError) -> Item {
    var item = Item(
      title: try string(.title) ?? "",
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      date: try date(.date),
      guid: try string(.guid),
    )
    item.guidIsPermaLink = try boolean(.guidIsPermaLink)
    item.summary = try string(.summary)
    item.author = try string(.author)
    item.categories = try strings(.categories)
    item.enclosures = try enclosures()
    return item
  }

  private func enclosures() throws(StorageError) -> [Enclosure] {
    (try value(.enclosures)?.array ?? []).compactMap { Enclosure($0) }
  }

  private func value(_ field: ItemField) throws(StorageError) -> PropertyListValue? {
    guard let object = object(field) else { return nil }
    return try reading { () throws(PropertyListError) in try reader.value(object) }
  }
}

/// The keys of a story's dictionary in the data file (design §3).
enum ItemField: String, CaseIterable {
  case id, title, pubDate, link, guid, guidIsPermaLink, date, stored, feeds, author, summary
  case categories, enclosures, read, starred, matched, changed, previous
}

extension Item {
  /// What the rule of identity (`ItemID.key`) looks at: the rest of a story may be more than can be
  /// read.
  ///
  /// The text of each field comes from `string`.
  init(
    identityFrom string: (ItemField) throws(StorageError) -> String?
  ) throws(StorageError) {
    let title = try string(.title) ?? ""
    self.init(
      title: title,
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      guid: try string(.guid),
    )
    // It takes the place of a title.
    if title.isEmpty { summary = try string(.summary) }
  }
}
