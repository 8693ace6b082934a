/// A binary property list (`bplist00`), decoded only where it is asked for.
///
/// Layout: the header, the objects, a table of their offsets, and a trailer of 32 bytes that says
/// where the table is and how wide its entries are (the comment at the head of Apple's
/// CFBinaryPList.c). Every offset, reference and size is checked when it is used, so that a hostile
/// file is an error and nothing else; an object is named by its index in the offset table.
package struct BinaryPropertyListReader: Sendable {
  /// The owner of `buffer`, which keeps it in its place.
  package let bytes: PropertyListBytes
  package let root: Int
  let layout: BinaryPropertyListLayout

  /// The deepest nesting that is read; the data file needs four levels.
  package static let maximumDepth = 64

  init(_ bytes: PropertyListBytes) throws {
    self.bytes = bytes
    let buffer = bytes.buffer
    guard buffer.count >= 8 + 1 + 32 else { throw PropertyListError.truncated }
    let trailer = buffer.count - 32
    let offsetWidth = Int(buffer[trailer + 6])
    let referenceWidth = Int(buffer[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw PropertyListError.damaged(
        "a width in the trailer is not from 1 to 8",
        offset: trailer + 6,
      )
    }
    let numbers = (0..<3).map { bigEndian(buffer, at: trailer + 8 + 8 * $0, width: 8) }
    let room = UInt64(trailer)
    guard numbers[0] > 0, numbers[2] >= 9, numbers[2] < room,
      numbers[0] <= (room - numbers[2]) / UInt64(offsetWidth)
    else { throw PropertyListError.damaged("the offset table does not fit", offset: trailer + 8) }
    guard numbers[1] < numbers[0] else {
      throw PropertyListError.damaged("the top-level object does not exist", offset: trailer + 16)
    }
    root = Int(numbers[1])
    layout = BinaryPropertyListLayout(
      buffer: buffer,
      count: Int(numbers[0]),
      referenceWidth: referenceWidth,
      offsetWidth: offsetWidth,
      tableStart: Int(numbers[2]),
    )
  }

  package var count: Int { layout.count }
  var buffer: UnsafeRawBufferPointer { layout.buffer }

  package static func isBinary(_ buffer: UnsafeRawBufferPointer) -> Bool {
    buffer.starts(with: "bplist0".utf8)
  }
}

/// The entries of a dictionary, read from the file only when they are asked for.
///
/// Valid for as long as the reader that gave it.
package struct PropertyListEntries: Sendable {
  let layout: BinaryPropertyListLayout
  let raw: RawObject

  package var count: Int { raw.count }

  /// The references to the first `limit` keys: dictionaries with equal bytes here have equal keys
  /// in the same order.
  package func keyBytes(atMost limit: Int) -> UnsafeRawBufferPointer {
    let size = min(raw.count, limit) * layout.referenceWidth
    return UnsafeRawBufferPointer(rebasing: layout.buffer[raw.content..<raw.content + size])
  }

  package func key(_ index: Int) -> Int {
    layout.reference(raw, index)
  }

  package func value(_ index: Int) -> Int {
    layout.reference(raw, raw.count + index)
  }
}

extension BinaryPropertyListReader {
  package func entries(_ object: Int) throws -> PropertyListEntries? {
    let raw = try layout.object(object)
    return raw.kind == .dictionary ? PropertyListEntries(layout: layout, raw: raw) : nil
  }
}
