internal import PropertyLists

/// The keys of the stories of a data file, as its last save left them in its note.
///
/// The note has those of all stories in their order, or none; then the number of bytes in the file
/// that nothing uses any more, and a checksum of all that and of the order. A save leaves the keys
/// of new stories unknown, and takes those of others from the stories where it does not find them.
package struct StoryIndex: Sendable {
  // In the bytes of the table, which the index keeps.
  nonisolated(unsafe) private let keys: UnsafeRawBufferPointer
  private let table: ItemTable
  let unused: Int

  static let trailer = 16

  package init?(_ table: ItemTable) {
    guard let reader = table.reader, table.array == reader.root, let (note, root) = reader.note,
      note.count >= Self.trailer
    else { return nil }
    let size = note.count - Self.trailer
    guard size == 0 || size == table.count * StoryKeys.size else { return nil }
    var sum = StoryIndexChecksum()
    sum.add(UnsafeRawBufferPointer(rebasing: note.dropLast(8)))
    sum.add(root)
    guard note.loadUnaligned(fromByteOffset: size + 8, as: UInt64.self) == sum.value else {
      return nil
    }
    self.table = table
    keys = UnsafeRawBufferPointer(rebasing: note.prefix(size))
    unused = Int(clamping: note.loadUnaligned(fromByteOffset: size, as: UInt64.self))
  }

  var isEmpty: Bool { keys.isEmpty }

  /// The keys of a story; nil if it has to be asked itself.
  package subscript(position: Int) -> StoryKeys? {
    guard !keys.isEmpty else { return nil }
    let offset = position * StoryKeys.size
    let keys = keys.loadUnaligned(fromByteOffset: offset, as: StoryKeys.self)
    return keys.isWhole ? keys : nil
  }
}

/// A checksum against damage and against files that another program has changed.
struct StoryIndexChecksum {
  /// Begins with the version of the keys.
  private(set) var value: UInt64 = 1

  /// Adds bytes, four at a time.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for offset in stride(from: 0, to: bytes.count & ~3, by: 4) {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }

  @inline(__always)
  mutating func add(_ word: UInt32) {
    value = (value ^ UInt64(word)) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }
}
