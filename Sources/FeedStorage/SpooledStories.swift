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
  /// No more objects of the data file than this make them up, without what the store adds.
  let maximumObjects: Int

  init(_ place: Place, ends: [Int], maximumObjects: Int) {
    self.place = place
    self.ends = ends
    self.maximumObjects = maximumObjects
  }

  package var count: Int { ends.count }
  package var indices: Range<Int> { ends.indices }

  /// A story.
  ///
  /// - Throws: when it is in a file that cannot be read.
  package func item(at index: Int) throws(StorageError) -> Item {
    let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
    let item: Item?
    switch place {
    case .memory(let bytes):
      item = bytes.withUnsafeBytes { PackedItem.item(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .file(let spool, let place):
      let start = place.lowerBound
      item = try spool.item(at: start + range.lowerBound..<start + range.upperBound, of: place)
    }
    guard let item else { throw .refused("what was fetched cannot be read back") }
    return item
  }
}
