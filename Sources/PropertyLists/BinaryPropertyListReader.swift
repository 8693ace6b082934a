/// A binary property list (`bplist00`), decoded only where it is asked for.
///
/// Layout: the header, the objects, a table of their offsets, and a trailer of 32 bytes that says
/// where the table is and how wide its entries are (the comment at the head of Apple's
/// CFBinaryPList.c). Every offset, reference and size is checked when it is used, so that a hostile
/// file is an error and nothing else; an object is named by its index in the offset table.
package struct BinaryPropertyListReader: Sendable {
  /// Keeps `buffer` where it is.
  package let bytes: PropertyListBytes
  // Read-only memory that lives as long as `bytes`, so sharing it between threads is safe.
  nonisolated(unsafe) let buffer: UnsafeRawBufferPointer
  /// The number of objects.
  package let count: Int
  /// The index of the top-level object.
  package let root: Int
  let referenceWidth: Int
  private let offsetWidth: Int
  private let tableStart: Int

  /// Deeper nesting is refused; the data file needs four levels.
  package static let maximumDepth = 64

  package init(_ bytes: PropertyListBytes) throws(PropertyListError) {
    self.bytes = bytes
    let buffer = bytes.buffer
    self.buffer = buffer
    guard !buffer.isEmpty else { throw .empty }
    guard Self.isBinary(buffer) else { throw .unrecognized }
    guard buffer.count >= 8 + 1 + 32 else { throw .truncated }
    let trailer = buffer.count - 32
    offsetWidth = Int(buffer[trailer + 6])
    referenceWidth = Int(buffer[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw .damaged("a width in the trailer is not from 1 to 8", offset: trailer + 6)
    }
    let numbers = (0..<3).map { bigEndian(buffer, at: trailer + 8 + 8 * $0, width: 8) }
    let room = UInt64(trailer)
    guard numbers[0] > 0, numbers[2] >= 9, numbers[2] < room,
      numbers[0] <= (room - numbers[2]) / UInt64(offsetWidth)
    else { throw .damaged("the offset table does not fit", offset: trailer + 8) }
    guard numbers[1] < numbers[0] else {
      throw .damaged("the top-level object does not exist", offset: trailer + 16)
    }
    (count, root, tableStart) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]))
  }

  /// Whether bytes begin like a binary property list.
  package static func isBinary(_ buffer: UnsafeRawBufferPointer) -> Bool {
    buffer.starts(with: "bplist0".utf8)
  }

  /// Where an object begins.
  func offset(of object: Int) throws(PropertyListError) -> Int {
    guard object >= 0, object < count else {
      throw .damaged("reference to object \(object) of \(count)", offset: tableStart)
    }
    let entry = tableStart + object * offsetWidth
    let offset = bigEndian(buffer, at: entry, width: offsetWidth)
    guard offset >= 8, offset < UInt64(tableStart) else {
      throw .damaged("an offset points outside of the objects", offset: entry)
    }
    return Int(offset)
  }

  /// An object's kind, and where its content is.
  func object(_ index: Int) throws(PropertyListError) -> RawObject {
    let start = try offset(of: index)
    let marker = buffer[start]
    let low = Int(marker & 0x0f)
    switch marker >> 4 {
    case 0x0: return try singleton(low, start)
    case 0x1 where low <= 4: return try fixed(.integer, start, 1 << low)
    case 0x2 where low == 2 || low == 3: return try fixed(.real, start, 1 << low)
    case 0x3 where low == 3: return try fixed(.date, start, 8)
    case 0x4: return try sized(.data, start, low, width: 1)
    case 0x5: return try sized(.ascii, start, low, width: 1)
    case 0x6: return try sized(.utf16, start, low, width: 2)
    case 0x8 where low <= 7: return try fixed(.uid, start, low + 1)
    case 0xa: return try sized(.array, start, low, width: referenceWidth)
    case 0xd: return try sized(.dictionary, start, low, width: 2 * referenceWidth)
    default: throw .damaged("an object of no known kind", offset: start)
    }
  }

  private func singleton(_ low: Int, _ start: Int) throws(PropertyListError) -> RawObject {
    switch low {
    case 0x8: RawObject(kind: .boolean(false), start: start, content: start + 1, count: 0, size: 0)
    case 0x9: RawObject(kind: .boolean(true), start: start, content: start + 1, count: 0, size: 0)
    default: throw .damaged("an object of no known kind", offset: start)
    }
  }

  private func fixed(
    _ kind: RawObject.Kind,
    _ start: Int,
    _ size: Int,
  ) throws(PropertyListError) -> RawObject {
    guard size <= tableStart - start - 1 else {
      throw .damaged("a value is cut off", offset: start)
    }
    return RawObject(kind: kind, start: start, content: start + 1, count: size, size: size)
  }

  /// An object whose count is in its marker, or in an integer behind that.
  private func sized(
    _ kind: RawObject.Kind,
    _ start: Int,
    _ low: Int,
    width: Int,
  ) throws(PropertyListError) -> RawObject {
    var content = start + 1
    var count = UInt64(low)
    if low == 0xf {
      guard content < tableStart, buffer[content] & 0xf0 == 0x10,
        buffer[content] & 0x0f <= 3
      else { throw .damaged("a count is not an integer", offset: start) }
      let size = 1 << Int(buffer[content] & 0x0f)
      guard size <= tableStart - content - 1 else {
        throw .damaged("a count is cut off", offset: start)
      }
      count = bigEndian(buffer, at: content + 1, width: size)
      content += 1 + size
    }
    guard count <= UInt64((tableStart - content) / width) else {
      throw .damaged("a count is larger than the file", offset: start)
    }
    return RawObject(
      kind: kind,
      start: start,
      content: content,
      count: Int(count),
      size: Int(count) * width,
    )
  }

  /// The `position`-th reference of an array, or of a dictionary (its keys come first).
  func reference(_ object: RawObject, _ position: Int) -> Int {
    let number = bigEndian(
      bytes.buffer,
      at: object.content + position * referenceWidth,
      width: referenceWidth,
    )
    return Int(clamping: number)
  }
}

/// Where an object's content is in the file; checked to lie in it.
struct RawObject {
  enum Kind: Hashable {
    case boolean(Bool)
    case integer, real, date, data, ascii, utf16, uid, array, dictionary
  }

  let kind: Kind
  /// The offset of the marker.
  let start: Int
  /// The offset of what follows the marker and the count.
  let content: Int
  /// Bytes, UTF-16 code units, elements or entries.
  let count: Int
  /// Bytes of the content.
  let size: Int
}

/// An unsigned number of `width` bytes, at most 8, most significant first.
@inline(__always)
func bigEndian(_ buffer: UnsafeRawBufferPointer, at offset: Int, width: Int) -> UInt64 {
  var number: UInt64 = 0
  for position in offset..<offset + width { number = number << 8 | UInt64(buffer[position]) }
  return number
}
