import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating
import Searching

/// Prints the stories of a query with no more than one in memory at a time.
struct StoryExport {
  private let context: CommandContext
  private let library: Library
  private let texts: StoryTextIndex?
  private let positions: [Int]
  private let removal: TrackerRemoval

  init(_ context: CommandContext, _ library: Library, in store: LibraryStore) throws {
    self.context = context
    self.library = library
    texts = context.arguments.has("csv") ? nil : store.textIndex()
    if let failure = texts?.failure { context.complain("\(failure); its texts were not exported") }
    var query = try StoryQuery(context, library)
    // A copy of everything has all feeds; a table has those of `list`.
    query.takesHidden = !context.arguments.has("csv")
    positions = try context.positions(of: query, in: library)
    removal = TrackerRemoval(library.subscriptions)
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
    try forEachStory { story in
      let story = hasPasswords ? story : story.withoutPasswords
      array.print(.object(ExportedStory.fields, try ExportedStory(story, texts)))
    }
    array.finish()
    output.printLine("}")
    return texts?.failure == nil
  }

  func printCSV() throws {
    context.output.print(CSV.line(StoryCSV.names))
    try forEachStory { context.output.print(CSV.line(StoryCSV.fields(of: removal.story($0)))) }
  }

  private func forEachStory(_ body: (StoredItem) throws -> Void) throws {
    guard var reader = ItemReader(library.items) else { return }
    for position in positions where !context.output.hasFailed {
      try reader.move(to: position)
      try body(try reader.item())
    }
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
