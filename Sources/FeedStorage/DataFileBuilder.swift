internal import FeedModel
internal import PropertyLists

/// The next version of the data file: objects of the old one, and new ones.
///
/// It goes out in pieces while it is made, so that no more of it is in memory than the places of
/// its objects.
struct DataFileBuilder: ~Copyable {
  typealias Sink = (UnsafeRawBufferPointer) throws(StorageError) -> Void
  private typealias Object = BinaryPropertyListWriter.Object

  private let table: ItemTable
  private let source: StorySource?
  private var writer: BinaryPropertyListWriter
  private var elements: [Object] = []

  /// - Parameters:
  ///   - table: what is stored.
  ///   - edits: all that will be appended.
  ///   - source: makes the stories that edits only number.
  init(_ table: ItemTable, for edits: [ItemEdit], from source: StorySource?) {
    self.table = table
    self.source = source
    let numbered = source?.maximumObjects ?? 0
    writer = BinaryPropertyListWriter(
      copyingFrom: table.reader,
      adding: edits.reduce(1 + StoredItem.keyCount + numbered) { $0 + $1.objectCount },
    )
    elements.reserveCapacity(edits.reduce(0) { $0 + $1.storyCount })
  }

  /// Writes the file of which the edits are the stories.
  mutating func write(_ edits: [ItemEdit], to sink: Sink) throws(StorageError) {
    for edit in edits { try append(edit, to: sink) }
    let isWhole = try writer.finish(root: writer.add(array: elements), to: sink)
    guard isWhole else {
      throw .damaged(path: table.path, reason: "it would be larger than 4 GiB")
    }
    guard !MappedFiles.isCutShort(table.path) else {
      throw .damaged(path: table.path, reason: "another program changed it meanwhile")
    }
  }

  private mutating func append(_ edit: ItemEdit, to sink: Sink) throws(StorageError) {
    switch edit {
    case .keep(let range):
      for index in range {
        elements.append(try copy(table.object(at: index), to: sink))
        try passOn(to: sink)
      }
    case .replace(let index, let item):
      elements.append(try add(item.dictionary(), replacing: table.object(at: index), to: sink))
    case .insert(let item):
      insert(item)
    case .insertNumber(let number):
      guard let source else { preconditionFailure("numbers without a source") }
      insert(try source.story(number))
    }
    try passOn(to: sink)
  }

  private mutating func insert(_ item: StoredItem) {
    elements.append(writer.add(sharing: item.dictionary(), extra: []))
  }

  /// Hands over what was written, if it is enough.
  private mutating func passOn(to sink: Sink) throws(StorageError) {
    guard writer.isFull else { return }
    try sink(writer.piece)
    writer.take()
  }

  private mutating func copy(_ object: Int, to sink: Sink) throws(StorageError) -> Object {
    let copy = try takeOver(object)
    while try !copyWaiting() { try passOn(to: sink) }
    return copy
  }

  private mutating func takeOver(_ object: Int) throws(StorageError) -> Object {
    do throws(PropertyListError) {
      return try writer.takeOver(object)
    } catch {
      throw ItemTable.failure(error, table.path)
    }
  }

  private mutating func copyWaiting() throws(StorageError) -> Bool {
    do throws(PropertyListError) {
      return try writer.copyWaiting()
    } catch {
      throw ItemTable.failure(error, table.path)
    }
  }

  /// A story's new dictionary with those entries of the old one that `news` does not know.
  private mutating func add(
    _ dictionary: PropertyListDictionary,
    replacing object: Int,
    to sink: Sink,
  ) throws(StorageError) -> Object {
    var extra: [(Object, Object)] = []
    for (key, value) in try unknownEntries(of: object) {
      extra.append((try copy(key, to: sink), try copy(value, to: sink)))
    }
    return writer.add(sharing: dictionary, extra: extra)
  }

  private func unknownEntries(of object: Int) throws(StorageError) -> [(key: Int, value: Int)] {
    guard let reader = table.reader else { return [] }
    return try ItemTable.reading(table.path) { () throws(PropertyListError) in
      var unknown: [(Int, Int)] = []
      _ = try reader.forEachEntry(object) { (key, value) throws(PropertyListError) in
        let isKnown = try reader.string(key).flatMap { ItemField(rawValue: $0) } != nil
        if !isKnown { unknown.append((key, value)) }
      }
      return unknown
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
    var values: [Object] = []
    values.reserveCapacity(keys.count + extra.count)
    for entry in dictionary.entries { values.append(add(entry.value)) }
    keys += extra.map(\.0)
    values += extra.map(\.1)
    return add(keys: keys, values: values)
  }
}
