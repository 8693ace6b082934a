internal import FeedModel
internal import PropertyLists
internal import System

/// Values that many stories of a data file have in common, each stored once.
///
/// All stories of one run were stored at one moment.
struct SharedObjects {
  typealias Object = BinaryPropertyListWriter.Object
  typealias Entry = (key: Object, value: Object)

  private var keys: [String: Object] = [:]
  private var dates: [Double: Object] = [:]
  private var matches: [[StoryMatch]: Object] = [:]
  private var changes: [[StoryChange.Part: Date]: Object] = [:]

  /// A date that other stories may have too.
  mutating func add(_ date: Date, to writer: inout BinaryPropertyListWriter) -> Object {
    let seconds = date.timeIntervalSinceReferenceDate
    if let object = dates[seconds] { return object }
    let object = writer.add(.date(seconds))
    dates[seconds] = object
    return object
  }

  /// The entries that tell by what a story was recognised, and what has changed of it.
  mutating func provenance(
    of item: StoredItem,
    in writer: inout BinaryPropertyListWriter,
  ) -> [Entry] {
    var entries: [Entry] = []
    if !item.matches.isEmpty {
      entries.append((key(ItemField.matched.rawValue, &writer), add(item.matches, to: &writer)))
    }
    guard !item.changes.isEmpty else { return entries }
    entries.append((key(ItemField.changed.rawValue, &writer), add(item.changes, to: &writer)))
    var previous = PropertyListDictionary()
    for change in item.changes {
      if let was = change.was { previous.append(change.part.rawValue, .string(was)) }
    }
    if !previous.entries.isEmpty {
      let key = key(ItemField.previous.rawValue, &writer)
      entries.append((key, writer.add(.dictionary(previous))))
    }
    return entries
  }

  private mutating func key(_ name: String, _ writer: inout BinaryPropertyListWriter) -> Object {
    if let key = keys[name] { return key }
    let key = writer.addShared(.string(name))
    keys[name] = key
    return key
  }

  private mutating func add(
    _ list: [StoryMatch],
    to writer: inout BinaryPropertyListWriter,
  ) -> Object {
    if let object = matches[list] { return object }
    let dictionaries = list.compactMap(\.value.dictionary).map { add($0, to: &writer) }
    let object = writer.add(array: dictionaries)
    matches[list] = object
    return object
  }

  /// The dates of the changes; what was there before is each story's own.
  private mutating func add(
    _ list: [StoryChange],
    to writer: inout BinaryPropertyListWriter,
  ) -> Object {
    let dates = Dictionary(list.map { ($0.part, $0.date) }, uniquingKeysWith: { $1 })
    if let object = changes[dates] { return object }
    var dictionary = PropertyListDictionary()
    for change in list {
      let seconds = change.date.timeIntervalSinceReferenceDate
      dictionary.append(change.part.rawValue, .date(seconds))
    }
    let object = add(dictionary, to: &writer)
    changes[dates] = object
    return object
  }

  /// A dictionary of which the dates and strings are shared.
  private mutating func add(
    _ dictionary: PropertyListDictionary,
    to writer: inout BinaryPropertyListWriter,
  ) -> Object {
    let keys = dictionary.entries.map { writer.addShared(.string($0.key)) }
    var values: [Object] = []
    for entry in dictionary.entries {
      if case .date(let seconds) = entry.value {
        values.append(add(Date(timeIntervalSinceReferenceDate: seconds), to: &writer))
      } else {
        values.append(writer.addShared(entry.value))
      }
    }
    return writer.add(keys: keys, values: values)
  }
}
