internal import FeedModel

extension LibraryStore {
  /// Notes where stories' enclosures are, by their ids, or with nil that they are nowhere any more;
  /// and until when their servers asked to wait.
  package func note(
    files: [String: String?] = [:],
    retryTimes: [String: RetryTime] = [:],
    waitAtMost limit: Duration = .seconds(30),
  ) throws(StorageError) {
    try update(waitAtMost: limit) { library throws(StorageError) in
      var edits = ItemEdits()
      for position in try library.items.positions(of: ItemIDs(files.keys)) {
        var story = try library.items.item(at: position)
        guard let file = files[story.id], file != story.file else { continue }
        story.file = file
        edits.change(position, to: .replace(position, story))
      }
      var new = LibraryChange()
      new.items = edits.all(of: library.items.count)
      if !retryTimes.isEmpty {
        var all = library.retryTimes
        all.extend(by: retryTimes)
        new.retryTimes = all
      }
      return (new, ())
    }
  }
}
