import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

/// Deletes files of stories that are read and have no star, or are stored no more (`--clean`).
struct DownloadCleaning {
  private let context: CommandContext
  private let store: LibraryStore
  private var removed: [DownloadResult] = []
  private var gone: [String: String?] = [:]
  private var hasFailed = false

  /// A story of which a folder may have a file, whole or not.
  private typealias Saved = (story: StoredItem, folder: DownloadFolder?)

  init(_ context: CommandContext, _ store: LibraryStore) {
    (self.context, self.store) = (context, store)
  }

  mutating func run() throws -> ExitStatus {
    let saved = try saved()
    guard try isConfirmed(saved) else {
      context.say("nothing was deleted")
      return .failed
    }
    for saved in saved {
      let isRemoved = remove(saved.story, from: saved.folder)
      guard let file = saved.story.file else { continue }
      let isMissing = FileStatus(at: file, followingLinks: false) == nil
      if isRemoved || isMissing { gone[saved.story.id] = .some(nil) }
    }
    if !gone.isEmpty { try store.note(files: gone) }
    print()
    return hasFailed ? .failed : .done
  }

  private func isConfirmed(_ saved: [Saved]) throws -> Bool {
    guard !context.isConfirmed else { return true }
    var sizes: [String: [String: Int]] = [:]
    var found: [Int] = []
    for case (let story, let folder?) in saved {
      if sizes[folder.path] == nil { sizes[folder.path] = try folder.sizes() }
      if let size = sizes[folder.path]?[story.id] { found.append(size) }
    }
    guard !found.isEmpty else { return true }
    let bytes = ByteCount.text(found.reduce(0, +))
    return try context.confirm("Delete \(Count.of(found.count, "file")) (\(bytes))")
  }

  private func saved() throws -> [Saved] {
    let library = try store.read(.names)
    let usual = DownloadFolder(at: try context.downloadPath(), of: store)
    let query = try StoryQuery(context, library)
    var left = Set(try usual?.sizes().keys.map(\.self) ?? [])
    var saved: [Saved] = []
    for story in try heard(library, query, left) {
      left.remove(story.id)
      saved.append((story, story.file.map { DownloadFolder.of($0, of: store) } ?? usual))
    }
    guard query.takesAll else { return saved }
    for id in try lost(left, library) {
      saved.append((StoredItem(id: id, item: Item(), feeds: [], stored: nil), usual))
    }
    return saved
  }

  private mutating func remove(_ story: StoredItem, from folder: DownloadFolder?) -> Bool {
    do {
      guard let file = try folder?.remove(story.id) else { return false }
      removed.append(DownloadResult(story, file: file.path, bytes: file.bytes))
      return true
    } catch {
      context.complain("\(error)")
      hasFailed = true
      return false
    }
  }

  /// Returns stories that are read, have no star, and have a file or a part of one.
  private func heard(
    _ library: Library,
    _ query: StoryQuery,
    _ recorded: Set<String>,
  ) throws -> [StoredItem] {
    let positions = try context.positions(of: query, in: library)
    return try positions.compactMap { position in
      let reader = try library.items.story(at: position)
      guard try reader.isRead(), try !reader.isStarred() else { return nil }
      let isKnown = try reader.file() != nil || recorded.contains(try reader.id())
      return isKnown ? try reader.item() : nil
    }
  }

  private func lost(_ recorded: Set<String>, _ library: Library) throws -> Set<String> {
    var lost = recorded
    for position in try library.items.positions(of: ItemIDs(recorded)) {
      lost.remove(try library.items.id(at: position))
    }
    return lost
  }

  private func print() {
    if context.isJSON { return context.output.printJSON(removed, DownloadResult.fields) }
    for result in removed { context.output.printLine(SafeText.line(result.path ?? "")) }
    let bytes = removed.reduce(0) { $0 + $1.bytes }
    context.say("\(Count.of(removed.count, "file")) deleted, \(ByteCount.text(bytes))")
  }
}
