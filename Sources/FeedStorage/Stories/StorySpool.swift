package import FeedModel
internal import Synchronization

/// Where stories wait between their feeds and the store: packed, and once they are many in a file.
///
/// A first refresh brings more than there should be in memory at once. The file has no name (it
/// is unlinked as soon as it is there), so that it goes with the process, however that ends. Where
/// it cannot be had or is full, everything stays in memory.
package final class StorySpool: Sendable {
  fileprivate struct State {
    var held = 0
    var file: OpenFile?
    var size = 0
    /// The file cannot be had, or takes no more.
    var isFull = false
  }

  private let state = Mutex(State())
  private let folder: String?
  private let maximumHeld: Int

  /// Without a folder for the file, and up to so many bytes, everything stays in memory.
  package init(folder: String?, maximumHeld: Int = 2 << 20) {
    self.folder = folder
    self.maximumHeld = maximumHeld
  }

  package var held: Int { state.withLock(\.held) }

  /// Takes stories in; callable from any thread.
  package func add(_ items: [Item]) -> SpooledStories {
    SpooledStories(
      pieces: pieces(items) { item, bytes in
        item.withPacked { bytes.append(contentsOf: $0) }
      }
    )
  }

  package func add(_ texts: [StoryText?]) -> SpooledTexts {
    // A feed has one base, or a few, for all its stories.
    var numbers: [String: UInt32] = [:]
    var bases: [String] = []
    let pieces = pieces(texts) { text, bytes in
      guard let text else { return }
      var number: UInt32 = 0
      if let base = text.base {
        number = numbers[base] ?? UInt32(bases.count + 1)
        if number > bases.count {
          bases.append(base)
          numbers[base] = number
        }
      }
      bytes.append(TextForm(isHTML: text.isHTML, isCut: text.isCut).rawValue)
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
      bytes += text.bytes
    }
    return SpooledTexts(pieces: pieces, bases: bases)
  }

  private func pieces<Piece>(
    _ all: [Piece],
    append: (Piece, inout [UInt8]) -> Void,
  ) -> SpooledPieces {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    ends.reserveCapacity(all.count)
    for piece in all {
      append(piece, &bytes)
      ends.append(bytes.count)
    }
    return SpooledPieces(place: place(bytes), ends: ends)
  }

  private func place(_ bytes: [UInt8]) -> SpooledPieces.Place {
    state.withLock { state in
      if let folder, state.held + bytes.count > maximumHeld,
        let offset = state.write(bytes, in: folder)
      {
        return .file(self, at: offset)
      }
      state.held += bytes.count
      // As large as it has to be.
      return .memory(bytes.withUnsafeBytes { Array($0) })
    }
  }

  func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(StorageError) {
    try state.withLock { state throws(StorageError) in try state.read(range, into: &bytes) }
  }
}

extension StorySpool.State {
  fileprivate func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(StorageError) {
    guard let file else { preconditionFailure("nothing was written") }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: range.count))
    try bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(StorageError) in
        try file.fill(buffer, at: range.lowerBound)
      }
    }.get()
  }

  /// - Returns: where the bytes are in the file; nil when they cannot be written.
  fileprivate mutating func write(_ bytes: [UInt8], in folder: String) -> Int? {
    guard !isFull else { return nil }
    do throws(StorageError) {
      if file == nil { file = try OpenFile.unnamed(in: folder) }
      guard let file else { return nil }
      try file.write(bytes, at: size)
      size += bytes.count
      return size - bytes.count
    } catch {
      // A full disk is told of when the stories are to be saved, if it still is.
      isFull = true
      return nil
    }
  }
}

/// What one feed brought, each piece behind the other.
struct SpooledPieces: Sendable {
  enum Place {
    case memory([UInt8])
    case file(StorySpool, at: Int)
  }

  let place: Place
  /// Where each piece ends, from the first one's start.
  let ends: [Int]

