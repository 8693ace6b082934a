import CommandLine
import CommandSupport
import FeedFetching
import FeedModel
import FeedReading
import FeedStorage
import HTMLText
import Pages

/// Fetches the page of a feed's newest story, and says what it would bring; stores nothing.
///
/// `news feeds set FEED --full` shows it, so that one sees whether it is worth it.
struct PagePreview {
  let context: CommandContext
  /// The most feeds; a script or a tag sets more, whose pages come with the next refresh.
  private static let mostFeeds = 5
  private static let maximumLine = 100
  private static let timeout = Duration.seconds(10)

  func show(of feeds: [Subscription]) throws {
    let store = try context.store()
    let library = try store.read()
    var stories: [(feed: Subscription, story: StoredItem)] = []
    for feed in feeds.prefix(Self.mostFeeds) {
      let newest = try library.items.newest(of: feed.url)
      if let newest { stories.append((feed, newest)) }
    }
    guard !stories.isEmpty else { return }
    var options = context.fetchOptions(library: library)
    options.deadline = .now + Self.timeout
    let fetch = PageFetch(context.makeFetcher(), options: options, for: library.subscriptions)
    let answers = fetch.answers(for: stories.map(\.story), context.cancellation())
    for ((feed, story), answer) in zip(stories, answers) {
      let title = Spelling.quoted(StoryTitle.text(story.item))
      context.say(
        "\(FeedName.printable(feed)), newest story, \(title): \(words(answer, story, store))"
      )
    }
  }

  private func words(_ answer: PageAnswer, _ story: StoredItem, _ store: LibraryStore) -> String {
    switch answer {
    case .article(let text): return words(text, story, store)
    case .noArticle(let reason?): return "its page cannot be read: \(reason)"
    case .noArticle(nil): return "its page is no article; the feed's text would stay"
    case .failed(let error, _, _): return "its page did not come: \(error)"
    }
  }

  private func words(_ text: StoryText, _ story: StoredItem, _ store: LibraryStore) -> String {
    let lines = lines(text, story)
    // A text that cannot be read is the summary here as well.
    let known = (try? store.text(of: story)).flatMap(\.self).map { self.lines($0, story) }
    let before = known.map(length) ?? story.item.summary?.count ?? 0
    let first = SafeText.prefix(lines.first ?? "", maximumCharacters: Self.maximumLine)
    let isShorter = ArticleLength(text, beside: story, in: store).isShorter
    let shorter = isShorter ? "; it is shorter, so the feed's text would be shown" : ""
    let cut = text.isCut ? "; \(StoryDocument.beginningNote)" : ""
    let length = Count.of(length(lines), "character")
    return "\(length) instead of \(before), beginning: \(first)\(cut)\(shorter)"
  }

  private func lines(_ text: StoryText, _ story: StoredItem) -> [String] {
    (try? StoryReading.document(text, link: story.item.link))?.lines ?? []
  }

  private func length(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.count } }
}

extension ItemTable {
  fileprivate func newest(of feed: String) throws -> StoredItem? {
    for index in 0..<count where try story(at: index).strings(.feeds).contains(feed) {
      let story = try item(at: index)
      if WebURL.isWeb(story.item.link) { return story }
    }
    return nil
  }
}
