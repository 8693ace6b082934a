internal import System

/// The places of a binary property list's parts; every number of the file is checked when it is
/// used.
///
/// PERF: numbers and a pointer only, so that passing it on counts no references; whoever uses it
/// keeps the bytes.
struct BinaryPropertyListLayout: Sendable {
  // Read-only memory that lives as long as the reader's bytes: sharing it is safe.
  nonisolated(unsafe) let buffer: UnsafeRawBufferPointer
  let count: Int
  let referenceWidth: Int
  let offsetWidth: Int
  let tableStart: Int

  @inline(__always)
  func offset(of object: Int) throws -> Int {
    guard object >= 0, object < count else {
      throw PropertyListError.damaged(
        "reference to object \(object) of \(count)",
        offset: tableStart,
      )
    }
    let entry = tableStart + object * offsetWidth
    let offset = bigEndian(buffer, at: entry, width: offsetWidth)
    guard offset >= 8, offset < UInt64(tableStart) else {
      throw PropertyListError.damaged("an offset points outside of the objects", offset: entry)
    }
    return Int(offset)
  }

  func object(_ index: Int) throws -> RawObject {
    let start = try offset(of: index)
    let marker = buffer[start]
    let low = Int(marker & 0x0f)
    switch marker >> 4 {
    case 0x0 where low == 8 || low == 9: return try fixed(.boolean(low == 9), start, 0)
    case 0x1 where low <= 4: return try fixed(.integer, start, 1 << low)
    case 0x2 where low == 2 || low == 3: return try fixed(.real, start, 1 << low)
    case 0x3 where low == 3: return try fixed(.date, start, 8)
    case 0x4: return try sized(.data, start, low, width: 1)
    case 0x5: return try sized(.ascii, start, low, width: 1)
    case 0x6: return try sized(.utf16, start, low, width: 2)
    case 0x8 where low <= 7: return try fixed(.uid, start, low + 1)
    case 0xa: return try sized(.array, start, low, width: referenceWidth)
    case 0xd: return try sized(.dictionary, start, low, width: 2 * referenceWidth)
    default: throw PropertyListError.damaged("an object of no known kind", offset: start)
    }
  }

  private func fixed(_ kind: RawObject.Kind, _ start: Int, _ size: Int) throws -> RawObject {
    guard size <= tableStart - start - 1 else {
      throw PropertyListError.damaged("a value is cut off", offset: start)
    }
    return RawObject(kind: kind, start: start, content: start + 1, count: size, size: size)
  }

  /// Reads an object whose count is in its marker, or in an integer behind that.
  @inline(__always)
  private func sized(
    _ kind: RawObject.Kind,
    _ start: Int,
    _ low: Int,
    width: Int,
  ) throws -> RawObject {
    var content = start + 1
    var count = UInt64(low)
    if low == 0xf {
      guard content < tableStart, buffer[content] & 0xf0 == 0x10,
        buffer[content] & 0x0f <= 3
      else { throw PropertyListError.damaged("a count is not an integer", offset: start) }
      let size = 1 << Int(buffer[content] & 0x0f)
      guard size <= tableStart - content - 1 else {
        throw PropertyListError.damaged("a count is cut off", offset: start)
      }
      count = bigEndian(buffer, at: content + 1, width: size)
      content += 1 + size
    }
    guard count <= UInt64((tableStart - content) / width) else {
      throw PropertyListError.damaged("a count is larger than the file", offset: start)
    }
    return RawObject(
      kind: kind,
      start: start,
      content: content,
      count: Int(count),
      size: Int(count) * width,
    )
  }

  /// Returns the `position`-th reference of an array, or of a dictionary (its keys come first).
  @inline(__always)
  func reference(_ object: RawObject, _ position: Int) -> Int {
    let number = bigEndian(
      buffer,
      at: object.content + position * referenceWidth,
      width: referenceWidth,
    )
    return Int(clamping: number)
  }

  func content(_ raw: RawObject) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[raw.content..<raw.content + raw.size])
  }

  func string(_ raw: RawObject) -> StringBytes? {
    switch raw.kind {
    case .ascii: .ascii(content(raw))
    case .utf16: .utf16BigEndian(content(raw))
    default: nil
    }
  }
}

/// The place of an object's content, checked to lie in the file.
struct RawObject {
  enum Kind: Hashable {
    case boolean(Bool)
    case integer, real, date, data, ascii, utf16, uid, array, dictionary
  }

  let kind: Kind
  let start: Int
  /// The offset of what follows the marker and the count.
  let content: Int
  /// The number of bytes, UTF-16 code units, elements or entries.
  let count: Int
  /// The number of the content's bytes.
  let size: Int
}

/// Reads an unsigned number of `width` bytes, at most 8, most significant first.
@inline(__always)
func bigEndian(_ buffer: UnsafeRawBufferPointer, at offset: Int, width: Int) -> UInt64 {
  // PERF: the usual widths in one load each; the loop took a third of the time of a save.
  switch width {
  case 1: return UInt64(buffer[offset])
  case 2: return UInt64(buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian)
  case 4: return UInt64(buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
  default: return oddBigEndian(buffer, at: offset, width: width)
  }
}

/// PERF: apart from the others, so that these stay small where they are inlined.
@inline(never)
private func oddBigEndian(_ buffer: UnsafeRawBufferPointer, at offset: Int, width: Int) -> UInt64 {
  var number: UInt64 = 0
  for position in offset..<offset + width { number = number << 8 | UInt64(buffer[position]) }
  return number
}
