/// The entries of a dictionary as they stand in the file, none of them looked at yet.
///
/// Valid for as long as the reader that gave it.
package struct PropertyListEntries {
  let layout: BinaryPropertyListLayout
  let raw: RawObject

  package var count: Int { raw.count }

  /// The references to the first `limit` keys: where they are the same bytes, the keys are the
  /// same, in the same order.
  package func keyBytes(atMost limit: Int) -> UnsafeRawBufferPointer {
    let size = min(raw.count, limit) * layout.referenceWidth
    return UnsafeRawBufferPointer(rebasing: layout.buffer[raw.content..<raw.content + size])
  }

  /// The object that is the key at a place below `count`.
  package func key(_ place: Int) -> Int {
    layout.reference(raw, place)
  }

  /// The object that is the value at a place below `count`.
  package func value(_ place: Int) -> Int {
    layout.reference(raw, raw.count + place)
  }
}

extension BinaryPropertyListReader {
  /// The entries of a dictionary; nil for any other object.
  package func entries(_ object: Int) throws(PropertyListError) -> PropertyListEntries? {
    let raw = try self.object(object)
    return raw.kind == .dictionary ? PropertyListEntries(layout: layout, raw: raw) : nil
  }
}
