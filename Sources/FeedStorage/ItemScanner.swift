package import FeedModel
internal import PropertyLists
internal import System

/// Looks at a few fields of many stories, in one pass and without building them.
///
/// What it learns of the file's keys and of the feeds' URLs holds for all stories, which is what
/// makes it ten times faster than the accessors of `ItemTable`.
package struct ItemScanner {
  package enum Text {
    case id, title, link, guid, summary
  }

  let table: ItemTable
  let reader: BinaryPropertyListReader
  /// The story's entries; nil for an element that is no dictionary.
  private var entries: PropertyListEntries?
  private var shapes: [StoryShape] = []
  /// The shape of the story, and of the next one unless that has another.
  private var shape = 0
  private var places = InlineArray<18, Int>(repeating: -1)
  private var feedNumbers: [Int: Int] = [:]
  /// The URLs of the feeds met so far; `forEachFeed` gives positions in it.
  package private(set) var feeds: [String] = []
  private var numbersByURL: [String: Int] = [:]

  /// Shapes that are remembered; a hostile file has as many as it has stories.
  private static let maximumShapes = 32

  /// nil for a table without stories.
  package init?(_ table: ItemTable) {
    guard let reader = table.reader else { return nil }
    self.table = table
    self.reader = reader
  }

  /// Goes to a story.
  package mutating func move(to index: Int) throws(StorageError) {
    let object = try table.object(at: index)
    entries = try ItemTable.reading(table.path) { () throws(PropertyListError) in
      guard let entries = try reader.entries(object) else { return nil }
      try takeShape(of: entries)
      return entries
    }
  }

  private mutating func takeShape(of entries: PropertyListEntries) throws(PropertyListError) {
    if shape < shapes.count, shapes[shape].isShape(of: entries) { return }
    if let known = shapes.firstIndex(where: { $0.isShape(of: entries) }) {
      shape = known
    } else {
      let new = try StoryShape(entries, in: reader)
      if shapes.count == Self.maximumShapes { shapes.removeAll(keepingCapacity: true) }
      shapes.append(new)
      shape = shapes.count - 1
    }
    places = shapes[shape].places
  }

  /// The object that is a field's value; nil when the story has none.
  func object(_ field: ItemField) -> Int? {
    guard let entries else { return nil }
    let place = places[ItemRow.position(of: field)]
    return place < 0 ? nil : entries.value(place)
  }

  // MARK: Fields

  /// A text as it stands in the file; nil when the story has none.
  package func text(_ text: Text) throws(StorageError) -> StoredText? {
    guard let object = object(Self.field(of: text)) else { return nil }
    return try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try reader.stringBytes(object).map { StoredText($0) }
    }
  }

  /// Calls `body` with a text's bytes in UTF-8, if the story has such a text.
  package func withUTF8(
    of text: Text,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) throws(StorageError) {
    guard let object = object(Self.field(of: text)) else { return }
    try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try reader.stringBytes(object)?.withUTF8(body)
    }
  }

  /// The story's id; nil where it has none, or one that another program gave it.
  package func idNumber() throws(StorageError) -> UInt64? {
    guard let object = object(.id) else { return nil }
    return try ItemTable.reading(table.path) { () throws(PropertyListError) in
      switch try reader.stringBytes(object) {
      case .ascii(let bytes): return ItemID.number(of: bytes)
      case .utf16BigEndian: return try reader.string(object).flatMap { ItemID.number(of: $0.utf8) }
      case nil: return nil
      }
    }
  }

  /// What the story is known by in its feed, and nothing else of it.
  package func identity() throws(StorageError) -> Item {
    try Item(identityFrom: string)
  }

  private func string(_ field: ItemField) throws(StorageError) -> String? {
    guard let object = object(field) else { return nil }
    return try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try reader.string(object)
    }
  }

  private static func field(of text: Text) -> ItemField {
    switch text {
    case .id: .id
    case .title: .title
    case .link: .link
    case .guid: .guid
    case .summary: .summary
    }
  }

  /// Goes to a story; whether it has this `id`.
  mutating func isStory(_ index: Int, withID id: String) throws(StorageError) -> Bool {
    try move(to: index)
    if case .ascii(let bytes)? = try text(.id), !bytes.isEmpty {
      return bytes.count == id.utf8.count && bytes.elementsEqual(id.utf8)
    }
    return try table.id(at: index) == id
  }

  package func isRead() throws(StorageError) -> Bool { try boolean(.read) }
  package func isStarred() throws(StorageError) -> Bool { try boolean(.starred) }

  /// What the reader did with the story; neither value is nil.
  package func marks() throws(StorageError) -> ItemMarks {
    ItemMarks(isRead: try isRead(), isStarred: try isStarred())
  }

  func boolean(_ field: ItemField) throws(StorageError) -> Bool {
    guard let object = object(field) else { return false }
    return try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try reader.boolean(object) ?? false
    }
  }

  /// Seconds since 2001 of the story's date, and of when it was stored; nil for one that no
  /// calendar holds.
  package func instants() throws(StorageError) -> (date: Double?, stored: Double?) {
    (try instant(.date), try instant(.stored))
  }

  func instant(_ field: ItemField) throws(StorageError) -> Double? {
    guard let object = object(field) else { return nil }
    return try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try reader.date(object).flatMap { StoredDate.isInCalendar($0) ? $0 : nil }
    }
  }

  // MARK: Feeds

  /// Calls `body` with the position in `feeds` of each of the story's feeds.
  package mutating func forEachFeed(_ body: (Int) -> Void) throws(StorageError) {
    guard let list = object(.feeds) else { return }
    try ItemTable.reading(table.path) { () throws(PropertyListError) in
      let count = min(try reader.arrayCount(list) ?? 0, ItemRow.maximumElements)
      for position in 0..<count {
        guard let object = try reader.element(list, at: position) else { continue }
        if let number = try number(ofFeed: object) { body(number) }
      }
    }
  }

  /// The URLs of the story's feeds.
  package mutating func feedURLs() throws(StorageError) -> [String] {
    var numbers: [Int] = []
    try forEachFeed { numbers.append($0) }
    return numbers.map { feeds[$0] }
  }

  /// The same number for equal URLs, of which a file may have several objects.
  private mutating func number(ofFeed object: Int) throws(PropertyListError) -> Int? {
    if let known = feedNumbers[object] { return known }
    guard let url = try reader.string(object) else { return nil }
    let number = numbersByURL[url] ?? feeds.count
    if number == feeds.count {
      feeds.append(url)
      numbersByURL[url] = number
    }
    feedNumbers[object] = number
    return number
  }
}

/// Which entry of a story's dictionary is which field.
///
/// PERF: the stories of a file have few shapes, and the references to the keys, compared as bytes,
/// tell which one it is: a tenth of the time that it takes to look at each key.
struct StoryShape {
  private let keyBytes: [UInt8]
  /// The place of each field's entry, by `ItemField`'s order; -1 for none.
  let places: InlineArray<18, Int>

  /// Finds the fields; of a key that occurs twice the last one counts, as for `ItemRow`.
  init(
    _ entries: PropertyListEntries,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) {
    var places = InlineArray<18, Int>(repeating: -1)
    for place in 0..<min(entries.count, ItemRow.maximumKeys) {
      if let field = try ItemRow.field(entries.key(place), in: reader) { places[field] = place }
    }
    self.places = places
    keyBytes = Array(entries.keyBytes(atMost: ItemRow.maximumKeys))
  }

  /// Whether a dictionary has this shape.
  func isShape(of entries: PropertyListEntries) -> Bool {
    let bytes = entries.keyBytes(atMost: ItemRow.maximumKeys)
    guard bytes.count == keyBytes.count, let start = bytes.baseAddress else {
      return bytes.count == keyBytes.count
    }
    return memcmp(start, keyBytes, bytes.count) == 0
  }
}
