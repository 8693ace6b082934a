internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
internal import System

/// Stories that were deleted somewhere.
///
/// A star anywhere wins, and so does saving a page anew: then the home that has it says that the story is
/// not deleted. It says so under the hashes by which feeds keep cleared stories away, too, for who has
/// no such story any more knows it by nothing else.
extension SyncMerge {
  /// Settles which stories are to go, by their indices: to be called once.
  ///
  /// A story that was also saved as a page here goes only where that page was deleted.
  mutating func takeDeletions() throws(StorageError) -> [Int] {
    guard !merged.registers[flag: .deleted].isEmpty else { return [] }
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

  /// Whether it is a page that came behind the deletion: only the reader's own hand brings it.
  private func isSavedAgain(_ index: Int) throws(StorageError) -> Bool {
    guard let page = stories.savedKey(of: index), isDeleted(page),
      let stored = try library.items.story(at: index).date(.stored)
    else { return false }
    return SyncStamp.time(of: stored) > merged.registers[.story(page, .deleted)]?.stamp.time ?? 0
  }

  private func isStarred(_ index: Int, _ keys: [UInt64]) -> Bool {
    register(.starred, of: keys).map { $0.value == .yes } ?? stories.marks[index].isStarred
  }

  /// Says that a story is not deleted.
  private mutating func keep(_ index: Int) throws(StorageError) {
    let keys = stories.keys(of: index).map { SyncKey.story($0, .deleted) }
    note(.none, under: try keys + clearedKeys(of: index), at: SyncStamp.time(of: now))
  }

  /// Says so of those that others would have had go.
  mutating func keepStories(
    deletedBy registers: [SyncKey: Replica.Register]
  ) throws(StorageError) {
    guard registers.contains(where: { $0.key.isDeletion && !$0.value.isGone }) else { return }
    for index in 0..<stories.count
    where stories.keys(of: index).contains(where: { registers[.story($0, .deleted)] != nil }) {
      try keep(index)
    }
  }

  /// Under what a feed keeps a story away that was cleared.
  func clearedKeys(of index: Int) throws(StorageError) -> [SyncKey] {
    try library.items.story(at: index).clearedHashes().sorted().map { .story($0, .deleted) }
  }

  /// Has all that a story is known by be deleted where some of it is, but for the page that it is, too.
  mutating func fillDeletion(of index: Int, _ keys: [UInt64]) {
    guard !merged.registers[flag: .deleted].isEmpty else { return }
    let saved = stories.savedKey(of: index)
    fill(keys.filter { $0 != saved }.map { .story($0, .deleted) })
  }

  /// Remembers of what another knows anew that it is not deleted.
  mutating func noteUndeleted(_ known: Replica) {
    for row in known.registers[flag: .deleted].rows where row.isGone {
      let own = merged.registers[flag: .deleted][row.key]
      if own.map({ $0.register < row.register }) ?? true { undeleted.insert(row.story) }
    }
  }

  /// What is to come back with the next documents of its feeds, as nobody has deleted it meanwhile.
  var comingBack: Set<UInt64> {
    undeleted.filter { merged.registers[.story($0, .deleted)]?.isGone ?? true }
  }
}

extension SyncKey {
  fileprivate var isDeletion: Bool { if case .story(_, .deleted) = self { true } else { false } }
}
