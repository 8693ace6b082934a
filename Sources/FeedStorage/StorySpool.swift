package import FeedModel
internal import Synchronization

/// Where stories wait between their feeds and the store: packed, and once they are many in a file.
///
/// A first refresh brings more than there should be in memory at once. The file has no name (it
/// is unlinked as soon as it is there), so that it goes with the process, however that ends. Where
/// it cannot be had or is full, everything stays in memory.
package final class StorySpool: Sendable {
  fileprivate struct State {
    /// Bytes in memory.
    var held = 0
    var file: SystemCalls.Descriptor?
    var size = 0
    /// The file cannot be had, or takes no more.
    var isFull = false
    /// What was read ahead of the file, by where its feed's stories begin.
    var windows: [Int: Window] = [:]
    var batches = 0
  }

  /// A part of the file.
  fileprivate struct Window {
    var start = 0
    var bytes: [UInt8] = []
  }

  private let state = Mutex(State())
  private let folder: String?
  private let maximumHeld: Int

  /// - Parameters:
  ///   - folder: where the file is to be; nil keeps everything in memory.
  ///   - maximumHeld: bytes in memory from which on stories go to the file.
  package init(folder: String?, maximumHeld: Int = 2 << 20) {
    self.folder = folder
    self.maximumHeld = maximumHeld
  }

  /// Bytes in memory.
  package var held: Int { state.withLock(\.held) }

  /// Takes stories in; callable from any thread.
  package func add(_ items: [Item]) -> SpooledStories {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    ends.reserveCapacity(items.count)
    for item in items {
      item.withContents { PackedItem.append($0, to: &bytes) }
      ends.append(bytes.count)
    }
    return SpooledStories(place(bytes), ends: ends)
  }

  private func place(_ bytes: [UInt8]) -> SpooledStories.Place {
    state.withLock { state in
      if let folder, state.held + bytes.count > maximumHeld,
        let offset = state.write(bytes, in: folder)
      {
        return .file(self, at: offset..<offset + bytes.count)
      }
      state.held += bytes.count
      // As large as it has to be.
      return .memory(bytes.withUnsafeBytes { Array($0) })
    }
  }

  /// Copies the bytes of the story at a place in the file.
  ///
  /// All stories of its feed are in the second range. They are asked for in their order or the other
  /// way round, those of one feed between those of others: what is next is read with each.
  func read(
    _ range: Range<Int>,
    of feed: Range<Int>,
    into bytes: inout [UInt8],
  ) throws(StorageError) {
    try state.withLock { state in
      Result { () throws(StorageError) in try state.read(range, of: feed, into: &bytes) }
    }.get()
  }
}

extension StorySpool.State {
  /// Bytes that are read ahead, of all feeds together.
  private static let maximumReadAhead = 1 << 20

  fileprivate mutating func read(
    _ range: Range<Int>,
    of feed: Range<Int>,
    into bytes: inout [UInt8],
  ) throws(StorageError) {
    guard let file else { preconditionFailure("nothing was written") }
    bytes.removeAll(keepingCapacity: true)
    try windows[feed.lowerBound, default: StorySpool.Window()]
      .append(range, of: file, reading: Self.maximumReadAhead / batches, in: feed, to: &bytes)
  }

  /// - Returns: where the bytes are in the file; nil when they cannot be written.
  fileprivate mutating func write(_ bytes: [UInt8], in folder: String) -> Int? {
    guard !isFull else { return nil }
    do throws(StorageError) {
      if file == nil { file = try SystemCalls.createUnnamed(in: folder) }
      guard let file else { return nil }
      try SystemCalls.write(bytes, at: size, to: file)
      size += bytes.count
      batches += 1
      return size - bytes.count
    } catch {
      // A full disk is told of when the stories are to be saved, if it still is.
      isFull = true
      return nil
    }
  }
}

extension StorySpool.Window {
  fileprivate mutating func append(
    _ range: Range<Int>,
    of file: SystemCalls.Descriptor,
    reading count: Int,
    in feed: Range<Int>,
    to output: inout [UInt8],
  ) throws(StorageError) {
    if range.lowerBound < start || range.upperBound - start > bytes.count {
      // PERF: a document that begins with its oldest story is asked for from its end.
      let isReversed = range.upperBound == feed.upperBound || range.lowerBound < start
      let lower = isReversed ? max(range.upperBound - count, feed.lowerBound) : range.lowerBound
      let upper = isReversed ? range.upperBound : min(range.lowerBound + count, feed.upperBound)
      try read(min(lower, range.lowerBound)..<max(upper, range.upperBound), of: file)
    }
    let place = range.lowerBound - start..<range.upperBound - start
    bytes.withUnsafeBytes { output.append(contentsOf: $0[place]) }
  }

  private mutating func read(
    _ range: Range<Int>,
    of file: SystemCalls.Descriptor,
  ) throws(StorageError) {
    if bytes.count != range.count { bytes = Array(repeating: 0, count: range.count) }
    // Nothing is in it until all is.
    start = .max
    try bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(StorageError) in
        try SystemCalls.fill(buffer, from: file, at: range.lowerBound)
      }
    }.get()
    start = range.lowerBound
  }
}
