internal import PropertyLists
internal import System

/// Which entry of a story's dictionary is which field.
///
/// PERF: the stories of a file have few shapes, and the references to the keys, compared as bytes,
/// tell which one it is: a tenth of the time that it takes to look at each key.
struct StoryShape {
  private let keyBytes: [UInt8]
  /// The place of each field's entry, by `ItemField`'s order; -1 for none.
  let places: InlineArray<18, Int>

  /// Finds the fields; of a key that occurs twice the last one counts, as for `ItemRow`.
  init(
    _ entries: PropertyListEntries,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) {
    var places = InlineArray<18, Int>(repeating: -1)
    for place in 0..<min(entries.count, ItemRow.maximumKeys) {
      if let field = try ItemRow.field(entries.key(place), in: reader) { places[field] = place }
    }
    self.places = places
    keyBytes = Array(entries.keyBytes(atMost: ItemRow.maximumKeys))
  }

  /// Whether a dictionary has this shape.
  func isShape(of entries: PropertyListEntries) -> Bool {
    let bytes = entries.keyBytes(atMost: ItemRow.maximumKeys)
    guard bytes.count == keyBytes.count, let start = bytes.baseAddress else {
      return bytes.count == keyBytes.count
    }
    return memcmp(start, keyBytes, bytes.count) == 0
  }
}