  func range(of index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// A piece, in `memory` that one call after the other may use.
  ///
  /// - Throws: when it is in a file that cannot be read.
  func withBytes<R>(
    at index: Int,
    memory: inout [UInt8],
    _ body: (UnsafeRawBufferPointer) -> R,
  ) throws(StorageError) -> R {
    let range = range(of: index)
    switch place {
    case .memory(let bytes):
      return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .file(let spool, let start):
      try spool.read(start + range.lowerBound..<start + range.upperBound, into: &memory)
      return memory.withUnsafeBytes(body)
    }
  }
}

/// What a whole text is besides its bytes and its base.
struct TextForm {
  let isHTML: Bool
  let isCut: Bool

  init(isHTML: Bool, isCut: Bool) {
    (self.isHTML, self.isCut) = (isHTML, isCut)
  }

  init(rawValue: UInt8) {
    (isHTML, isCut) = (rawValue & 1 != 0, rawValue & 2 != 0)
  }

  var rawValue: UInt8 { (isHTML ? 1 : 0) | (isCut ? 2 : 0) }
}

/// The whole texts of one feed's stories on their way to the store.
package struct SpooledTexts: Sendable {
  /// Each: whether it is HTML (1) and cut (2) in one byte, the number of its base from 1 (four), the text.
  let pieces: SpooledPieces
  let bases: [String]

  package func hasText(at index: Int) -> Bool { !pieces.range(of: index).isEmpty }

  func size(at index: Int) -> Int { pieces.range(of: index).count }

  package func text(at index: Int) throws(StorageError) -> StoryText? {
    var (memory, text): ([UInt8], StoryText?) = ([], nil)
    try withText(at: index, memory: &memory) { form, base, utf8 in
      text = StoryText(isHTML: form.isHTML, base: base, bytes: Array(utf8), isCut: form.isCut)
    }
    return text
  }

  /// A text, in `memory` that one call after the other may use; nothing is done where there is none.
  func withText(
    at index: Int,
    memory: inout [UInt8],
    _ body: (TextForm, _ base: String?, _ utf8: UnsafeBufferPointer<UInt8>) -> Void,
  ) throws(StorageError) {
    try pieces.withBytes(at: index, memory: &memory) { bytes in
      guard bytes.count >= 5 else { return }
      let number = Int(bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
      let base = bases.indices.contains(number - 1) ? bases[number - 1] : nil
      let utf8 = UnsafeRawBufferPointer(rebasing: bytes[5...])
      utf8.withMemoryRebound(to: UInt8.self) { body(TextForm(rawValue: bytes[0]), base, $0) }
    }
  }
}

/// The stories of one feed on their way to the store, unpacked one at a time.
package struct SpooledStories: Sendable {
  let pieces: SpooledPieces

  package var count: Int { pieces.ends.count }
  package var indices: Range<Int> { pieces.ends.indices }

  package func item(at index: Int) throws(StorageError) -> Item {
    var memory: [UInt8] = []
    return try pieces.withBytes(at: index, memory: &memory) { Item(packed: $0) }
  }

  /// What a story holds, in `memory` that one call after the other may use.
  ///
  /// - Throws: when it is in a file that cannot be read.
  func withContents<R>(
    at index: Int,
    memory: inout [UInt8],
    _ body: (PackedItem) -> R,
  ) throws(StorageError) -> R {
    try pieces.withBytes(at: index, memory: &memory) { body(PackedItem($0)) }
  }
}

/// A new story of which the item waits in the spool.
package struct SpooledStory: Sendable {
  package let frame: StoredItem
  let stories: SpooledStories
  let index: Int

  /// A story of what the store adds to the item.
  package init(_ frame: StoredItem, itemOf stories: SpooledStories, at index: Int) {
    self.frame = frame
    self.stories = stories
    self.index = index
  }

  package func whole() throws(StorageError) -> StoredItem {
    var story = frame
    story.item = try stories.item(at: index)
    return story
  }
}

/// Makes new stories when their turn to be written has come, by number: for as many as should not be
/// in memory at once.
package typealias StorySource = @Sendable (Int) -> SpooledStory
