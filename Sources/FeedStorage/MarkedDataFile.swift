internal import FeedModel
internal import PropertyLists

/// The next version of the data file where a few stories have other marks and nothing else is new.
///
/// Their dictionaries are added behind everything else, which stays as it is; see
/// `BinaryPropertyListPatch`. What was added that way is gone when the file is next written whole.
struct MarkedDataFile {
  private let table: ItemTable
  private let reader: BinaryPropertyListReader
  private var patch: BinaryPropertyListPatch
  private var known: [ItemField: Int] = [:]
  private var yes: Int?

  /// Stories that may get other marks.
  private static let maximumStories = 4_096
  /// The part of the file that may be made up of what was added.
  private static let share = 8
  /// Objects, or stories, among which those are looked for that a mark needs.
  private static let neighbours = 64

  /// nil for edits, or a file, for which this is not the way.
  init?(_ table: ItemTable, for edits: [ItemEdit]) throws(StorageError) {
    guard let reader = table.reader, let marked = Self.marked(edits, of: table) else { return nil }
    let patch = try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try BinaryPropertyListPatch(of: reader)
    }
    guard let patch else { return nil }
    self.table = table
    self.reader = reader
    self.patch = patch
    for (range, marks) in marked {
      for index in range {
        try mark(index, marks)
        // Many elements may be one dictionary as large as the file.
        guard isSmall else { return nil }
      }
    }
    guard isSmall, self.patch.fits else { return nil }
  }

  private var isSmall: Bool {
    let size = reader.bytes.buffer.count
    return patch.patchedSize <= size / Self.share
      && size + patch.patchedSize <= LibraryStore.maximumSize
  }

  /// The stories with other marks; nil where the edits change anything else.
  private static func marked(
    _ edits: [ItemEdit],
    of table: ItemTable,
  ) -> [(Range<Int>, ItemMarks)]? {
    var marked: [(Range<Int>, ItemMarks)] = []
    var (next, count) = (0, 0)
    for edit in edits {
      switch edit {
      case .keep(let range) where range.lowerBound == next: next = range.upperBound
      case .mark(let range, let marks) where range.lowerBound == next:
        next = range.upperBound
        count += range.count
        marked.append((range, marks))
      default: return nil
      }
      if count > maximumStories { return nil }
    }
    return next == table.count ? marked : nil
  }

  func write(to sink: DataFileBuilder.Sink) throws(StorageError) {
    try patch.write(to: sink)
    guard !MappedFiles.isCutShort(table.path) else {
      throw .damaged(path: table.path, reason: "another program changed it meanwhile")
    }
  }

  // MARK: The stories

  /// What is no dictionary has no marks.
  private mutating func mark(_ index: Int, _ marks: ItemMarks) throws(StorageError) {
    let story = try table.object(at: index)
    var (keys, values): ([Int], [Int]) = ([], [])
    let isDictionary = try ItemTable.reading(table.path) { () throws(PropertyListError) in
      try reader.forEachEntry(story) { (key, value) throws(PropertyListError) in
        if try ItemAdjustment(marks: marks).isOf(key, reader) { return }
        keys.append(key)
        values.append(value)
      }
    }
    guard isDictionary else { return }
    for (field, value) in [(ItemField.read, marks.isRead), (.starred, marks.isStarred)]
    where value == true {
      keys.append(key(field))
      values.append(mark())
    }
    patch.replaceElement(at: index, by: patch.add(keys: keys, values: values))
  }

  private mutating func key(_ field: ItemField) -> Int {
    let name: StaticString = field == .read ? "read" : "starred"
    let key = known[field] ?? object { object in isString(object, name) } ?? patch.add(name)
    known[field] = key
    return key
  }

  private mutating func mark() -> Int {
    let mark = yes ?? object { object in isTrue(object) } ?? patch.add(true)
    yes = mark
    return mark
  }

  // What cannot be read is not what is looked for; it stays as it is.
  private func isString(_ object: Int, _ name: StaticString) -> Bool {
    (try? reader.isString(object, name)) ?? false
  }

  private func isTrue(_ object: Int) -> Bool {
    (try? reader.boolean(object)) == true
  }

  /// An object among those that were added last, and those of the newest stories.
  private func object(_ isWanted: (Int) -> Bool) -> Int? {
    let last = max(0, reader.count - Self.neighbours)..<reader.count
    if let object = last.last(where: isWanted) { return object }
    var found: Int?
    for index in 0..<min(table.count, Self.neighbours) where found == nil {
      guard let story = try? table.object(at: index) else { continue }
      _ = try? reader.forEachEntry(story, atMost: ItemRow.maximumKeys) { key, value in
        if found == nil { found = [key, value].first(where: isWanted) }
      }
    }
    return found
  }
}
