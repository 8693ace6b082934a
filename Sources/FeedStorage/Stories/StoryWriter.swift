internal import FeedModel
internal import PropertyLists
internal import System

/// Writes stories' dictionaries; empty optional values are left out.
///
/// PERF: the values go to the output from where they lie, without a property list in between, and
/// the keys of one story are nearly always those of the one before.
struct StoryWriter {
  typealias Object = BinaryPropertyListWriter.Object
  typealias Entry = (key: Object, value: Object)

  /// Values that many stories have in common, such as the moment of one run, each stored once.
  private var sharedValues: [PropertyListValue: Object] = [:]
  /// The entries of the story at hand that are there, and their values.
  private var fields: [ItemField] = []
  private var values: [Object] = []
  private var elements: [Object] = []
  private var lastFields: [ItemField] = []
  private var lastExtra: [Object] = []
  private var lastKeys: [Object] = []

  /// Writes a story, with further entries of which keys and values are written already.
  mutating func add(
    _ story: StoredItem,
    extra: [Entry] = [],
    to writer: inout BinaryPropertyListWriter,
  ) -> Object {
    story.item.withContents { add(story, $0, extra: extra, to: &writer) }
  }

  mutating func add(
    _ story: StoredItem,
    _ contents: PackedItem,
    extra: [Entry] = [],
    to writer: inout BinaryPropertyListWriter,
  ) -> Object {
    fields.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    add(contents, of: story, to: &writer)
    add(story.isRead, as: .read, to: &writer)
    add(story.isStarred, as: .starred, to: &writer)
    add(story.hasPageText, as: .pageText, to: &writer)
    if !story.tags.isEmpty { add(story.tags, as: .tags, to: &writer) }
    if !story.rules.isEmpty { add(story.rules, as: .rules, to: &writer) }
    if let file = story.file { add(.file, writer.add(.string(file))) }
    add(.id, writer.add(.string(story.id)))
    addHistory(of: story, to: &writer)
    for entry in extra { values.append(entry.value) }
    return writer.add(keys: keys(with: extra, in: &writer), values: values)
  }

  private mutating func add(
    _ contents: PackedItem,
    of story: StoredItem,
    to writer: inout BinaryPropertyListWriter,
  ) {
    let details = contents.details
    add(.title, writer.add(utf8: contents.text(.title)))
    add(.pubDate, writer.add(utf8: contents.text(.pubDate)))
    add(.link, writer.add(utf8: contents.text(.link)))
    add(contents.text(.guid), as: .guid, to: &writer)
    add(details.guidIsPermaLink, as: .guidIsPermaLink, to: &writer)
    if let date = details.date {
      add(.date, writer.add(.date(date.timeIntervalSinceReferenceDate)))
    }
    if let stored = story.stored {
      add(.stored, addShared(.date(stored.timeIntervalSinceReferenceDate), to: &writer))
    }
    add(story.feeds, as: .feeds, to: &writer)
    if let author = details.author { add(.author, writer.add(.string(author))) }
    add(contents.text(.summary), as: .summary, to: &writer)
    add(details.categories, as: .categories, to: &writer)
    if details.textNumber != 0 { add(.text, writer.add(.integer(details.textNumber))) }
    if !details.enclosures.isEmpty {
      add(.enclosures, writer.add(.array(details.enclosures.map(\.value))))
    }
    if !details.related.isEmpty {
      add(.related, writer.add(.array(details.related.map(\.value))))
    }
  }

  private mutating func addHistory(
    of story: StoredItem,
    to writer: inout BinaryPropertyListWriter,
  ) {
    if !story.matches.isEmpty {
      add(.matched, addShared(.array(story.matches.map(\.value)), to: &writer))
    }
    guard !story.changes.isEmpty else { return }
    let (dates, previous) = StoryChange.values(story.changes)
    add(.changed, addShared(dates, to: &writer))
    if let previous { add(.previous, writer.add(previous)) }
  }

  mutating func addShared(
    _ value: PropertyListValue,
    to writer: inout BinaryPropertyListWriter,
  ) -> Object {
    if let object = sharedValues[value] { return object }
    let object = writer.add(value)
    sharedValues[value] = object
    return object
  }

  private mutating func add(_ field: ItemField, _ value: Object) {
    fields.append(field)
    values.append(value)
  }

  private mutating func add(
    _ text: UnsafeBufferPointer<UInt8>,
    as field: ItemField,
    to writer: inout BinaryPropertyListWriter,
  ) {
    if !text.isEmpty { add(field, writer.add(utf8: text)) }
  }

  private mutating func add(
    _ flag: Bool,
    as field: ItemField,
    to writer: inout BinaryPropertyListWriter,
  ) {
    if flag { add(field, writer.add(.boolean(true))) }
  }

  private mutating func add(
    _ texts: [String],
    as field: ItemField,
    to writer: inout BinaryPropertyListWriter,
  ) {
    guard !texts.isEmpty else { return }
    elements.removeAll(keepingCapacity: true)
    for text in texts { elements.append(writer.addShared(.string(text))) }
    add(field, writer.add(array: elements))
  }

  /// The keys of the fields at hand, then those of the extra entries.
  private mutating func keys(
    with extra: [Entry],
    in writer: inout BinaryPropertyListWriter,
  ) -> [Object] {
    let isRepeated =
      fields == lastFields && lastExtra.count == extra.count
      && extra.indices.allSatisfy { extra[$0].key == lastExtra[$0] }
    guard !isRepeated else { return lastKeys }
    lastFields = fields
    lastExtra = extra.map(\.key)
    lastKeys.removeAll(keepingCapacity: true)
    for field in fields { lastKeys.append(writer.addShared(.string(field.name))) }
    lastKeys += lastExtra
    return lastKeys
  }
}
