import CommandLine
import FeedModel
import FeedStorage

/// `news download --clean`: removes the files of stories that are read and have no star, and those of
/// stories that are stored no more.
struct DownloadCleaning {
  private let context: CommandContext
  private let store: LibraryStore
  private var removed: [DownloadResult] = []
  /// Stories whose file is no more.
  private var gone: [String: String?] = [:]
  private var hasFailed = false

  init(_ context: CommandContext, _ store: LibraryStore) {
    (self.context, self.store) = (context, store)
  }

  mutating func run() throws(CommandError) -> ExitStatus {
    let library = try store.library(.names)
    let usual = DownloadFolder(of: try context.downloadPath() + "/", of: store)
    let query = try StoryQuery(context, library)
    var left = try commandErrors { Set(try usual?.sizes().keys.map(\.self) ?? []) }
    for story in try heard(library, query, left) {
      left.remove(story.id)
      if let file = story.file {
        let isRemoved = remove(story, from: DownloadFolder(of: file, of: store))
        let isMissing = FileStatus(at: file, followingLinks: false) == nil
        if isRemoved || isMissing { gone[story.id] = .some(nil) }
      } else {
        remove(story, from: usual)
      }
    }
    if query.takesAll {
      for id in try commandErrors({ try lost(left, library) }) {
        remove(StoredItem(id: id, item: Item(), feeds: [], stored: nil), from: usual)
      }
    }
    if !gone.isEmpty { try commandErrors { try store.note(files: gone) } }
    print()
    return hasFailed ? .failed : .done
  }

  @discardableResult
  private mutating func remove(_ story: StoredItem, from folder: DownloadFolder?) -> Bool {
    do throws(StorageError) {
      guard let file = try folder?.remove(story.id) else { return false }
      removed.append(DownloadResult(story, file: file.path, bytes: file.bytes))
      return true
    } catch {
      context.complain("\(error)")
      hasFailed = true
      return false
    }
  }

  /// Those that were read and have a file, or a part of one.
  private func heard(
    _ library: Library,
    _ query: StoryQuery,
    _ recorded: Set<String>,
  ) throws(CommandError) -> [StoredItem] {
    let places = try context.positions(of: query, in: library.items)
    return try commandErrors {
      try places.compactMap { place in
        let reader = try library.items.story(at: place)
        guard try reader.isRead(), try !reader.isStarred() else { return nil }
        let isKnown = try reader.file() != nil || recorded.contains(try reader.id())
        return isKnown ? try reader.item() : nil
      }
    }
  }

  private func lost(
    _ recorded: Set<String>,
    _ library: Library,
  ) throws(StorageError) -> Set<String> {
    var lost = recorded
    for place in try library.items.positions(of: ItemIDs(recorded)) {
      lost.remove(try library.items.id(at: place))
    }
    return lost
  }

  private func print() {
    if context.isJSON { return context.output.printJSON(removed, DownloadResult.fields) }
    for result in removed { context.output.printLine(SafeText.line(result.path ?? "")) }
    let bytes = removed.reduce(0) { $0 + $1.bytes }
    context.say("\(Count.of(removed.count, "file")) removed, \(ByteCount.text(bytes))")
  }
}
