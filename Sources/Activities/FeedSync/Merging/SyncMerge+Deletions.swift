import FeedLibrary
internal import FeedModel
internal import FeedStorage

/// Deletions of stories.
///
/// A star on any machine wins over a deletion, and so does saving the page again. The home that has
/// it then records that the story is not deleted. It does so under the hashes of cleared stories
/// too, because a machine that no longer has the story knows nothing else of it.
extension SyncMerge {
  /// Returns the indices of the stories to delete; to be called once.
  ///
  /// A story that is a saved page too is deleted only if the page was.
  mutating func takeDeletions() throws -> [Int] {
    guard merged.registers.hasDeletions else { return [] }
    var deleted: [Int] = []
    for index in 0..<stories.count {
      let keys = stories.keys(of: index)
      guard register(.deleted, of: keys)?.value == .yes else { continue }
      let isKept = isStarred(index, keys) ? true : try isSavedAgain(index)
      if isKept {
        try keep(index)
      } else if stories.savedKey(of: index).map({ isDeleted($0) }) ?? true {
        deleted.append(index)
      }
    }
    return deleted
  }

  private func isDeleted(_ page: UInt64) -> Bool {
    merged.registers[.story(page, .deleted)]?.value == .yes
  }

  /// Returns true for a page saved after its deletion: only the user saves pages.
  private func isSavedAgain(_ index: Int) throws -> Bool {
    guard let page = stories.savedKey(of: index), isDeleted(page),
      let stored = try library.items.story(at: index).date(.stored)
    else { return false }
    return SyncStamp.time(of: stored) > merged.registers[.story(page, .deleted)]?.stamp.time ?? 0
  }

  private func isStarred(_ index: Int, _ keys: [UInt64]) -> Bool {
    register(.starred, of: keys).map { $0.value == .yes } ?? stories.flags[index][.starred]
  }

  private mutating func keep(_ index: Int) throws {
    let keys = stories.keys(of: index).map { SyncKey.story($0, .deleted) }
    note(.none, under: try keys + clearedKeys(of: index), at: SyncStamp.time(of: now))
  }

  func clearedKeys(of index: Int) throws -> [SyncKey] {
    try library.items.story(at: index).clearedHashes().sorted().map { .story($0, .deleted) }
  }

  /// Copies a deletion to all keys of a story except that of its saved page.
  mutating func fillDeletion(of index: Int, _ keys: [UInt64]) {
    let saved = stories.savedKey(of: index)
    fill(keys.filter { $0 != saved }.map { .story($0, .deleted) })
  }

  /// Remembers the stories of which another machine newly says that they are not deleted.
  mutating func noteUndeleted(_ known: Replica) {
    for row in known.registers.marks.rows where row.kind == .deleted && row.isGone {
      let own = merged.registers.marks[row.key]
      if own.map({ $0.register < row.register }) ?? true { undeleted.insert(row.story) }
    }
  }

  /// The stories that come back with their feeds' next documents.
  var comingBack: Set<UInt64> {
    undeleted.filter { merged.registers[.story($0, .deleted)]?.isGone ?? true }
  }
}
