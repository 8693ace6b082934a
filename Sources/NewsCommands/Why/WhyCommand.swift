import Aggregation
import FeedModel
import FeedStorage

struct WhyCommand: Command {
  static let name = "why"
  static let summary = "tell where a story comes from: key, run, feeds and changes"
  static let synopsis = "N…"
  static let examples = [
    HelpExample("news why 3", "where story 3 of the last list comes from"),
    HelpExample("news why 3 --json | jq '.[].key'", "the key that it is recognised by"),
  ]
  static let options = [Pager.option]
  static let notes = [
    "The key is what a story is recognised by when its feed delivers it again. What is not kept of "
      + "a story, why says that it does not know."
  ]
  static let json: JSONForm? = .array("where the stories come from", ProvenanceJSON.fields)

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard !context.arguments.operands.isEmpty else { throw usage("say which story: news why 3") }
    let store = try context.store()
    let library = try store.library()
    let places = try NumberedStories(context, library, in: store).places()
    let stories = try reading {
      let runs = try store.ledger()
      return try places.map { try StoryProvenance($0, in: library, runs: runs) }
    }
    if context.isJSON {
      context.output.printJSON(stories, ProvenanceJSON.fields)
    } else {
      let card = ProvenanceCard(context, FeedName(library.subscriptions))
      Pager(context).print(paragraphs: stories.map(card.lines))
    }
    return .done
  }
}

struct StoryProvenance {
  let named: NamedStory
  /// What made its id; nil when that follows from nothing that is stored.
  let key: StoryKey?
  /// The run that stored it; nil when the record of runs does not have it.
  let run: RunRecord?

  var story: StoredItem { named.story }

  init(
    _ place: NumberedStories.Place,
    in library: Library,
    runs: [RunRecord],
  ) throws(StorageError) {
    let story = try library.items.item(at: place.position)
    named = NamedStory(number: place.number, story: story)
    let carriers = library.subscriptions.filter { story.feeds.contains($0.url) }
    key = StoryKey(of: story, formerFeeds: carriers.flatMap(\.state.formerURLs))
    run = Self.run(of: story, runs)
  }

  /// The only run that was at work when the story was stored.
  private static func run(of story: StoredItem, _ runs: [RunRecord]) -> RunRecord? {
    guard let stored = story.stored else { return nil }
    let candidates = runs.filter { run in
      run.stored > 0 && run.started <= stored
        && stored <= run.started.addingTimeInterval(run.seconds)
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// How a feed came to carry the story.
  enum Carrier: Hashable, Sendable {
    case brought
    /// Its story was taken for this one.
    case matched(StoryMatch)
    /// It is the feed that the story belongs to since the one that brought it left it, or moved.
    case inherited
    case unknown
  }

  func carrier(_ feed: String) -> Carrier {
    if feed == key?.feed { return .brought }
    if let match = match(feed) { return .matched(match) }
    return key != nil && feed == story.feeds.first ? .inherited : .unknown
  }

  func match(_ feed: String) -> StoryMatch? {
    story.matches.first { $0.feed == feed }
  }

  /// The last time that the feed that brought the story renamed it, if it ever did.
  var renaming: StoryMatch? {
    story.matches.first { carrier($0.feed) == .brought }
  }
}
