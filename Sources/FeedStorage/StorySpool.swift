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
      PackedItem.append(item, to: &bytes)
      ends.append(bytes.count)
    }
    let objects = items.reduce(0) { $0 + $1.objectCount }
    return SpooledStories(place(bytes), ends: ends, maximumObjects: objects)
  }

  private func place(_ bytes: [UInt8]) -> SpooledStories.Place {
    state.withLock { state in
      if let folder, state.held + bytes.count > maximumHeld,
        let offset = state.write(bytes, in: folder)
      {
        return .file(self, offset: offset)
      }
      state.held += bytes.count
      // As large as it has to be.
      return .memory(bytes.withUnsafeBytes { Array($0) })
    }
  }

  /// The item at a place in the file; nil for bytes that are none.
  func item(at range: Range<Int>) throws(StorageError) -> Item? {
    try state.withLock { state in
      Result { () throws(StorageError) in try state.item(at: range) }
    }.get()
  }
}

extension StorySpool.State {
  fileprivate func item(at range: Range<Int>) throws(StorageError) -> Item? {
    guard let file else { preconditionFailure("nothing was written") }
    return try withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 8) { buffer in
      Result { () throws(StorageError) in
        try SystemCalls.fill(buffer, from: file, at: range.lowerBound)
        return PackedItem.item(UnsafeRawBufferPointer(buffer))
      }
    }.get()
  }

  /// - Returns: where the bytes are in the file; nil when they cannot be written.
  fileprivate mutating func write(_ bytes: [UInt8], in folder: String) -> Int? {
    guard !isFull else { return nil }
    do throws(StorageError) {
      if file == nil { file = try SystemCalls.createUnnamed(in: folder) }
      guard let file else { return nil }
      try SystemCalls.write(bytes, at: size, to: file)
      size += bytes.count
      return size - bytes.count
    } catch {
      // A full disk is told of when the stories are to be saved, if it still is.
      isFull = true
      return nil
    }
  }
}
