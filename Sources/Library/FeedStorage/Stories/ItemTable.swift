package import FeedModel
internal import PropertyLists
package import System

/// The stories in the data file, newest first: a view that decodes only what it is asked for.
///
/// Every accessor throws `.damaged` if the file cannot be read at that place, or an element is no
/// dictionary.
package struct ItemTable: Sendable {
  package let count: Int
  let path: String
  let reader: BinaryPropertyListReader?
  let array: Int
  let status: FileStatus?

  /// The time at which the file was saved; nil if there was none.
  ///
  /// The kernel gives files the time of its last tick, which is up to 10 ms ago.
  package var saved: Date? {
    status.map { Date(timeIntervalSince1970: Double($0.modified) / 1e9 + 0.01) }
  }

  package func isUnchanged(in other: ItemTable) -> Bool {
    guard let status, let newer = other.status else { return status == nil && other.status == nil }
    return status.isSameFile(as: newer) && status.modified == newer.modified
      && status.size == newer.size
  }

  /// Returns true if this file has replaced the other, which can still be read.
  package func hasReplaced(_ other: ItemTable) -> Bool {
    guard let status, let older = other.status else { return true }
    return !status.isSameFile(as: older)
  }

  /// The most elements that may be one object, as equal texts in place of stories are.
  private static let sharedElements = 1_024

  package static let empty = ItemTable(path: "")

  init(path: String) {
    self.path = path
    reader = nil
    array = 0
    status = nil
    count = 0
  }

  init(
    _ reader: BinaryPropertyListReader,
    array: Int? = nil,
    path: String,
    status: FileStatus?,
  ) throws {
    self.path = path
    self.status = status
    self.reader = reader
    self.array = array ?? reader.root
    guard
      let count = try StorageError.translating(
        path,
        { try reader.arrayCount(array ?? reader.root) },
      )
    else {
      let position = array == nil ? "the top-level object is" : "the stories are"
      throw StorageError.damaged(path: path, reason: "\(position) not an array")
    }
    // Stories are objects of their own: a few bytes must not stand for millions of them.
    guard count <= max(reader.count, Self.sharedElements) else {
      throw StorageError.damaged(path: path, reason: "it has more stories than objects")
    }
    self.count = count
  }

  package func item(at index: Int) throws -> StoredItem {
    try story(at: index).item()
  }

  package func id(at index: Int) throws -> String { try story(at: index).id() }

  /// The index of the story with an `id`; nil if there is none.
  ///
  /// The search begins at `position` and comes to the stories before it last, since new ones come in
  /// front.
  package func index(ofID id: String, near position: Int = 0) throws -> Int? {
    guard var stories = ItemReader(self) else { return nil }
    let start = min(max(position, 0), count)
    for index in start..<count where try stories.isStory(index, withID: id) { return index }
    for index in (0..<start).reversed() where try stories.isStory(index, withID: id) {
      return index
    }
    return nil
  }

  func object(at index: Int) throws -> Int {
    guard let reader else { throw lacks(index) }
    return try object(at: index, in: reader)
  }

  /// Returns the object of a story, given the table's reader.
  ///
  /// PERF: taking it out of the table, as `object(at:)` does, takes as long as the rest.
  func object(at index: Int, in reader: BinaryPropertyListReader) throws -> Int {
    let object = try StorageError.translating(path) { () -> Int? in
      guard let element = try reader.element(array, at: index) else { return nil }
      try reader.willRead(element)
      return element
    }
    guard let object else { throw lacks(index) }
    return object
  }

  private func lacks(_ index: Int) -> StorageError {
    .damaged(path: path, reason: "there is no story \(index + 1) of \(count)")
  }

  package func forEachStory(
    at positions: some Sequence<Int>,
    _ body: (_ position: Int, _ story: inout ItemReader) throws -> Void,
  ) throws {
    guard var reader = ItemReader(self) else { return }
    for position in positions {
      try reader.move(to: position)
      try body(position, &reader)
    }
  }

  /// Reads one story; a caller that reads many moves one reader.
  package func story(at index: Int) throws -> ItemReader {
    guard var story = ItemReader(self) else {
      throw StorageError.damaged(path: path, reason: "no stories")
    }
    try story.move(to: index)
    return story
  }
}

package struct HomeFile: Hashable, Sendable {
  package let path: String
  package let isFolder: Bool
  /// The kind in words, such as "a folder" or "a pipe"; nil for a regular file.
  package let kind: String?
  package let mode: Int
  package let isOurs: Bool
  package let bytes: Int
}
