/// Builds a binary property list from new values and from objects of an existing one.
///
/// Objects of the existing list are not decoded: they are marked when they are first referred to,
/// and their bytes are copied when the list is written, containers with their references
/// renumbered. Keys, and strings that stand in arrays, are stored once however often they occur.
/// Integers, references and offsets take the smallest width that suffices.
package struct BinaryPropertyListWriter {
  /// An object of the list to be written.
  package struct Object: Hashable, Sendable {
    fileprivate let number: UInt32
  }

  /// Keeps the bytes that `layout` is of.
  private let source: BinaryPropertyListReader?
  let layout: BinaryPropertyListLayout?
  /// Where each object of the source went: its new number plus one; zero when it did not.
  private var destinations: [UInt32]
  /// Where each object to be written comes from: an object of the source, or one of `fresh`.
  private(set) var origins: [Origin] = []
  let fresh = PropertyListObjects()
  private var strings: [String: Object] = [:]
  private var lastKeys: [String] = []
  private var lastKeyObjects: [Object] = []
  /// Containers of the source that were entered and whose contents were not yet.
  private var unvisited: [RawObject] = []
  /// Bytes of the source that may still be copied.
  ///
  /// A file whose objects overlap could otherwise grow without bound.
  private var budget: Int

  struct Origin {
    /// The offset in the source or in `fresh`; the highest bit says which.
    private let bits: UInt64

    init(source offset: Int) { bits = UInt64(offset) }
    init(fresh offset: Int) { bits = UInt64(offset) | 1 << 63 }

    var isFresh: Bool { bits >> 63 == 1 }
    var offset: Int { Int(bits & (1 << 63 - 1)) }
  }

  /// - Parameter source: the list whose objects may be copied.
  package init(copyingFrom source: BinaryPropertyListReader? = nil) {
    self.source = source
    layout = source?.layout
    budget = 4_096 + 2 * (source?.buffer.count ?? 0)
    destinations = Array(repeating: 0, count: source?.count ?? 0)
    if let source { origins.reserveCapacity(source.count + 64) }
  }

  private mutating func add(_ origin: Origin) -> Object {
    origins.append(origin)
    return Object(number: UInt32(origins.count - 1))
  }

  // MARK: New values

  /// Adds a value and all that is in it.
  package mutating func add(_ value: PropertyListValue) -> Object {
    switch value {
    case .array(let values):
      return add(array: values.map { element in addShared(element) })
    case .dictionary(let dictionary):
      let keys = addKeys(of: dictionary)
      return add(keys: keys, values: dictionary.entries.map { add($0.value) })
    default:
      return add(Origin(fresh: fresh.add(value)))
    }
  }

  /// Adds a value; a string that was added this way before is not stored again.
  package mutating func addShared(_ value: PropertyListValue) -> Object {
    guard case .string(let text) = value else { return add(value) }
    if let object = strings[text] { return object }
    let object = add(value)
    strings[text] = object
    return object
  }

  /// The keys of a dictionary, in its order.
  ///
  /// PERF: one dictionary after the other has the same keys; comparing them costs a tenth of
  /// looking them up.
  package mutating func addKeys(of dictionary: PropertyListDictionary) -> [Object] {
    let entries = dictionary.entries
    let isRepeated =
      entries.count == lastKeys.count
      && entries.indices.allSatisfy { entries[$0].key == lastKeys[$0] }
    if !isRepeated {
      lastKeys = entries.map(\.key)
      lastKeyObjects = lastKeys.map { addShared(.string($0)) }
    }
    return lastKeyObjects
  }

  package mutating func add(array elements: [Object]) -> Object {
    let object = add(Origin(fresh: fresh.begin(atMost: 10 + 4 * elements.count)))
    fresh.append(marker: 0xa0, count: elements.count)
    for element in elements { fresh.append(bigEndian: UInt64(element.number), width: 4) }
    return object
  }

  package mutating func add(keys: [Object], values: [Object]) -> Object {
    let object = add(Origin(fresh: fresh.begin(atMost: 10 + 8 * keys.count)))
    fresh.append(marker: 0xd0, count: keys.count)
    for reference in keys { fresh.append(bigEndian: UInt64(reference.number), width: 4) }
    for reference in values { fresh.append(bigEndian: UInt64(reference.number), width: 4) }
    return object
  }

  // MARK: Copies

  /// Takes over an object of the source with all that is in it.
  ///
  /// Every object is entered before what is in it, and only once: a list that contains itself is
  /// copied as such, and no nesting is too deep.
  package mutating func copy(_ index: Int) throws(PropertyListError) -> Object {
    guard let layout else { throw .damaged("nothing to copy from", offset: 0) }
    return try copy(index, of: layout)
  }

  /// Takes over elements of an array of the source; nil when it is no array, or has not so many.
  package mutating func copy(
    elements range: Range<Int>,
    of array: Int,
  ) throws(PropertyListError) -> [Object]? {
    guard let layout else { throw .damaged("nothing to copy from", offset: 0) }
    let raw = try layout.object(array)
    guard raw.kind == .array, range.lowerBound >= 0, range.upperBound <= raw.count else {
      return nil
    }
    var objects: [Object] = []
    objects.reserveCapacity(range.count)
    for position in range {
      objects.append(try copy(layout.reference(raw, position), of: layout))
    }
    return objects
  }

  /// The keys and values of a dictionary of the source but for those keys that `isLeftOut` wants
  /// gone, each taken over with all that is in it; nil when it is no dictionary.
  package mutating func copy(
    entries dictionary: Int,
    leavingOut isLeftOut: (_ key: Int) throws(PropertyListError) -> Bool,
  ) throws(PropertyListError) -> (keys: [Object], values: [Object])? {
    guard let layout else { throw .damaged("nothing to copy from", offset: 0) }
    let raw = try layout.object(dictionary)
    guard raw.kind == .dictionary else { return nil }
    // Many elements may be one dictionary; each that is made from it takes room of its own.
    budget -= 1 + raw.size
    guard budget > 0 else { throw .tooLarge }
    var (keys, values): ([Object], [Object]) = ([], [])
    for position in 0..<raw.count {
      let key = layout.reference(raw, position)
      if try isLeftOut(key) { continue }
      keys.append(try copy(key, of: layout, isShared: true))
      values.append(try copy(layout.reference(raw, raw.count + position), of: layout))
    }
    return (keys, values)
  }

  private mutating func copy(
    _ index: Int,
    of source: BinaryPropertyListLayout,
    isShared: Bool = false,
  ) throws(PropertyListError) -> Object {
    let object = try enter(index, of: source, isShared: isShared)
    while let raw = unvisited.popLast() {
      let keys = raw.kind == .dictionary ? raw.count : 0
      for position in 0..<raw.count + keys {
        let isShared = raw.kind == .array || position < keys
        _ = try enter(source.reference(raw, position), of: source, isShared: isShared)
      }
    }
    return object
  }

  /// The new object for one of the source; a container that is met for the first time is queued.
  @inline(__always)
  private mutating func enter(
    _ index: Int,
    of source: BinaryPropertyListLayout,
    isShared: Bool,
  ) throws(PropertyListError) -> Object {
    if index < destinations.count, destinations[index] != 0 {
      return Object(number: destinations[index] - 1)
    }
    let raw = try source.object(index)
    budget -= 1 + raw.size
    guard budget > 0 else { throw .tooLarge }
    let object = isShared ? addShared(raw, of: source) : add(Origin(source: raw.start))
    destinations[index] = object.number + 1
    if raw.kind == .array || raw.kind == .dictionary { unvisited.append(raw) }
    return object
  }

  private mutating func addShared(
    _ raw: RawObject,
    of source: BinaryPropertyListLayout,
  ) -> Object {
    guard let text = source.string(raw) else { return add(Origin(source: raw.start)) }
    if let object = strings[text] { return object }
    let object = add(Origin(source: raw.start))
    strings[text] = object
    return object
  }

  func number(of object: Object) -> UInt64 {
    UInt64(object.number)
  }

  /// The new number of an object of the source; nil when that was not copied.
  @inline(__always)
  func destination(of index: UInt64) -> UInt64? {
    guard index < UInt64(destinations.count) else { return nil }
    let number = destinations[Int(index)]
    return number == 0 ? nil : UInt64(number) - 1
  }
}
