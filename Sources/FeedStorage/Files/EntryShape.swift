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

/// Reads the values of known keys in one dictionary after the other.
struct EntryReader {
  let reader: BinaryPropertyListReader
  private let keys: [String]
  private var entries: PropertyListEntries?
  private var shapes: [EntryShape] = []
  private var current = 0

  /// The most shapes that are remembered; a file that a program wrote has fewer.
  private static let mostShapes = 64

  init(_ reader: BinaryPropertyListReader, keys: [String]) {
    (self.reader, self.keys) = (reader, keys)
  }

  /// Returns false, and has no values, where the object is no dictionary.
  mutating func move(to object: Int) throws -> Bool {
    entries = try reader.entries(object)
    guard let entries else { return false }
    if let known = shapes.firstIndex(where: { $0.isShape(of: entries) }) {
      current = known
      return true
    }
    if shapes.count == Self.mostShapes { shapes = [] }
    current = shapes.count
    shapes.append(
      try EntryShape(entries, count: keys.count) { try reader.string($0).flatMap(keys.firstIndex) }
    )
    return true
  }

  /// Returns the value of the key with a number.
  func object(_ key: Int) -> Int? {
    guard let entries else { return nil }
    let slot = shapes[current].slots[key]
    return slot < 0 ? nil : entries.value(slot)
  }
}
