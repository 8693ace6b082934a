internal import FeedModel
internal import PropertyLists

/// What is copied: stories as bytes, some with other marks and feeds.
extension DataFileBuilder {
  mutating func copy(_ range: Range<Int>, to sink: Sink) throws(StorageError) {
    for index in range {
      elements.append(try copy(table.object(at: index), to: sink))
      try passOn(to: sink)
    }
  }

  mutating func copy(
    _ index: Int,
    with adjustment: ItemAdjustment,
    to sink: Sink,
  ) throws(StorageError) {
    elements.append(try copy(object: table.object(at: index), with: adjustment, to: sink))
    try passOn(to: sink)
  }

  mutating func copy(_ object: Int, to sink: Sink) throws(StorageError) -> Object {
    let copy: Object
    do throws(PropertyListError) {
      copy = try writer.takeOver(object)
    } catch {
      throw ItemTable.failure(error, table.path)
    }
    try copyWaiting(to: sink)
    return copy
  }

  private mutating func copyWaiting(to sink: Sink) throws(StorageError) {
    while try !copyWaiting() { try passOn(to: sink) }
  }

  private mutating func copyWaiting() throws(StorageError) -> Bool {
    do throws(PropertyListError) {
      return try writer.copyWaiting()
    } catch {
      throw ItemTable.failure(error, table.path)
    }
  }

  /// A story with other marks and feeds; what is no dictionary has none.
  private mutating func copy(
    object: Int,
    with adjustment: ItemAdjustment,
    to sink: Sink,
  ) throws(StorageError) -> Object {
    guard let reader = table.reader,
      let entries = try entries(of: object, without: adjustment, reader)
    else { return try copy(object, to: sink) }
    try copyWaiting(to: sink)
    let new = adjusting.entries(of: adjustment, in: &writer)
    return writer.add(keys: entries.keys + new.keys, values: entries.values + new.values)
  }

  private mutating func entries(
    of object: Int,
    without adjustment: ItemAdjustment,
    _ reader: BinaryPropertyListReader,
  ) throws(StorageError) -> (keys: [Object], values: [Object])? {
    do throws(PropertyListError) {
      return try writer.takeOver(entriesOf: object) { key throws(PropertyListError) in
        try adjustment.isOf(key, reader)
      }
    } catch {
      throw ItemTable.failure(error, table.path)
    }
  }
}

extension ItemAdjustment {
  /// Whether the entry with this key is one of those that are changed.
  func isOf(_ key: Int, _ reader: BinaryPropertyListReader) throws(PropertyListError) -> Bool {
    if marks.isRead != nil, try reader.isString(key, "read") { return true }
    if marks.isStarred != nil, try reader.isString(key, "starred") { return true }
    return feeds == nil ? false : try reader.isString(key, "feeds")
  }
}

/// Entries that adjusted stories have in common, each stored once.
struct AdjustedObjects {
  typealias Object = BinaryPropertyListWriter.Object

  private var yes: Object?
  private var lists: [[String]: Object] = [:]

  /// What an adjustment adds to a story's dictionary.
  mutating func entries(
    of adjustment: ItemAdjustment,
    in writer: inout BinaryPropertyListWriter,
  ) -> (keys: [Object], values: [Object]) {
    var (keys, values): ([Object], [Object]) = ([], [])
    let marks = adjustment.marks
    for (field, value) in [(ItemField.read, marks.isRead), (.starred, marks.isStarred)]
    where value == true {
      keys.append(writer.addShared(.string(field.rawValue)))
      values.append(mark(&writer))
    }
    if let feeds = adjustment.feeds, !feeds.isEmpty {
      keys.append(writer.addShared(.string(ItemField.feeds.rawValue)))
      values.append(list(feeds, &writer))
    }
    return (keys, values)
  }

  private mutating func mark(_ writer: inout BinaryPropertyListWriter) -> Object {
    let mark = yes ?? writer.add(.boolean(true))
    yes = mark
    return mark
  }

  private mutating func list(
    _ feeds: [String],
    _ writer: inout BinaryPropertyListWriter,
  ) -> Object {
    if let known = lists[feeds] { return known }
    let elements = feeds.map { writer.addShared(.string($0)) }
    let list = writer.add(array: elements)
    lists[feeds] = list
    return list
  }
}
