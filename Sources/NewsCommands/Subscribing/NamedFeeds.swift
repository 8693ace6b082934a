import FeedFetching
import FeedModel
import FeedStorage

/// The feeds that `refresh` is told to ask; new ones are subscribed to first.
struct NamedFeeds {
  let context: CommandContext
  let store: LibraryStore

  /// What the operands came to.
  struct Result: Sendable {
    /// URLs of subscriptions.
    var urls: [String] = []
    /// What new ones answered when they were subscribed to.
    var answers: [String: FirstAnswer] = [:]
  }

  func read() throws(CommandError) -> Result {
    var result = Result()
    for word in context.arguments.operands {
      let selector = context.selector(try store.library().subscriptions)
      if isNew(word, selector) {
        let new = try Subscribing(context: context, store: store).subscribe(word)
        result.urls.append(new.subscription.url)
        result.answers[new.subscription.url] = new.answer
      } else {
        result.urls += try selector.subscriptions(word).map(\.url)
      }
    }
    var seen: Set<String> = []
    result.urls.removeAll { !seen.insert($0).inserted }
    return result
  }

  /// Whether the word is the URL or the path of something that is not subscribed to.
  private func isNew(_ word: String, _ selector: FeedSelector) -> Bool {
    guard case .none = selector.match(word) else { return false }
    if word.contains("://") { return true }
    let path = FilePath.absolute(word, in: context.environment.currentFolder())
    return path.map { SystemCalls.kind(ofPath: $0) == .file } ?? false
  }
}
