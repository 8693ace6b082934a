internal import FeedModel
internal import PropertyLists
internal import System

/// Builds the next version of a file of stories, from objects of the old one and new ones.
///
/// It is written in pieces, so that only the offsets of its objects are in memory. Where it keeps the
/// old objects, they are copied as they are, and only what is new or changed comes behind them.
struct DataFileBuilder: ~Copyable {
  typealias Sink = (UnsafeRawBufferPointer) throws -> Void
  typealias Object = BinaryPropertyListWriter.Object

  private(set) var (table, other): (ItemTable, ItemTable)
  let changes: StoryChanges
  let kept: KeptStories?
  /// The stories among the elements that are kept, with their positions in the table.
  private(set) var copied: [(start: Int, positions: Range<Int>)] = []
  /// The first stored story that is not written yet, and the first of those that are placed.
  private var (next, place) = (0, 0)
  var stories: StoryWriter
  var elements: [Object] = []

  init(_ table: ItemTable, _ changes: StoryChanges = .init(), keeping kept: KeptStories? = nil) {
    self.table = table
    self.changes = changes
    self.kept = kept
    other = changes.returning?.table ?? .empty
    stories = StoryWriter(
      to: BinaryPropertyListWriter(
        versionOf: table.reader,
        keeping: kept?.objects,
        and: other.reader,
      )
    )
    elements.reserveCapacity(changes.count(of: table.count))
  }

  mutating func write(_ ranges: [Range<Int>], to sink: Sink) throws {
    for range in ranges { try copy(range, to: sink) }
    try finish(to: sink)
  }

  mutating func write(to sink: Sink) throws {
    if let size = kept?.objects.bytes, let bytes = table.reader?.bytes {
      for start in stride(from: 0, to: size, by: PieceWriter.copiedPiece) {
        let piece = bytes.buffer[start..<min(start + PieceWriter.copiedPiece, size)]
        do { try sink(UnsafeRawBufferPointer(rebasing: piece)) } catch {
          // Pages of a file that was cut are an error for the kernel, and no signal.
          _ = try? table.reader?.arrayCount(table.array)
          try checkWhole()
          throw error
        }
        bytes.releasePages()
      }
      let isMade = changes.made != nil || !changes.replaced.isEmpty
      try stories.shareNewest(of: table, atMost: isMade ? 4_096 : 256)
    }
    for position in changes.touched where position >= next {
      try copy(until: position, to: sink)
      if !changes.leaves(position) { try add(position, to: sink) }
      next = position + 1
    }
    try copy(until: table.count, to: sink)
    try finish(to: sink)
  }

  /// Copies the stories before a position that are left, with those placed among them.
  private mutating func copy(until position: Int, to sink: Sink) throws {
    while place < changes.placed.count, changes.placed[place].before <= position {
      let (before, story) = changes.placed[place]
      if next < before {
        try copy(next..<before, to: sink)
        next = before
      }
      try add(story, to: sink)
      place += 1
    }
    try copy(next..<position, to: sink)
  }

  private mutating func finish(to sink: Sink) throws {
    try addIndex(to: sink)
    let root = stories.output.addRoot(elements)
    guard try stories.output.finish(root: root, to: sink) else {
      throw StorageError.tooLarge(path: table.path, limit: BinaryPropertyListWriter.maximumSize)
    }
    try checkWhole()
  }

  private func checkWhole() throws {
    guard !MappedFiles.isCutShort(table.path), !MappedFiles.isCutShort(other.path) else {
      throw StorageError.damaged(path: table.path, reason: "another program changed it meanwhile")
    }
  }

  private mutating func add(_ position: Int, to sink: Sink) throws {
    if let item = changes.replaced[position] {
      elements.append(try add(item, replacing: table.object(at: position), to: sink))
      try forward(to: sink)
    } else if let adjustment = changes.adjusted[position] {
      // Nothing else that is adjusted is among the keys.
      if kept != nil, adjustment.feeds == nil {
        copied.append((elements.count, position..<position + 1))
      }
      try copy(position, with: adjustment, to: sink)
    } else {
      try copy(position..<position + 1, to: sink)
    }
  }

  private mutating func add(_ story: PlacedStory, to sink: Sink) throws {
    switch story {
    case .stored(let position): try add(position, to: sink)
    case .made(let number):
      guard let made = changes.made else { preconditionFailure("numbers without a source") }
      elements.append(stories.add(try made.story(number)))
    case .returned(let position, let adjustment):
      exchangeTables()
      if adjustment == ItemAdjustment() {
        try copy(position..<position + 1, to: sink)
      } else {
        try copy(position, with: adjustment, to: sink)
      }
      exchangeTables()
    case .returnedReplaced(let position, let item):
      exchangeTables()
      elements.append(try add(item, replacing: table.object(at: position), to: sink))
      exchangeTables()
    }
    try forward(to: sink)
  }

  private mutating func exchangeTables() {
    swap(&table, &other)
    stories.output.exchangeSources()
  }

