import Aggregation
import FeedModel
import FeedStorage

struct WhyCommand: Command {
  static let name = "why"
  static let summary = "tell where a story comes from: key, request, feeds and changes"
  static let synopsis = "N…"
  static let examples = [
    HelpExample("news why 3", "where story 3 of the last list comes from"),
    HelpExample("news why 3 --json | jq '.[].key'", "the key that it is recognised by"),
  ]
  static let options = [Pager.option]
  static let notes = [
    "The key is what a story is recognised by when its feed delivers it again. Of a story that was "
      + "stored before requests were recorded, why says what it does not know."
  ]
  static let json: JSONForm? = .array("where the stories come from", ProvenanceJSON.fields)

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard !context.arguments.operands.isEmpty else { throw usage("say which story: news why 3") }
    let store = try context.store()
    let library = try store.library(.names)
    let places = try NumberedStories(context, library, in: store).places()
    let stories = try reading {
      let runs = try store.ledger()
      return try places.map { try StoryProvenance($0, in: library.items, runs: runs) }
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
  /// The request that brought it; nil for a story that was stored before that was recorded.
  let origin: StoryOrigin?
  /// What made its id; nil when that follows from nothing that is stored.
  let key: StoryKey?
  /// The run that stored it; nil when the record of runs does not have it.
  let run: RunRecord?

  var story: StoredItem { named.story }

  init(
    _ place: NumberedStories.Place,
    in items: ItemTable,
    runs: [RunRecord],
  ) throws(StorageError) {
    let story = try items.item(at: place.position)
    named = NamedStory(number: place.number, story: story)
    origin = try items.origin(at: place.position)
    key = StoryKey(of: story, origin: origin)
    run = Self.run(of: story, origin, runs)
  }

  /// The run that the story names; without a name the only one that was at work when it was stored.
  private static func run(
    of story: StoredItem,
    _ origin: StoryOrigin?,
    _ runs: [RunRecord],
  ) -> RunRecord? {
    if let origin { return runs.last { $0.started == origin.run } }
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
    if feed == origin?.url || (origin == nil && feed == key?.feed) { return .brought }
    if let match = match(feed) { return .matched(match) }
    return origin != nil && feed == story.feeds.first ? .inherited : .unknown
  }

  func match(_ feed: String) -> StoryMatch? {
    story.matches.first { $0.feed == feed }
  }

  /// The last time that the feed that brought the story renamed it, if it ever did.
  var renaming: StoryMatch? {
    story.matches.first { carrier($0.feed) == .brought }
  }
}
