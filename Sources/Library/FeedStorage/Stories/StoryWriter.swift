internal import FeedModel
internal import PropertyLists
internal import System

/// Writes stories' dictionaries; empty optional values are left out.
///
/// PERF: the values go to the output from their place, without a property list in between, and the
/// keys of one story are nearly always those of the one before.
struct StoryWriter: ~Copyable {
  typealias Object = BinaryPropertyListWriter.Object
  typealias Entry = (key: Object, value: Object)
  typealias Failure = Never

  var output: BinaryPropertyListWriter
  /// Values that many stories share, such as the time of one run, each stored once.
  private var sharedValues: [PropertyListValue: Object] = [:]
  private var sharedLists: [String: Object] = [:]
  private var sharedTrue: Object?
  private var fields: [ItemField] = []
  private var values: [Object] = []
  private var elements: [Object] = []
  private var lastFields: [ItemField] = []
  private var lastExtra: [Object] = []
  private var lastKeys: [Object] = []

  init(to output: consuming BinaryPropertyListWriter) {
    self.output = output
  }

  /// Has new stories refer to the keys, feeds and authors of the newest ones in a file whose objects
  /// are kept; all others are written again.
  mutating func shareNewest(of table: ItemTable, atMost count: Int) throws {
    guard var story = ItemReader(table) else { return }
    var seen: Set<Int> = []
    for position in 0..<min(table.count, count) where (try? story.move(to: position)) != nil {
      try StorageError.translating(table.path) {
        for key in position < 256 ? story.keyObjects : [] where seen.insert(key).inserted {
          _ = try output.share(key)
        }
        if let author = story.object(.author), seen.insert(author).inserted {
          _ = try output.share(author)
        }
        guard let list = story.object(.feeds), seen.insert(list).inserted,
          try story.reader.arrayCount(list) == 1,
          let feed = try story.reader.element(list, at: 0), let url = try output.share(feed)
        else { return }
        sharedLists[url] = try output.enqueue(list)
      }
    }
  }

  mutating func add(_ story: StoredItem, extra: [Entry] = []) -> Object {
    story.item.withContents { add(story, $0, extra: extra) }
  }

  mutating func add(
    _ story: StoredItem,
    _ contents: PackedItem,
    extra: [Entry] = [],
  ) -> Object {
    fields.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    add(.title, output.add(utf8: contents.text(.title)))
    add(.pubDate, output.add(utf8: contents.text(.pubDate)))
    addLink(contents.text(.link), guid: contents.text(.guid))
    let summary = contents.text(.summary)
    if !summary.isEmpty { add(.summary, output.add(utf8: summary)) }
    _ = contents.details.coded(by: &self)
    _ = story.coded(by: &self)
    for entry in extra { values.append(entry.value) }
    let keys = keys(with: extra)
    return output.add(keys: keys, values: values)
  }

  mutating func addShared(_ value: PropertyListValue) -> Object {
    if let object = sharedValues[value] { return object }
    let object = output.add(value)
    sharedValues[value] = object
    return object
  }

  /// Writes the link and the guid; half of all feeds have the link as the guid, so one object is
  /// both.
  private mutating func addLink(
    _ link: UnsafeBufferPointer<UInt8>,
    guid: UnsafeBufferPointer<UInt8>,
  ) {
    let object = output.add(utf8: link)
    add(.link, object)
    if !guid.isEmpty { add(.guid, guid.isEqual(to: link) ? object : output.add(utf8: guid)) }
  }

  private mutating func add(_ field: ItemField, _ value: Object) {
    fields.append(field)
    values.append(value)
  }

  private mutating func keys(with extra: [Entry]) -> [Object] {
    let isRepeated =
      fields == lastFields && lastExtra.count == extra.count
      && extra.indices.allSatisfy { extra[$0].key == lastExtra[$0] }
    guard !isRepeated else { return lastKeys }
    lastFields = fields
    lastExtra = extra.map(\.key)
    lastKeys.removeAll(keepingCapacity: true)
    for field in fields { lastKeys.append(output.addShared(.string(field.name))) }
    lastKeys += lastExtra
    return lastKeys
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func isEqual(to other: Self) -> Bool {
    guard count == other.count, let start = baseAddress, let other = other.baseAddress else {
      return count == other.count
    }
    return memcmp(start, other, count) == 0
  }
}

extension StoryWriter: StoryCoder {
  mutating func flag(_ field: ItemField, _ value: Bool) -> Bool {
    guard value else { return false }
    let object = sharedTrue ?? output.add(.boolean(true))
    sharedTrue = object
    add(field, object)
    return true
  }

  mutating func number(_ field: ItemField, _ value: Int?) -> Int? {
    if let value { add(field, output.add(.integer(Int64(value)))) }
    return value
  }

  mutating func date(_ field: ItemField, _ value: Date?) -> Date? {
    if let value {
      let date = PropertyListValue.date(value.timeIntervalSinceReferenceDate)
      add(field, [.stored, .arrived].contains(field) ? addShared(date) : output.add(date))
    }
    return value
  }

  mutating func text(_ field: ItemField, _ value: String?) -> String? {
    guard let value else { return nil }
    let text = PropertyListValue.string(value)
    add(field, field == .author ? output.addShared(text) : output.add(text))
    return value
  }

  mutating func texts(_ field: ItemField, _ value: [String]) -> [String] {
    guard let first = value.first else { return value }
    let shared = value.count == 1 ? sharedLists[first] : nil
    add(field, shared ?? addList(value))
    return value
  }

  private mutating func addList(_ value: [String]) -> Object {
    elements.removeAll(keepingCapacity: true)
    for text in value { elements.append(output.addShared(.string(text))) }
    let list = output.add(array: elements)
    if value.count == 1 { sharedLists[value[0]] = list }
    return list
  }

  func hasParts(_: ItemField, count: Int) -> Bool { count > 0 }

  mutating func parts<Part: ItemPart>(_ field: ItemField, _ value: [Part]) -> [Part] {
    add(field, output.add(.array(value.map(\.value))))
    return value
  }

  mutating func matches(_ field: ItemField, _ value: [StoryMatch]) -> [StoryMatch] {
    if !value.isEmpty { add(field, addShared(.array(value.map(\.value)))) }
    return value
  }

  mutating func changes(
    _ dates: ItemField,
    _ previous: ItemField,
    _ value: [StoryChange],
  ) -> [StoryChange] {
    guard !value.isEmpty else { return value }
    let values = StoryChange.values(value)
    add(dates, addShared(values.dates))
    if let texts = values.previous { add(previous, output.add(texts)) }
    return value
  }
}
