package import FeedModel

/// The stories of one feed on their way to the store, unpacked one at a time.
package struct SpooledStories: Sendable {
  enum Place {
    case memory([UInt8])
    /// All of them, in the spool's file.
    case file(StorySpool, at: Range<Int>)
  }

  private let place: Place
  /// Where each story ends, from the first one's start.
  private let ends: [Int]

  init(_ place: Place, ends: [Int]) {
    self.place = place
    self.ends = ends
  }

  package var count: Int { ends.count }
  package var indices: Range<Int> { ends.indices }

  /// A story.
  ///
  /// - Throws: when it is in a file that cannot be read.
  package func item(at index: Int) throws(StorageError) -> Item {
    var memory: [UInt8] = []
    let item = try withBytes(at: index, memory: &memory) { PackedItem.item($0) }
    guard let item else { throw Self.unreadable }
    return item
  }

  /// What a story holds, in `memory` that one call after the other may use.
  ///
  /// - Throws: when it is in a file that cannot be read.
  func withContents<R>(
    at index: Int,
    memory: inout [UInt8],
    _ body: (ItemContents) -> R,
  ) throws(StorageError) -> R {
    let result = try withBytes(at: index, memory: &memory) { PackedItem.contents($0).map(body) }
    guard let result else { throw Self.unreadable }
    return result
  }

  private static var unreadable: StorageError { .refused("what was fetched cannot be read back") }

  private func withBytes<R>(
    at index: Int,
    memory: inout [UInt8],
    _ body: (UnsafeRawBufferPointer) -> R,
  ) throws(StorageError) -> R {
    let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
    switch place {
    case .memory(let bytes):
      return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .file(let spool, let place):
      let start = place.lowerBound
      try spool.read(
        start + range.lowerBound..<start + range.upperBound,
        of: place,
        into: &memory,
      )
      return memory.withUnsafeBytes(body)
    }
  }
}

/// A new story of which the item waits in the spool.
package struct SpooledStory: Sendable {
  /// The story with no item, or none that counts.
  package let frame: StoredItem
  let stories: SpooledStories
  let index: Int

  /// - Parameters:
  ///   - frame: what the store adds to the item.
  ///   - stories: where that is.
  ///   - index: which of them.
  package init(_ frame: StoredItem, itemOf stories: SpooledStories, at index: Int) {
    self.frame = frame
    self.stories = stories
    self.index = index
  }

  /// The story with its item.
  ///
  /// - Throws: when what was fetched cannot be read back.
  package func whole() throws(StorageError) -> StoredItem {
    var story = frame
    story.item = try stories.item(at: index)
    return story
  }
}

/// Makes new stories when their turn to be written has come, by number: for as many as should not be
/// in memory at once.
package typealias StorySource = @Sendable (Int) -> SpooledStory
