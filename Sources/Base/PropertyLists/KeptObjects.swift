/// The objects of a list that its next version keeps as they are, with their numbers.
///
/// A list with versions has an array as its root, which is object 0. Object 1 is its note: data that
/// nothing refers to. Both stand behind all others, and each version has them anew. All offsets have
/// four bytes, so that those of the former version are copied, too.
package struct KeptObjects: Sendable {
  /// The number of bytes from the start of the list.
  package let bytes: Int
  let numbers: Range<Int>

  static let (root, note, first) = (0, 1, 2)
  static let offsetWidth = 4
}

extension BinaryPropertyListReader {
  /// The bytes of the note, and those of the root's references; nil for a list of another form.
  package var note: (content: UnsafeRawBufferPointer, root: UnsafeRawBufferPointer)? {
    guard let (note, list) = try? ends() else { return nil }
    return (layout.content(note), layout.content(list))
  }

  private func ends() throws -> (note: RawObject, list: RawObject)? {
    guard root == KeptObjects.root, count > KeptObjects.first,
      layout.offsetWidth == KeptObjects.offsetWidth,
      layout.referenceWidth == PropertyListOutput.referenceWidth
    else { return nil }
    let (note, list) = (try layout.object(KeptObjects.note), try layout.object(root))
    guard note.kind == .data, list.kind == .array, note.content + note.size == list.start,
      list.content + list.size == layout.tableStart
    else { return nil }
    return (note, list)
  }

  /// Returns what the next version can keep; nil for a list of another form, and one that is too
  /// large to grow.
  package func keptObjects() throws -> KeptObjects? {
    let width = KeptObjects.offsetWidth
    guard let (note, _) = try ends(), layout.tableStart + count * width + 32 == buffer.count,
      buffer.count <= BinaryPropertyListWriter.maximumSize / 2
    else { return nil }
    // What begins behind the end would be another object.
    let last = (KeptObjects.first..<count).reduce(0) {
      max($0, bigEndian(buffer, at: layout.tableStart + $1 * width, width: width))
    }
    bytes.releasePages()
    guard last < UInt64(note.start) else { return nil }
    return KeptObjects(bytes: note.start, numbers: KeptObjects.first..<count)
  }

  /// Returns the bytes of an object and of the values in it, or at least `most`.
  package func size(of object: Int, most: Int) -> Int {
    var (size, waiting) = (0, [object])
    while size < most, let raw = waiting.popLast().flatMap({ try? layout.object($0) }) {
      size += 6 + raw.size
      switch raw.kind {
      case .array: waiting += (0..<raw.count).map { layout.reference(raw, $0) }
      case .dictionary: waiting += (0..<raw.count).map { layout.reference(raw, raw.count + $0) }
      default: break
      }
    }
    return size
  }
}

extension BinaryPropertyListWriter {
  /// Begins the note, whose bytes are to be appended; `addRoot` follows.
  package mutating func beginNote(bytes: Int) {
    _ = begin(KeptObjects.note)
    output.append(marker: 0x40, count: bytes)
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) { output.append(bytes) }

  package mutating func addRoot(_ elements: [Object]) -> Object {
    add(array: elements, as: begin(KeptObjects.root))
  }

  /// Has new objects share a string of the source, whose objects are kept; returns it, or nil for
  /// another object and for a long string.
  package mutating func share(_ object: Int) throws -> String? {
    guard let layout = source.reader?.layout, case let raw = try layout.object(object),
      raw.size <= 2_048, let text = layout.string(raw)?.string
    else { return nil }
    strings[text] = Object(number: UInt32(object))
    return text
  }

  /// The offsets of what is kept, as the former table has them.
  var keptOffsets: UnsafeRawBufferPointer? {
    guard let layout = source.reader?.layout, source.isKept else { return nil }
    let start = layout.tableStart + KeptObjects.first * KeptObjects.offsetWidth
    return UnsafeRawBufferPointer(rebasing: layout.buffer[start..<layout.buffer.count - 32])
  }
}
