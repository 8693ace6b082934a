import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("The record of what can be taken back")
struct UndoRecordTests {
  @Test("can be read again where many feeds have one long tag", arguments: [false, true])
  func sharedTag(clearsStories: Bool) throws {
    let folder = try TemporaryFolder()
    let store = LibraryStore(home: folder.path("home"))
    var record = UndoRecord(command: "clear", date: .distantPast)
    record.subscriptions = (0..<300).map { number in
      var subscription = Subscription(url: "https://\(number).example/feed")
      subscription.tags = [String(repeating: "t", count: 4_000)]
      return subscription
    }
    record.left = [LeftStories(feed: "https://0.example/feed")]
    if clearsStories {
      (record.runs, record.clearing) = ([ClearedRun(count: 1, after: nil)], [0..<1])
    }
    try store.update { (_) throws(StorageError) in
      (LibraryChange(items: [.insert(fullItem(1))]), ())
    }
    try store.update { [record] (_) throws(StorageError) in
      var change = LibraryChange(items: clearsStories ? [] : nil)
      change.undo = .record(record)
      return (change, ())
    }
    #expect(try store.undoRecord()?.subscriptions == record.subscriptions)
  }
}
