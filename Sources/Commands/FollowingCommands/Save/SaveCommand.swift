import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating
import HTMLText
import Pages

struct SaveCommand: Command {
  static let name = "save"
  static let summary = "save a web page as a story"
  static let synopsis = "URL"
  static let examples = [
    HelpExample("news save https://example.com/page", "keep a page that is in no feed"),
    HelpExample("news list --feed saved", "what you have saved"),
  ]
  static let options: [CommandOption] = []
  static let notes = [
    "The page's article is kept with its title and the name of its site, as a story of the feed "
      + "\(Subscription.savedURL) (called Saved), which is never fetched. If the page has no article, "
      + "its title and summary are kept, and `news` says so. Saved stories stay until you delete them "
      + "(`news delete`), and are not sent to servers. A page that is stored already, in any feed, is "
      + "left as it is. `news undo` takes it back."
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    guard words.count == 1 else {
      throw usage("\(words.isEmpty ? "no" : "more than one") URL given: news save URL")
    }
    guard case .web(let url, _) = try context.source(words[0]) else {
      throw Failure("\(Spelling.quoted(words[0])): only web pages can be saved")
    }
    let store = try context.store()
    let library = try store.read()
    if try tellIfStored(url, in: library) { return .done }
    let options = context.fetchOptions(library: library)
    let page = PageFetch(context.makeFetcher(), options: options, for: library.subscriptions)
      .page(at: url, context.cancellation())
    if case .failed(let error, _, _) = page.answer {
      throw Failure("\(WebURL.printable(url)): \(error)")
    }
    if page.url != url, try tellIfStored(page.url, in: library) { return .done }
    let saved = SavedPage(page)
    try store.prepareHome()
    let origin = context.origin
    try store.change { library in
      (try saved.change(library, origin, in: store), ())
    }
    let note = saved.text == nil ? " without a text: the page has no article" : ""
    context.say("saved \(Spelling.quoted(StoryTitle.text(saved.item)))\(note)")
    return .done
  }

  private func tellIfStored(_ url: String, in library: Library) throws -> Bool {
    let wanted = WebURL.canonical(WebURL.withoutAccount(url))
    guard
      let story = try library.items.story(at: wanted)
    else { return false }
    let title = Spelling.quoted(StoryTitle.text(story.item))
    let feed = FeedName(library).name(ofFirst: story.feeds)
    context.say(
      story.feeds.contains(Subscription.savedURL)
        ? "already saved: \(title)"
        : "\(title) is a story of \(feed); `news star` keeps it"
    )
    return true
  }
}

private struct SavedPage {
  let item: Item
  let text: StoryText?

  init(_ page: FetchedPage) {
    var item = Item()
    item.link = page.url
    item.title = page.description?.title ?? WebURL.printable(page.url)
    item.author = page.description?.site ?? WebURL.host(of: page.url)
    if case .article(let text) = page.answer {
      self.text = text
      item.textNumber = text.number
      // Shortened like that of any story whose text is stored.
      item.summary = page.description?.summary ?? text.line
    } else {
      text = nil
      item.summary = page.description?.summary
    }
    self.item = item
  }

  func change(
    _ library: Library,
    _ origin: ChangeOrigin,
    in store: LibraryStore,
  ) throws -> LibraryChange {
    let isFirst = !library.subscriptions.contains(where: \.isOfSavedPages)
    let feeds = library.subscriptions + (isFirst ? [.ofSavedPages] : [])
    var original = ImportedStory.original
    original.article.isShown = text != nil
    let delivery = FeedDelivery(
      feed: Subscription.savedURL,
      items: [item],
      texts: [text],
      imported: [ImportedStory(original, at: 0)],
      isComplete: false,
      spool: StorySpool(folder: store.home),
    )
    let taken = try library.merging([delivery], now: origin.date, finish: { _ in feeds })
    var change = taken.change
    change.origin = origin
    return change
  }
}

extension ItemTable {
  /// Returns the newest story whose link leads to a page.
  fileprivate func story(at page: String) throws -> StoredItem? {
    for index in 0..<count {
      let link = try story(at: index).string(.link) ?? ""
      if WebURL.canonical(link) == page { return try item(at: index) }
    }
    return nil
  }
}
