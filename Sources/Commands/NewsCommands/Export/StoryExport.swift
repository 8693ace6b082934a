import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating
import HTMLText
import ReadingCommands
import Searching
import System

/// Prints the stories of a query with no more than one in memory at a time.
struct StoryExport {
  private let context: CommandContext
  private let library: Library
  private let texts: StoryTextIndex
  private let positions: [Int]

  init(_ context: CommandContext, _ library: Library, in store: LibraryStore) throws {
    self.context = context
    self.library = library
    texts = store.textIndex()
    if let failure = texts.failure { context.complain("\(failure); its texts were not exported") }
    var query = try StoryQuery(context, library)
    query.takesHidden = true
    positions = try context.positions(of: query, in: library)
  }

  /// Returns false if a story's whole text could not be read.
  func printJSON(hasPasswords: Bool) throws -> Bool {
    let output = context.output
    let subscriptions =
      hasPasswords ? library.subscriptions : library.subscriptions.map(\.withoutPassword)
    output.print("{\"subscriptions\":")
    output.printJSON(subscriptions, Self.subscriptionFields)
    output.print(",\"stories\":")
    var array = JSONArrayPrinter(output)
    if var reader = ItemReader(library.items) {
      for position in positions where !output.hasFailed {
        try reader.move(to: position)
        let story = try hasPasswords ? reader.item() : reader.item().withoutPasswords
        array.print(.object(ExportedStory.fields, try ExportedStory(story, texts)))
      }
    }
    array.finish()
    output.printLine("}")
    return texts.failure == nil
  }
}

// MARK: Markdown

extension StoryExport {
  func writeMarkdown(into folder: String) throws {
    let removal = TrackerRemoval(library.subscriptions)
    let page = MarkdownPage(FeedName(library), removal)
    var written = 0
    try library.items.forEachStory(at: positions) { _, reader in
      let story = try reader.item()
      let path = "\(folder)/\(MarkdownPage.fileName(of: story))"
      guard FileStatus(at: path, followingLinks: false) == nil else { return }
      let text = page.text(story, try context.outgoingText(of: story, texts, removal))
      try AtomicFile(path: path).replaceMakingFolder(Array(text.utf8))
      written += 1
    }
    let rest = positions.count - written
    context.say(
      "\(Count.stories(written)) written to \(SafeText.line(folder))"
        + (rest > 0 ? ", \(rest) already there" : "")
    )
  }
}

// MARK: JSON

extension Subscription {
  /// The subscription without the password in its URL; `listedURL` still finds its place in lists.
  var withoutPassword: Subscription {
    var copy = self
    copy.url = WebURL.withoutPassword(url)
    if copy.url != url { copy.listedURL = listedURL ?? url }
    return copy
  }
}

extension StoredItem {
  fileprivate var withoutPasswords: StoredItem {
    var copy = self
    copy.feeds = feeds.map(WebURL.withoutPassword)
    for index in matches.indices {
      copy.matches[index].feed = WebURL.withoutPassword(matches[index].feed)
    }
    return copy
  }
}

extension StoryExport {
  static let json = JSONForm(
    isArray: false,
    meaning: "everything that is stored of the stories, which `news import` reads",
    keys: [
      JSONKey("subscriptions", "in your order", inside: subscriptionFields.map(\.key)),
      JSONKey("stories", "newest first", inside: ExportedStory.fields.map(\.key)),
    ],
  )

  private static let subscriptionFields: [JSONField<Subscription>] = [
    JSONField("url", "with user and password only by --with-passwords") { .string($0.url) },
    JSONField("title", "your name for it, else its own") { .text($0.title ?? $0.state.title) },
    JSONField("feedTitle", "its own title") { .text($0.state.title) },
    JSONField("tags", "an array of strings") { .strings($0.tags) },
    JSONField("deleted", "hashes by which stories stay away that were deleted") {
      .strings($0.state.cleared.map(\.hexadecimal))
    },
  ]
}
