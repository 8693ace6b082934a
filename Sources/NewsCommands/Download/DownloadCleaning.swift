import FeedModel
import FeedStorage

/// `news download --clean`: removes the files of stories that are read and have no star.
struct DownloadCleaning {
  private let context: CommandContext
  private let store: LibraryStore

  init(_ context: CommandContext, _ store: LibraryStore) {
    (self.context, self.store) = (context, store)
  }

  func run() throws(CommandError) -> ExitStatus {
    let library = try store.library(.names)
    var (removed, isWhole) = ([DownloadResult](), true)
    var gone: [String: String?] = [:]
    for story in try heard(library) {
      guard let file = story.file else { continue }
      do throws(StorageError) {
        if let size = try DownloadFolder(of: file)?.remove(file, of: story.id) {
          removed.append(DownloadResult(story, file: file, bytes: size))
          gone[story.id] = .some(nil)
        } else if FileStatus(at: file, followingLinks: false) == nil {
          gone[story.id] = .some(nil)
        }
      } catch {
        context.complain("\(error)")
        isWhole = false
      }
    }
    if !gone.isEmpty { try commandErrors { try store.note(files: gone) } }
    print(removed)
    return isWhole ? .done : .failed
  }

  private func heard(_ library: Library) throws(CommandError) -> [StoredItem] {
    let query = try StoryQuery(context, library)
    let places = try context.positions(of: query, in: library.items)
    return try commandErrors {
      try places.compactMap { place in
        let reader = try library.items.story(at: place)
        guard try reader.file() != nil, try reader.isRead(), try !reader.isStarred() else {
          return nil
        }
        return try reader.item()
      }
    }
  }

  private func print(_ removed: [DownloadResult]) {
    if context.isJSON { return context.output.printJSON(removed, DownloadResult.fields) }
    for result in removed { context.output.printLine(SafeText.line(result.path ?? "")) }
    let bytes = removed.reduce(0) { $0 + $1.bytes }
    context.say("\(Count.of(removed.count, "file")) removed, \(ByteCount.text(bytes))")
  }
}
