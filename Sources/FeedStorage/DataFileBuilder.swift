internal import FeedModel
internal import PropertyLists

/// The next version of the data file: objects of the old one, and new ones.
struct DataFileBuilder {
  private let table: ItemTable
  private var writer: BinaryPropertyListWriter
  private var elements: [BinaryPropertyListWriter.Object] = []
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
      elements.append(try add(item.dictionary(), replacing: table.object(at: index)))
    case .insert(let item):
      elements.append(writer.add(sharing: item.dictionary(), extra: []))
    case .restore(let item, let unknown):
      var dictionary = item.dictionary()
      for entry in unknown.dictionary.entries { dictionary.append(entry.key, entry.value) }
      elements.append(writer.add(sharing: dictionary, extra: []))
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

  /// A story's new dictionary with those entries of the old one that `news` does not know.
  private mutating func add(
    _ dictionary: PropertyListDictionary,
    replacing object: Int,
  ) throws(StorageError) -> BinaryPropertyListWriter.Object {
    guard let reader = table.reader else { return writer.add(sharing: dictionary, extra: []) }
    let unknown = try ItemTable.reading(table.path) { () throws(PropertyListError) in
      var unknown: [(Int, Int)] = []
      _ = try reader.forEachEntry(object) { (key, value) throws(PropertyListError) in
        let isKnown = try reader.string(key).flatMap { ItemField(rawValue: $0) } != nil
        if !isKnown { unknown.append((key, value)) }
      }
      return unknown
    }
    var extra: [(BinaryPropertyListWriter.Object, BinaryPropertyListWriter.Object)] = []
    for (key, value) in unknown { extra.append((try copy(key), try copy(value))) }
    return writer.add(sharing: dictionary, extra: extra)
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

extension BinaryPropertyListWriter {
  /// A dictionary of new values and of copied entries behind them.
  fileprivate mutating func add(
    sharing dictionary: PropertyListDictionary,
    extra: [(Object, Object)],
  ) -> Object {
    var keys = addKeys(of: dictionary)
    var values = dictionary.entries.map { add($0.value) }
    keys += extra.map(\.0)
    values += extra.map(\.1)
    return add(keys: keys, values: values)
  }
}
