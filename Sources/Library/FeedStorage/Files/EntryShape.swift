internal import PropertyLists
internal import System

/// The indices of the entries with known keys in dictionaries of one shape.
///
/// PERF: the dictionaries of a file have few shapes, and the references to the keys, compared as
/// bytes, tell which one it is: a tenth of the time that it takes to look at each key.
struct EntryShape {
  private let keyBytes: [UInt8]
  /// The indices by the numbers of the keys; -1 for a key that is not there.
  let slots: [Int]

  /// The most keys of a dictionary that are looked at.
  ///
  /// A hostile file can let a million stories share one dictionary of a million keys.
  static let maximumKeys = 256

  /// Finds the numbers of the keys, below `count`; of a key that occurs twice the last one counts.
  init(_ entries: PropertyListEntries, count: Int, _ number: (_ key: Int) throws -> Int?) throws {
    var slots = Array(repeating: -1, count: count)
    for index in 0..<min(entries.count, Self.maximumKeys) {
      if let number = try number(entries.key(index)) { slots[number] = index }
    }
    self.slots = slots
    keyBytes = Array(entries.keyBytes(atMost: Self.maximumKeys))
  }

  func isShape(of entries: PropertyListEntries) -> Bool {
    let bytes = entries.keyBytes(atMost: Self.maximumKeys)
    guard bytes.count == keyBytes.count, let start = bytes.baseAddress else {
      return bytes.count == keyBytes.count
    }
    return memcmp(start, keyBytes, bytes.count) == 0
  }
}

/// The shapes that dictionaries of a file had so far, and the one of the last dictionary.
struct EntryShapes {
  private var all: [EntryShape] = []
  private var current = 0
  /// The indices of the last dictionary's entries, by the numbers of the keys.
  private(set) var slots: [Int] = []
  private let most: Int

  /// Makes one that remembers so many shapes; a hostile file has as many as dictionaries.
  init(most: Int) { self.most = most }

  /// Returns true if the shape of a dictionary is remembered, and takes that.
  mutating func take(shapeOf entries: PropertyListEntries) -> Bool {
    if current < all.count, all[current].isShape(of: entries) { return true }
    guard let known = all.firstIndex(where: { $0.isShape(of: entries) }) else { return false }
    current = known
    slots = all[known].slots
    return true
  }

  mutating func add(_ new: EntryShape) {
    if all.count == most { all.removeAll(keepingCapacity: true) }
    current = all.count
    all.append(new)
    slots = new.slots
  }
}

/// Reads the values of known keys in one dictionary after the other.
struct EntryReader {
  let reader: BinaryPropertyListReader
  private let keys: [String]
  private var entries: PropertyListEntries?
  private var shapes = EntryShapes(most: 64)

  init(_ reader: BinaryPropertyListReader, keys: [String]) {
    (self.reader, self.keys) = (reader, keys)
  }

  /// Returns false, and has no values, where the object is no dictionary.
  mutating func move(to object: Int) throws -> Bool {
    entries = try reader.entries(object)
    guard let entries else { return false }
    if shapes.take(shapeOf: entries) { return true }
    shapes.add(
      try EntryShape(entries, count: keys.count) { try reader.string($0).flatMap(keys.firstIndex) }
    )
    return true
  }

  /// Returns the value of the key with a number.
  func object(_ key: Int) -> Int? {
    guard let entries else { return nil }
    let slot = shapes.slots[key]
    return slot < 0 ? nil : entries.value(slot)
  }
}
