internal import FeedModel
internal import PropertyLists

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
      var strings: [String] = []
      for element in try reader.elements(object)?.prefix(Self.maximumElements) ?? [] {
        if let text = try reader.string(element) { strings.append(text) }
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
    if let id = try string(.id), !id.isEmpty { return id }
    return ItemID.id(feed: try strings(.feeds).first ?? "", key: ItemID.key(of: try content()))
  }

  func hasID(_ id: String) throws(StorageError) -> Bool {
    guard let object = object(.id) else { return try self.id() == id }
    return try reading { () throws(PropertyListError) in
      guard case .ascii(let bytes)? = try reader.stringBytes(object) else { return false }
      return bytes.elementsEqual(id.utf8)
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
    item.author = try string(.author)
    item.summary = try string(.summary)
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
