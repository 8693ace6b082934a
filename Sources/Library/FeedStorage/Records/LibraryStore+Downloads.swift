internal import FeedModel

extension LibraryStore {
  /// Notes the paths of enclosures by their stories' ids, or nil for a removed file, and the times
  /// until which servers asked to wait.
  package func note(
    files: [String: String?] = [:],
    retryTimes: [String: RetryTime] = [:],
    waitAtMost limit: Duration = .seconds(30),
  ) throws {
    try update(waitAtMost: limit) { library in
      var new = LibraryChange()
      for position in try library.items.positions(of: ItemIDs(files.keys)) {
        var story = try library.items.item(at: position)
        guard let file = files[story.id], file != story.file else { continue }
        story.file = file
        new.stories.replaced[position] = story
      }
      if !retryTimes.isEmpty {
        var all = library.retryTimes
        all.extend(by: retryTimes)
        new.feeds.retryTimes = all
      }
      return (new, ())
    }
  }
}
