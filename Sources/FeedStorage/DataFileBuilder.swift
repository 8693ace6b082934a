internal import FeedModel
internal import PropertyLists

/// The next version of the data file: objects of the old one, and new ones.
struct DataFileBuilder {
  private let table: ItemTable
  private var writer: BinaryPropertyListWriter
  private var elements: [BinaryPropertyListWriter.Object] = []
  private var shared = SharedObjects()
  private var lastKeys: [BinaryPropertyListWriter.Object] = []
  /// One for all marks that are set.
  private var yes: BinaryPropertyListWriter.Object?

  init(_ table: ItemTable) {
    self.table = table
    writer = BinaryPropertyListWriter(copyingFrom: table.reader)
    elements.reserveCapacity(table.count + 64)
  }

  mutating func append(_ edit: ItemEdit) throws(StorageError) {
    switch edit {
    case .keep(let range):
      elements += try copies(range)
    case .replace(let index, let item):
      elements.append(try add(item, replacing: table.object(at: index)))
    case .insert(let item):
      elements.append(add(item, extra: shared.provenance(of: item, in: &writer)))
    case .restore(let item, let unknown):
      let extra = shared.provenance(of: item, in: &writer) + shared.add(unknown, to: &writer)
      elements.append(add(item, extra: extra))
    case .mark(let range, let marks):
      for index in range { elements.append(try copy(index, with: marks)) }
    }
  }

  private mutating func copies(
    _ range: Range<Int>
  ) throws(StorageError) -> [BinaryPropertyListWriter.Object] {
    guard table.reader != nil, !range.isEmpty else { return [] }
    let objects: [BinaryPropertyListWriter.Object]?
    do throws(PropertyListError) {
      objects = try writer.copy(elements: range, of: table.array)
    } catch {
      throw ItemTable.failure(error, table.path)
    }
    guard let objects else {
      throw .damaged(path: table.path, reason: "there are no stories \(range) of \(table.count)")
    }
    return objects
  }

  /// A story with other marks; what is no dictionary has none.
  private mutating func copy(
    _ index: Int,
    with marks: ItemMarks,
  ) throws(StorageError) -> BinaryPropertyListWriter.Object {
    let object = try table.object(at: index)
    guard let reader = table.reader, let entries = try entries(of: object, without: marks, reader)
    else { return try copy(object) }
    var (keys, values) = entries
    for (field, value) in [(ItemField.read, marks.isRead), (.starred, marks.isStarred)]
    where value == true {
      keys.append(writer.addShared(.string(field.rawValue)))
      let mark = yes ?? writer.add(.boolean(true))
      yes = mark
      values.append(mark)
    }
    return writer.add(keys: keys, values: values)
  }

  private mutating func entries(
    of object: Int,
    without marks: ItemMarks,
    _ reader: BinaryPropertyListReader,
  ) throws(StorageError) -> (
    keys: [BinaryPropertyListWriter.Object], values: [BinaryPropertyListWriter.Object]
  )? {
    do throws(PropertyListError) {
      return try writer.copy(entries: object) { key throws(PropertyListError) in
        if marks.isRead != nil, try reader.isString(key, "read") { return true }
        return marks.isStarred == nil ? false : try reader.isString(key, "starred")
      }
    } catch {
      throw ItemTable.failure(error, table.path)
    }
  }

  private mutating func copy(
    _ object: Int
  ) throws(StorageError)
    -> BinaryPropertyListWriter.Object
  {
    do throws(PropertyListError) {
      return try writer.copy(object)
    } catch {
      throw ItemTable.failure(error, table.path)
    }
  }

  /// A story's new dictionary with those entries of the old one that `news` does not know, and with
  /// its origin.
  private mutating func add(
    _ item: StoredItem,
    replacing object: Int,
  ) throws(StorageError) -> BinaryPropertyListWriter.Object {
    var extra = shared.provenance(of: item, in: &writer)
    guard let reader = table.reader else { return add(item, extra: extra) }
    let unknown = try ItemTable.reading(table.path) { () throws(PropertyListError) in
      var unknown: [(Int, Int)] = []
      _ = try reader.forEachEntry(object) { (key, value) throws(PropertyListError) in
        let name = try reader.string(key)
        if name.map({ !item.writes($0) }) ?? true { unknown.append((key, value)) }
      }
      return unknown
    }
    for (key, value) in unknown { extra.append((key: try copy(key), value: try copy(value))) }
    return add(item, extra: extra)
  }

  private mutating func add(
    _ item: StoredItem,
    extra: [(key: BinaryPropertyListWriter.Object, value: BinaryPropertyListWriter.Object)],
  ) -> BinaryPropertyListWriter.Object {
    let dictionary = item.dictionary()
    let keys = joined(writer.addKeys(of: dictionary), extra)
    var values: [BinaryPropertyListWriter.Object] = []
    values.reserveCapacity(dictionary.entries.count + extra.count)
    for entry in dictionary.entries {
      if let stored = item.stored, entry.key == ItemField.stored.rawValue {
        values.append(shared.add(stored, to: &writer))
      } else {
        values.append(writer.add(entry.value))
      }
    }
    for entry in extra { values.append(entry.value) }
    return writer.add(keys: keys, values: values)
  }

  /// The keys of a story; nearly always those of the story before.
  private mutating func joined(
    _ keys: [BinaryPropertyListWriter.Object],
    _ extra: [(key: BinaryPropertyListWriter.Object, value: BinaryPropertyListWriter.Object)],
  ) -> [BinaryPropertyListWriter.Object] {
    let isRepeated =
      lastKeys.count == keys.count + extra.count && lastKeys.starts(with: keys)
      && extra.indices.allSatisfy { lastKeys[keys.count + $0] == extra[$0].key }
    if !isRepeated { lastKeys = keys + extra.map(\.key) }
    return lastKeys
  }

  mutating func write(
    to sink: (UnsafeRawBufferPointer) throws(StorageError) -> Void
  ) throws(StorageError) {
    try write(writer.add(array: elements), to: sink)
  }

  /// Writes a dictionary without stories.
  mutating func write(
    _ root: PropertyListDictionary,
    to sink: (UnsafeRawBufferPointer) throws(StorageError) -> Void,
  ) throws(StorageError) {
    try write(writer.add(.dictionary(root)), to: sink)
  }

  /// Writes the stories as the last entry of a dictionary.
  mutating func write(
    as key: String,
    in root: PropertyListDictionary,
    to sink: (UnsafeRawBufferPointer) throws(StorageError) -> Void,
  ) throws(StorageError) {
    let keys = writer.addKeys(of: root) + [writer.addShared(.string(key))]
    let values = root.entries.map { writer.add($0.value) } + [writer.add(array: elements)]
    try write(writer.add(keys: keys, values: values), to: sink)
  }

  private mutating func write(
    _ root: BinaryPropertyListWriter.Object,
    to sink: (UnsafeRawBufferPointer) throws(StorageError) -> Void,
  ) throws(StorageError) {
    let isWhole = try writer.write(root: root, to: sink)
    guard isWhole, !MappedFiles.isCutShort(table.path) else {
      throw .damaged(path: table.path, reason: "another program changed it meanwhile")
    }
  }
}

extension StoredItem {
  /// Whether the entry of this name is the story's own to write.
  ///
  /// What it has no provenance for stays as it is: another program may use the same name.
  fileprivate func writes(_ name: String) -> Bool {
    switch ItemField(rawValue: name) {
    case nil: name == StoryOrigin.key && origin != nil
    case .matched: !matches.isEmpty
    case .changed, .previous: !changes.isEmpty
    default: true
    }
  }
}
