import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage

/// `news show N --full`: has the pages of stories fetched, and keeps the articles in them as their
/// whole texts.
struct PageTexts {
  let context: CommandContext
  let store: LibraryStore

  static let option = CommandOption(
    "full",
    help: "fetch the story's page, and keep its article as the text",
  )
  static let notes = [
    "--full asks for the page once, as feeds are asked, and takes the article out of it by the method of "
      + "Readability; it stays the story's text when the feed brings another. Of a page without an article "
      + "the feed's text stays, and it is said."
  ]

  /// The texts that have come, by the ids of their stories; what is not an article is said, and changes
  /// nothing.
  func fetch(_ stories: [NamedStory]) throws(CommandError) -> [String: StoryText] {
    let library = try store.library()
    let wanted = stories.filter { story in
      guard SafeLink.isSafe(story.story.item.link) else {
        context.complain("\(story.name) has no page: there is no link")
        return false
      }
      return !story.story.hasPageText
    }
    guard !wanted.isEmpty else { return [:] }
    var fetch = DocumentFetch(context: context, library: library, keepsBodies: true)
    fetch.readsFeeds = false
    let requests = wanted.map { request($0.story, in: library) }
    var pages: [String: StoryText] = [:]
    for (story, page) in zip(wanted, fetch.documents(requests)) {
      do {
        pages[story.story.id] = try article(in: page)
      } catch {
        context.complain("\(story.name): \(error.lines.joined(separator: "; "))")
      }
    }
    if !pages.isEmpty { try commandErrors { try store.save(pages: pages) } }
    return pages
  }

  private func request(_ story: StoredItem, in library: Library) -> FetchRequest {
    let feed = library.subscriptions.first { story.feeds.contains($0.url) }
    var request = FetchRequest(url: story.item.link)
    request.trust = .page(story.item.link, of: feed)
    request.userAgent = feed?.settings.userAgent
    return request
  }

  private func article(in page: FetchedDocument) throws(CommandError) -> StoryText {
    if case .failed(let error, _) = page.outcome { throw .failed("\(error)") }
    do {
      let head = page.head
      let article = try page.body.withUnsafeBytes { (bytes) throws(FeedParsingError) in
        try ArticleReader.article(bytes, url: head?.url ?? page.url, charset: head?.charset)
      }
      if let article { return article }
    } catch {
      throw .failed("its page cannot be read: \(error)")
    }
    throw .failed("its page is no article; the feed's text stays")
  }
}
