package import FeedModel
internal import Synchronization

/// A store for stories between their feeds and the data file: in memory, or in a file once they are
/// very many.
///
/// The first refresh of thousands of feeds brings more than there should be in memory at once. The
/// file has no name (it is unlinked as soon as it is there), so that it goes with the process,
/// however that ends. If it cannot be had or is full, everything stays in memory.
package final class StorySpool: Sendable {
  private struct State {
    var waiting: [SpooledStories] = []
    var buffered = 0
    var file: OpenFile?
    var fileSize = 0
    var isFull = false
  }

  private let state = Mutex(State())
  private let folder: String?
  private let maximumBuffered: Int

  /// Makes a spool; without a folder, or up to so many bytes, everything stays in memory.
  package init(folder: String?, maximumBuffered: Int = 48 << 20) {
    self.folder = folder
    self.maximumBuffered = maximumBuffered
  }

  var buffered: Int { state.withLock(\.buffered) }

  var hasFile: Bool { state.withLock { $0.file != nil } }

  /// Adds stories and their texts; callable from any thread.
  package func add(_ items: [Item], _ texts: [StoryText?] = []) -> SpooledStories {
    let stories = SpooledStories(items, texts)
    guard let folder else { return stories }
    state.withLock { state in
      state.buffered += stories.size
      guard !state.isFull else { return }
      state.waiting.append(stories)
      guard state.file != nil || state.buffered > maximumBuffered else { return }
      // A full disk is told of when the stories are saved, if it still is.
      do { try moveToFile(&state, in: folder) } catch { state.isFull = true }
      state.waiting = []
    }
    return stories
  }

  private func moveToFile(_ state: inout State, in folder: String) throws {
    let file = if let file = state.file { file } else { try OpenFile.unnamed(in: folder) }
    state.file = file
    for stories in state.waiting {
      try stories.move(to: self) { bytes in
        try file.write(bytes, at: state.fileSize)
        return state.fileSize
      }
      state.fileSize += stories.size
      state.buffered -= stories.size
    }
  }

  fileprivate func read(_ range: Range<Int>) throws -> [UInt8] {
    try state.withLock { state in
      guard let file = state.file else { preconditionFailure("nothing was written") }
      var bytes = [UInt8](repeating: 0, count: range.count)
      try bytes.withUnsafeMutableBytes { buffer in
        Result { try file.fill(buffer, at: range.lowerBound) }
      }.get()
      return bytes
    }
  }
}

package final class SpooledStories: Sendable {
  private enum Storage {
    case memory([UInt8])
    case file(StorySpool, at: Int)
  }

  /// The stories in one piece of memory, each followed by its text.
  private let storage: Mutex<Storage>
  /// The end of each story, and then of its text, from the first one's start.
  private let ends: [Int]

  package init(_ items: [Item], _ texts: [StoryText?] = []) {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for index in 0..<max(items.count, texts.count) {
      if items.indices.contains(index) { items[index].withPacked { bytes += $0 } }
      ends.append(bytes.count)
      if texts.indices.contains(index) { texts[index]?.pack(into: &bytes) }
      ends.append(bytes.count)
    }
    self.ends = ends
    // The copy is only as large as it has to be.
    storage = Mutex(.memory(bytes.withUnsafeBytes { Array($0) }))
  }

  package var count: Int { ends.count / 2 }
  package var indices: Range<Int> { 0..<count }

  fileprivate var size: Int { ends.last ?? 0 }

  package func item(at index: Int) throws -> Item {
    try read((index == 0 ? 0 : ends[2 * index - 1])..<ends[2 * index], Item.init(packed:))
  }

  package func text(at index: Int) throws -> StoryText? {
    guard hasText(at: index) else { return nil }
    return try read(ends[2 * index]..<ends[2 * index + 1], StoryText.init(packed:))
  }

  package func hasText(at index: Int) -> Bool { textSize(at: index) > 0 }

  /// The bytes of a text and what goes with it; 0 for none.
  func textSize(at index: Int) -> Int { ends[2 * index + 1] - ends[2 * index] }

  private func read<Value>(
    _ range: Range<Int>,
    _ make: (UnsafeRawBufferPointer) -> Value,
  ) throws -> Value {
    switch storage.withLock({ $0 }) {
    case .memory(let bytes):
      return bytes.withUnsafeBytes { make(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .file(let spool, let start):
      let bytes = try spool.read(start + range.lowerBound..<start + range.upperBound)
      return bytes.withUnsafeBytes(make)
    }
  }

  fileprivate func move(to spool: StorySpool, _ write: ([UInt8]) throws -> Int) throws {
    guard case .memory(let bytes) = storage.withLock({ $0 }) else { return }
    let start = try write(bytes)
    storage.withLock { $0 = .file(spool, at: start) }
  }
}

/// The packed form: one byte for HTML (1), cut (2) and with a base (4), four bytes for the length
/// of the base, the base, the text.
extension StoryText {
  fileprivate func pack(into bytes: inout [UInt8]) {
    let base = Array((base ?? "").utf8)
    bytes.append((isHTML ? 1 : 0) | (isCut ? 2 : 0) | (self.base == nil ? 0 : 4))
    withUnsafeBytes(of: UInt32(base.count)) { bytes += $0 }
    bytes += base
    bytes += self.bytes
  }

  fileprivate init(packed bytes: UnsafeRawBufferPointer) {
    let start = 5 + Int(bytes.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
    self.init(
      isHTML: bytes[0] & 1 != 0,
      base: bytes[0] & 4 == 0 ? nil : String(decoding: bytes[5..<start], as: UTF8.self),
      bytes: Array(bytes[start...]),
      isCut: bytes[0] & 2 != 0,
    )
  }
}

/// Makes new stories by number when their turn to be written comes, so that they are not in memory
/// at once.
package typealias StorySource = @Sendable (Int) throws -> StoredItem
