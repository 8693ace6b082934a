import CommandLine
import FeedModel
import FeedStorage
import FeedUpdating
import HTMLText

/// `news show N --full`: has the pages of stories fetched, and keeps the articles in them as their
/// whole texts.
package struct PageTexts {
  let context: CommandContext
  let store: LibraryStore

  static let options = [
    CommandOption("full", help: "fetch the story's page, and keep its article as the text"),
    CommandOption(
      "force",
      help: "with --full: fetch the page again",
    ),
  ]
  static let notes = [
    "--full fetches the story's page once and extracts the article (by the method of "
      + "Readability). From then on the article is the story's text, even when the feed delivers "
      + "another. If the page has no article, the feed's text stays and `news` says so. If the "
      + "page shows only its beginning to non-subscribers, that is noted below the text. `news "
      + "feeds set FEED --full` does this for every new story."
  ]

  /// The texts that have come, by the ids of their stories; what is not an article is said, and changes
  /// nothing.
  func fetch(_ stories: [NamedStory]) throws(CommandError) -> [String: StoryText] {
    let library = try store.library()
    let wanted = stories.filter { story in
      guard SafeLink.isSafe(story.story.item.link) else {
        context.complain("\(story.fullName) has no page: there is no link")
        return false
      }
      return !story.story.hasPageText || context.arguments.has("force")
    }
    guard !wanted.isEmpty else { return [:] }
    let fetch = PageFetch(context.makeFetcher(), options: context.fetchOptions(library: library))
    let answers = fetch.answers(
      for: wanted.map(\.story),
      of: library.subscriptions,
      context.cancellation(),
    )
    var pages: [String: StoryText] = [:]
    for (story, answer) in zip(wanted, answers) {
      if case .article(let text) = answer { pages[story.story.id] = text }
      if let failure = failure(answer, of: story.story) {
        context.complain("\(story.fullName): \(failure)")
      }
    }
    if !pages.isEmpty { try commandErrors { try store.save(pages: pages) } }
    return pages
  }

  private func failure(_ answer: PageAnswer, of story: StoredItem) -> String? {
    switch answer {
    case .article: nil
    case .noArticle(let reason?): "its page cannot be read: \(reason)"
    case .noArticle(nil):
      "its page is no article; the \(story.hasPageText ? "article of before" : "feed's text") stays"
    case .failed(let error, _, _): "\(error)"
    }
  }
}
