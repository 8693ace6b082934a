import FeedModel

/// The first answers that wait in the home, a file each.
struct FirstAnswers: Sendable {
  private let folder: String

  init(home: String) {
    folder = home + "/subscribed"
  }

  var isEmpty: Bool {
    SystemCalls.kind(ofPath: folder) != .folder
  }

  /// Keeps an answer; without success the first refresh asks without condition once more.
  func keep(_ answer: FirstAnswer, of feed: String) {
    SystemCalls.createFile(path(feed), in: folder, bytes: answer.bytes)
  }

  func answer(of feed: String) -> FirstAnswer? {
    // One that cannot be read is none: the feed is asked without condition once more.
    guard let bytes = try? SystemCalls.readFile(path(feed), maximumBytes: 2048 << 20) else {
      return nil
    }
    return FirstAnswer(bytes: bytes)
  }

  /// Forgets an answer, and the folder with the last one.
  func forget(_ feed: String) {
    SystemCalls.remove(path(feed))
    SystemCalls.removeFolder(folder)
  }

  /// A name without anything that a path could be made of.
  private func path(_ feed: String) -> String {
    folder + "/" + ItemID.id(feed: feed, key: .link(feed))
  }
}
