import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Pages

/// Chooses between a story's own text and its page's article, fetched when it is first wanted.
///
/// `news show N --full`, `--from` and `F` in `browse` do so.
struct PageTexts {
  let context: CommandContext
  let store: LibraryStore
  /// True for `F`, which concerns the one story on the screen.
  var isBrowsing = false

  private enum Kind: String, CaseIterable {
    case feed
    case page
  }

  private static let sourceOption = CommandOption(
    "from",
    value: Kind.allCases.map(\.rawValue).joined(separator: "|"),
    help: "show the text from the feed or from the page from now on",
  )

  static let options = [
    CommandOption("full", help: "fetch the story's page, and show its article as the text"),
    CommandOption("force", help: "with --full: fetch the page again").only(with: "full"),
    sourceOption,
  ]
  static let notes = [
    "--full fetches the story's page once and extracts the article (by the method of "
      + "Readability). From then on the article is shown, even when the feed delivers another text. "
      + "The feed's text stays beside it: `--from feed` goes back to it, `--from page` shows the "
      + "article again, and `news undo` takes back what `show` changed. An article that is shorter "
      + "than the feed's text is kept, but not shown, and `news` says so. If the page has no article "
      + "or does not come, the feed's text stays and `news` says so; the exit status is 1 if it did not "
      + "come. If the page shows only its beginning to non-subscribers, that is noted below the text. "
      + "`news feeds set FEED --full` does this for every new story."
  ]

  /// Returns the texts to show from now on by the options, and false where a page did not come;
  /// complains of what cannot be shown.
  func choices(_ stories: [NamedStory]) throws -> (texts: TextChoices, haveCome: Bool) {
    let isFull = context.arguments.has("full")
    if let kind: Kind = try context.choice(Self.sourceOption) {
      return (kept(stories, isArticle: kind == .page), true)
    }
    return isFull ? try articles(stories) : ([:], true)
  }

  /// Returns the text of a story that is not shown now; fetches its page at most once.
  func otherText(ofStory id: String) throws -> TextChoices {
    // Read again: a key may come before the effect of the one before it is seen.
    let items = try store.read(.names).items
    let found = try items.positions(of: ItemIDs([id])).first.map { try items.item(at: $0) }
    guard let found else { return [:] }
    let story = NamedStory(number: nil, story: found)
    let article = story.story.article
    guard try hasArticle(story.story) else {
      let choices = try articles([story]).texts
      if choices[story.story.id]?.newText != nil { context.complain(Self.words(isArticle: true)) }
      return choices
    }
    guard article.isBeside else {
      context.complain("this text is its page's; there is no other")
      return [:]
    }
    context.complain(Self.words(isArticle: !article.isShown))
    return [story.story.id: .kept(isArticle: !article.isShown)]
  }

  private static func words(isArticle: Bool) -> String {
    isArticle
      ? "the page's article; F goes back to the feed's text"
      : "the feed's text; F goes back to the page's article"
  }

  // MARK: Kept texts

  private func kept(_ stories: [NamedStory], isArticle: Bool) -> TextChoices {
    var choices: TextChoices = [:]
    for story in stories {
      let article = story.story.article
      if article.isBeside {
        choices[story.story.id] = .kept(isArticle: isArticle)
      } else if isArticle != article.isShown {
        let words =
          isArticle
          ? "its page's article is not kept; --full fetches it" : "its feed's text is not kept"
        complain(words, of: story)
      }
    }
    return choices
  }

  private func hasArticle(_ story: StoredItem) throws -> Bool {
    guard story.article.isBeside else { return story.article.isShown }
    return try store.article(of: story) != nil
  }

  // MARK: Articles

  private func articles(_ stories: [NamedStory]) throws -> (texts: TextChoices, haveCome: Bool) {
    var (choices, wanted): (TextChoices, [NamedStory]) = ([:], [])
    for story in stories {
      let hasArticle = try hasArticle(story.story)
      if hasArticle, !context.arguments.has("force") {
        guard story.story.article.isBeside, !story.story.article.isShown,
          let article = try store.article(of: story.story)
        else { continue }
        if isLongEnough(article, of: story) { choices[story.story.id] = .kept(isArticle: true) }
      } else if SafeLink.isSafe(story.story.item.link) {
        wanted.append(story)
      } else {
        context.complain("\(story.fullName) has no page: there is no link")
      }
    }
    guard !wanted.isEmpty else { return (choices, true) }
    let (texts, haveCome) = try fetched(wanted)
    return (choices.merging(texts) { $1 }, haveCome)
  }

  private func fetched(_ stories: [NamedStory]) throws -> (texts: TextChoices, haveCome: Bool) {
    let fetch = try PageFetch(store, context)
    let answers = fetch.answers(for: stories.map(\.story), context.cancellation())
    var (choices, haveCome): (TextChoices, Bool) = ([:], true)
    for (story, answer) in zip(stories, answers) {
      if case .failed = answer { haveCome = false }
      if case .article(let text) = answer {
        choices[story.story.id] = .found(
          FoundArticle(text, isShown: isLongEnough(text, of: story))
        )
      }
      if let failure = failure(answer, of: story.story) { complain(failure, of: story) }
    }
    return (choices, haveCome)
  }

  /// Returns true if an article is to be shown; complains of one shorter than the feed's text.
  private func isLongEnough(_ article: StoryText, of story: NamedStory) -> Bool {
    let length = ArticleLength(article, beside: story.story, in: store)
    guard length.isShorter else { return true }
    complain(
      "the page's article is shorter than the feed's text: \(length.article) of "
        + "\(Count.of(length.feedText, "character")); "
        + (isBrowsing ? "F shows it" : "--from page shows it"),
      of: story,
    )
    return false
  }

  private func complain(_ words: String, of story: NamedStory) {
    context.complain(isBrowsing ? words : "\(story.fullName): \(words)")
  }

  private func failure(_ answer: PageAnswer, of story: StoredItem) -> String? {
    switch answer {
    case .article: nil
    case .noArticle(let reason?): "its page cannot be read: \(reason)"
    case .noArticle(nil):
      "its page is no article; the \(story.article.isShown ? "article of before" : "feed's text") stays"
    case .failed(let error, _, _): "\(error)"
    }
  }
}

extension PageFetch {
  init(_ store: LibraryStore, _ context: CommandContext) throws {
    let library = try store.read()
    let options = context.fetchOptions(library: library)
    self.init(context.makeFetcher(), options: options, for: library.subscriptions)
  }
}

extension StoredArticle {
  /// The one of two texts that is shown, in words; nil where there is one.
  var words: String? {
    isBeside ? isShown ? "its page's article" : "its feed's text, beside its page's article" : nil
  }
}
