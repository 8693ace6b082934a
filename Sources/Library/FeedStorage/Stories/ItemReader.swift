package import FeedModel
internal import PropertyLists
package import System

/// Reads stories of the data file one after the other, and of each only the fields that are asked
/// for.
///
/// PERF: what it learns of the file's keys and of the feeds' URLs holds for all stories: looking at
/// each story anew takes ten times as long.
package struct ItemReader {
  let table: ItemTable
  let reader: BinaryPropertyListReader
  private var entries: PropertyListEntries?
  private var shapes = EntryShapes(most: 32)
  private var feedNumbers: [Int: Int] = [:]
  /// The URLs of the feeds met so far; `forEachFeed` gives indices in it.
  package private(set) var feeds: [String] = []
  private var numbersByURL: [String: Int] = [:]

  /// The most elements of a list in a story that are read.
  static let maximumElements = 1_024
  /// The most bytes of an `id`; a longer one counts as none.
  private static let maximumID = 1_024

  package init?(_ table: ItemTable) {
    guard let reader = table.reader else { return nil }
    self.table = table
    self.reader = reader
  }

  /// Moves to a story.
  ///
  /// - Throws: `.damaged`, also for an element that is no dictionary.
  package mutating func move(to index: Int) throws {
    let object = try table.object(at: index, in: reader)
    entries = try StorageError.translating(table.path) {
      guard let entries = try reader.entries(object) else { return nil }
      try takeShape(of: entries)
      return entries
    }
    guard entries != nil else {
      throw StorageError.damaged(
        path: table.path,
        reason: "story \(index + 1) is not a dictionary",
      )
    }
  }

  private mutating func takeShape(of entries: PropertyListEntries) throws {
    if shapes.take(shapeOf: entries) { return }
    shapes.add(
      try EntryShape(entries, count: ItemField.allCases.count) { key in
        guard case .ascii(let name)? = try reader.stringBytes(key) else { return nil }
        return ItemField(utf8: name)?.rawValue
      }
    )
  }

  // MARK: Fields

  func object(_ field: ItemField) -> Int? {
    guard let entries, shapes.slots[field.rawValue] >= 0 else { return nil }
    return entries.value(shapes.slots[field.rawValue])
  }

  /// The objects of the first keys.
  var keyObjects: [Int] {
    guard let entries else { return [] }
    return (0..<min(entries.count, EntryShape.maximumKeys)).map { entries.key($0) }
  }

  // PERF: inlined for the reason given at `StorageError.translating`.
  @inline(__always)
  func read<R>(_ field: ItemField, _ body: (_ object: Int) throws -> R?) throws -> R? {
    guard let object = object(field) else { return nil }
    return try StorageError.translating(table.path) {
      try body(object)
    }
  }

  package func text(_ field: ItemField) throws -> StringBytes? {
    try read(field) { object in
      try reader.stringBytes(object)
    }
  }

  /// Returns what `isWanted` says of a text in UTF-8; false without the text.
  ///
  /// PERF: nearly all addresses are ASCII, and need nothing generic around their bytes.
  package func has(
    _ field: ItemField,
    _ isWanted: (UnsafeRawBufferPointer) -> Bool,
  ) throws -> Bool {
    let isIt = try read(field) { object in
      switch try reader.stringBytes(object) {
      case .ascii(let bytes): isWanted(bytes)
      case let text?: text.withUTF8(isWanted)
      case nil: false
      }
    }
    return isIt ?? false
  }

  package func string(_ field: ItemField) throws -> String? {
    try read(field) { object in try reader.string(object) }
  }

  func boolean(_ field: ItemField) throws -> Bool {
    try read(field) { object in try reader.boolean(object) } ?? false
  }

  package func has(_ flag: StoryFlag) throws -> Bool { try boolean(flag.field) }
  package func isRead() throws -> Bool { try has(.read) }
  package func isStarred() throws -> Bool { try has(.starred) }

  package func flags() throws -> StoryFlags {
    var flags = StoryFlags()
    for flag in StoryFlag.allCases { flags[flag] = try has(flag) }
    return flags
  }

  /// The date in seconds since 2001; nil for one that no calendar holds.
  func instant(_ field: ItemField) throws -> Double? {
    try read(field) { object in
      try reader.date(object).flatMap { StoredDate.isInCalendar($0) ? $0 : nil }
    }
  }

  package func instants() throws -> (date: Double?, stored: Double?) {
    (try instant(.date), try instant(.stored))
  }

  package func date(_ field: ItemField) throws -> Date? {
    try instant(field).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  package func strings(_ field: ItemField) throws -> [String] {
    try read(field) { object in
      let count = min(try reader.arrayCount(object) ?? 0, Self.maximumElements)
      var strings: [String] = []
      // The elements may all be one object, and that as large as the file.
      var room = 65_536 + 2 * reader.bytes.buffer.count
      for position in 0..<count {
        guard let element = try reader.element(object, at: position),
          let text = try reader.string(element)
        else { continue }
        room -= text.utf8.count
        guard room >= 0 else { throw PropertyListError.tooLarge }
        strings.append(text)
      }
      return strings
    } ?? []
  }

  func value(_ field: ItemField) throws -> PropertyListValue? {
    try read(field) { object in try reader.value(object) }
  }

  // MARK: Identity

  /// The number of the story's id; nil without an id, or for one that another program gave.
  package func idNumber() throws -> UInt64? {
    try read(.id) { object in
      try reader.stringBytes(object).flatMap { $0.withUTF8 { ItemID.number(of: $0) } }
    }
  }

  package func storyID() throws -> StoryID {
    // PERF: mostly it is one of ours, and no string is made of it.
    try idNumber().map(StoryID.number) ?? StoryID(try id())
  }

  /// The stored `id`; for a story that another program wrote, the id that the rule gives it.
  package func id() throws -> String {
    if let id = try usableID() { return id }
    return ItemID.id(feed: try strings(.feeds).first ?? "", key: ItemID.key(of: try identity()))
  }

  /// Returns nil for a long id: a list keeps the ids of all stories in memory, and they may share
  /// one of a megabyte.
  private func usableID() throws -> String? {
    try read(.id) { object in
      switch try reader.stringBytes(object) {
      case .ascii(let bytes), .utf16BigEndian(let bytes):
        1...Self.maximumID ~= bytes.count ? try reader.string(object) : nil
      case nil: nil
      }
    }
  }

  /// Moves to a story, and returns true if it has this `id`.
  mutating func isStory(_ index: Int, withID id: String) throws -> Bool {
    try move(to: index)
    if case .ascii(let bytes)? = try text(.id), 1...Self.maximumID ~= bytes.count {
      return bytes.count == id.utf8.count && bytes.elementsEqual(id.utf8)
    }
    return try self.id() == id
  }

  /// The fields that the rule of identity (`ItemID.key`) reads: the rest of a story may be more
  /// than can be read.
  package func identity() throws -> Item {
    let title = try string(.title) ?? ""
    return Item(
      title: title,
      link: try string(.link) ?? "",
      pubDate: try string(.pubDate) ?? "",
      guid: try string(.guid),
      // The summary takes the place of a missing title.
      summary: title.isEmpty ? try string(.summary) : nil,
    )
  }

  // MARK: Feeds

  /// Calls `body` with the index in `feeds` of each of the story's feeds.
  package mutating func forEachFeed(_ body: (Int) -> Void) throws {
    if let list = feedList { try forEachFeed(ofList: list, body) }
  }

  package mutating func forEachFeed(ofList list: Int, _ body: (Int) -> Void) throws {
    try StorageError.translating(table.path) {
      let count = min(try reader.arrayCount(list) ?? 0, Self.maximumElements)
      for position in 0..<count {
        guard let object = try reader.element(list, at: position) else { continue }
        if let number = try number(ofFeed: object) { body(number) }
      }
    }
  }

  package mutating func feedURLs() throws -> [String] {
    var numbers: [Int] = []
    try forEachFeed { numbers.append($0) }
    return numbers.map { feeds[$0] }
  }

  /// Returns the object of the feed's URL of a story that is of one feed alone.
  package func onlyFeed() throws -> Int? {
    try read(.feeds) { list in
      try reader.arrayCount(list) == 1 ? try reader.element(list, at: 0) : nil
    }
  }

  /// Returns one number for equal URLs, of which a file may have several objects.
  private mutating func number(ofFeed object: Int) throws -> Int? {
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