  mutating func forward(to sink: Sink) throws {
    guard stories.output.isFull else { return }
    try sink(stories.output.piece)
    stories.output.discardPiece()
  }

  /// Writes a story anew, with those entries of its old dictionary that `news` does not know.
  private mutating func add(
    _ item: StoredItem,
    replacing object: Int,
    to sink: Sink,
  ) throws -> Object {
    var extra: [StoryWriter.Entry] = []
    for (key, value) in try unknownEntries(of: object, item) {
      extra.append((key: try copy(key, to: sink), value: try copy(value, to: sink)))
    }
    return stories.add(item, extra: extra)
  }

  private func unknownEntries(
    of object: Int,
    _ item: StoredItem,
  ) throws -> [(key: Int, value: Int)] {
    guard let reader = table.reader else { return [] }
    return try StorageError.translating(table.path) {
      var unknown: [(Int, Int)] = []
      _ = try reader.forEachEntry(object) { (key, value) in
        let name = try reader.string(key)
        if name.map({ !item.writes($0) }) ?? true { unknown.append((key, value)) }
      }
      return unknown
    }
  }
}

extension StoredItem {
  /// Returns true if the story writes the entry of this name.
  ///
  /// An entry for which it has no matches or tags stays as it is: another program may use the name.
  fileprivate func writes(_ name: String) -> Bool {
    switch ItemField(name: name) {
    case nil: false
    case .matched: !matches.isEmpty
    case .changed, .previous: !changes.isEmpty
    case .tags: !tags.isEmpty
    case .rules: !rules.isEmpty
    case .file: file != nil
    case .arrived: arrived != nil
    case let field?:
      SyncKey.StoryMark.texts.first { $0.textField == field }.map { typedTexts[$0] != nil } ?? true
    }
  }
}

extension DataFileBuilder {
  mutating func copy(_ range: Range<Int>, to sink: Sink) throws {
    let kept = try StorageError.translating(table.path) {
      try stories.output.kept(range, of: table.array)
    }
    if let kept {
      if !range.isEmpty { copied.append((elements.count, range)) }
      return elements.append(contentsOf: kept)
    }
    for index in range {
      elements.append(try copy(table.object(at: index), to: sink))
      try forward(to: sink)
    }
  }

  mutating func copy(_ index: Int, with adjustment: ItemAdjustment, to sink: Sink) throws {
    elements.append(try copy(object: table.object(at: index), with: adjustment, to: sink))
    try forward(to: sink)
  }

  mutating func copy(_ object: Int, to sink: Sink) throws -> Object {
    let copy = try StorageError.translating(table.path) {
      try stories.output.enqueue(object)
    }
    try copyQueued(to: sink)
    return copy
  }

  private mutating func copyQueued(to sink: Sink) throws {
    while try !StorageError.translating(
      table.path,
      { try stories.output.copyQueued() },
    ) {
      try forward(to: sink)
    }
  }

  /// Copies a story with other values; an element that is no dictionary is copied as it is.
  private mutating func copy(
    object: Int,
    with adjustment: ItemAdjustment,
    to sink: Sink,
  ) throws -> Object {
    let changed = adjustment.entries
    guard let reader = table.reader,
      var entries = try entries(of: object, without: changed.map(\.field), reader)
    else { return try copy(object, to: sink) }
    try copyQueued(to: sink)
    for case (let field, let value?) in changed {
      entries.keys.append(stories.output.addShared(.string(field.name)))
      entries.values.append(stories.addShared(value))
    }
    return stories.output.add(keys: entries.keys, values: entries.values)
  }

  private mutating func entries(
    of object: Int,
    without fields: [ItemField],
    _ reader: BinaryPropertyListReader,
  ) throws -> (keys: [Object], values: [Object])? {
    try StorageError.translating(table.path) {
      try stories.output.enqueue(entriesOf: object) { key in
        guard case .ascii(let name)? = try reader.stringBytes(key) else { return false }
        return fields.contains { $0.isNamed(name) }
      }
    }
  }
}

extension ItemAdjustment {
  /// The changed entries of a story's dictionary; nil for one that is left out.
  fileprivate var entries: [(field: ItemField, value: PropertyListValue?)] {
    var entries: [(ItemField, PropertyListValue?)] = []
    for flag in StoryFlag.allCases {
      if let isSet = marks[flag] { entries.append((flag.field, isSet ? .boolean(true) : nil)) }
    }
    if let feeds { entries.append((.feeds, .strings(feeds))) }
    if let tags { entries.append((.tags, .strings(tags))) }
    if let article {
      entries.append((.pageText, article.isShown ? .boolean(true) : nil))
      entries.append((.articleText, article.isBeside ? .integer(Int64(article.number)) : nil))
    }
    for mark in SyncKey.StoryMark.texts {
      guard let text = texts[mark], let field = mark.textField else { continue }
      entries.append((field, text.isEmpty ? nil : .string(text)))
    }
    return entries
  }
}
