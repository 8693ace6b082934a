package import FeedModel

extension LibraryStore {
  /// Notes where stories' enclosures are, by their ids, or with nil that they are nowhere any more.
  package func note(
    files: [String: String?],
    waitAtMost limit: Duration = .seconds(30),
    _ change: (inout [Subscription]) -> Void = { _ in },
  ) throws(StorageError) {
    try update(waitAtMost: limit) { library throws(StorageError) in
      var edits = ItemEdits()
      for place in try library.items.positions(of: ItemIDs(files.keys)) {
        var story = try library.items.item(at: place)
        guard let file = files[story.id], file != story.file else { continue }
        story.file = file
        edits.change(place, to: .replace(place, story))
      }
      var new = LibraryChange()
      new.items = edits.all(of: library.items.count)
      var subscriptions = library.subscriptions
      change(&subscriptions)
      if subscriptions != library.subscriptions { new.subscriptions = subscriptions }
      return (new, ())
    }
  }
}
