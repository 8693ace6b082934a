/// Writes a binary property list from new values and from objects of an existing one.
///
/// Objects are in the output as soon as they are added, those in a container before it; only the
/// place of each is held, four bytes. Whoever adds much takes the output in pieces. Objects of the
/// existing list are not decoded: their bytes are copied, containers with their references
/// renumbered. Keys, and strings that stand in arrays, are stored once however often they occur.
/// Integers and offsets take the smallest width that suffices, references four bytes.
package struct BinaryPropertyListWriter: ~Copyable {
  package struct Object: Hashable, Sendable {
    package let number: UInt32
  }

  /// The most bytes of a list that is written: what is read back has room for no more.
  package static let maximumSize = 2 << 30

  var source: CopySource
  private var other: CopySource
  var output: PropertyListOutput
  var strings: [String: Object] = [:]
  /// True if a string in arrays is stored once, however often it comes.
  ///
  /// False for a list that is read as a whole: a reader refuses one that would expand to many times
  /// its size, and a list that shares strings from outside may.
  package var sharesStrings = true
  /// The keys of the last dictionary of each size, up to a limit.
  private var lastKeys = Array(repeating: (names: [String](), objects: [Object]()), count: 64)
  var queue = CopyQueue()

  /// Begins a list into which objects of `source` may be copied.
  package init(copyingFrom source: BinaryPropertyListReader? = nil) {
    self.source = CopySource(source)
    other = CopySource(nil)
    output = PropertyListOutput(objects: source?.count ?? 0)
  }

  /// Begins the next version of a list, or the first one; `other` is for `exchangeSources`.
  package init(
    versionOf source: BinaryPropertyListReader?,
    keeping kept: KeptObjects?,
    and other: BinaryPropertyListReader?,
  ) {
    self.source = CopySource(source, isKept: kept != nil)
    self.other = CopySource(other)
    let copied = kept == nil ? source?.count ?? 0 : 0
    output = PropertyListOutput(keeping: kept, objects: copied + (other?.count ?? 0))
  }

  /// Makes the other list the one that is copied from, until the next call.
  package mutating func exchangeSources() {
    precondition(queue.isEmpty, "what waits is of one list")
    swap(&source, &other)
  }

  func releasePagesOfSources() {
    source.reader?.bytes.releasePages()
    other.reader?.bytes.releasePages()
  }

  var count: Int { output.objects + queue.count }

  mutating func begin() -> Object {
    precondition(queue.isEmpty, "what was enqueued comes before what is new")
    output.beginObject()
    return Object(number: UInt32(output.objects - 1))
  }

  /// Begins an object whose number was kept for it.
  mutating func begin(_ number: Int) -> Object {
    output.begin(number)
    return Object(number: UInt32(number))
  }

  // MARK: New values

  package mutating func add(_ value: PropertyListValue) -> Object {
    switch value {
    case .array(let values):
      var elements: [Object] = []
      elements.reserveCapacity(values.count)
      for element in values { elements.append(sharesStrings ? addShared(element) : add(element)) }
      return add(array: elements)
    case .dictionary(let dictionary):
      let keys = addKeys(of: dictionary)
      var values: [Object] = []
      values.reserveCapacity(keys.count)
      for entry in dictionary.entries { values.append(add(entry.value)) }
      return add(keys: keys, values: values)
    default:
      let object = begin()
      output.append(value)
      return object
    }
  }

  /// Adds a string, given as its UTF-8; bytes that are not UTF-8 become U+FFFD.
  package mutating func add(utf8 text: UnsafeBufferPointer<UInt8>) -> Object {
    let object = begin()
    output.append(utf8: text)
    return object
  }

  /// Adds a value; a string that was added this way before is not stored again.
  package mutating func addShared(_ value: PropertyListValue) -> Object {
    guard case .string(let text) = value else { return add(value) }
    if let object = strings[text] { return object }
    let object = add(value)
    strings[text] = object
    return object
  }

  /// PERF: dictionaries of one size that follow each other have equal keys; comparing them costs a
  /// tenth of looking them up.
  package mutating func addKeys(of dictionary: PropertyListDictionary) -> [Object] {
    let entries = dictionary.entries
    let place = min(entries.count, lastKeys.count - 1)
    let last = lastKeys[place].names
    let isRepeated =
      entries.count == last.count && entries.indices.allSatisfy { entries[$0].key == last[$0] }
    if !isRepeated {
      let names = entries.map(\.key)
      lastKeys[place] = (names, names.map { addShared(.string($0)) })
    }
    return lastKeys[place].objects
  }

  /// Adds a dictionary in which `object` is the value of the key `name`.
  package mutating func add(
    _ dictionary: PropertyListDictionary,
    with object: Object,
    as name: String,
  ) -> Object {
    let keys = addKeys(of: dictionary)
    var values: [Object] = []
    for entry in dictionary.entries {
      values.append(entry.key == name ? object : add(entry.value))
    }
    return add(keys: keys, values: values)
  }

  package mutating func add(array elements: [Object]) -> Object {
    add(array: elements, as: begin())
  }

  mutating func add(array elements: [Object], as object: Object) -> Object {
    output.append(marker: 0xa0, count: elements.count)
    for element in elements { output.appendReference(element.number) }
    return object
  }

  package mutating func add(keys: [Object], values: [Object]) -> Object {
    let object = begin()
    output.append(marker: 0xd0, count: keys.count)
    for reference in keys { output.appendReference(reference.number) }
    for reference in values { output.appendReference(reference.number) }
    return object
  }
}

struct CopySource: ~Copyable {
  let reader: BinaryPropertyListReader?
  /// True if all objects stay in the list, with their numbers.
  let isKept: Bool
  var destinations: ObjectNumbers
  /// The bytes that may still be copied: a file whose objects overlap could else grow without
  /// bound.
  var budget: Int

  init(_ reader: BinaryPropertyListReader?, isKept: Bool = false) {
    (self.reader, self.isKept) = (reader, isKept)
    destinations = ObjectNumbers(count: isKept ? 0 : reader?.count ?? 0)
    budget = 4_096 + 2 * (reader?.buffer.count ?? 0)
  }
}
