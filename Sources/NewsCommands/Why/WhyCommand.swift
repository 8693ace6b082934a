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
    let stories = try commandErrors {
      let runs = try store.ledger()
      return try places.map { try StoryProvenance($0, in: library, runs: runs) }
    }
    if context.isJSON {
      context.output.printJSON(stories, ProvenanceJSON.fields)
    } else {
      let card = ProvenanceCard(context, FeedName(library))
      Pager(context).print(paragraphs: stories.map(card.lines))
    }
    return .done
  }
}

enum ProvenanceJSON {
  static let fields: [JSONField<StoryProvenance>] = [
    StoryJSON.number.of(\.named), StoryJSON.id.of(\.named), StoryJSON.title.of(\.named),
    JSONField("key", "what its feed's stories are told apart by", object: keyFields) { $0.key },
    StoryJSON.stored.of(\.named),
    JSONField("run", "the run that stored it, while it is recorded", object: RunJSON.fields) {
      $0.run
    },
    JSONField("feeds", "the feeds that carry it", array: feedFields) { known in
      known.story.feeds.map { (url: $0, known: known) }
    },
    JSONField("changed", "the last change of each part of it", array: changeFields) {
      $0.story.changes
    },
  ]

  /// The rule's name and what it took; what it did not take is null.
  private static let keyFields: [JSONField<StoryKey>] = [
    JSONField(
      "rule",
      "guid, link, linkForReusedGUID, titleAndDate or titleForSharedLink",
    ) { .string($0.reason.rawValue) },
    JSONField("current", "false where the feed has renamed the story since") {
      .boolean($0.isCurrent)
    },
    JSONField("feed", "the URL of the feed by then") { .string(WebURL.redacted($0.feed)) },
    JSONField("guid", "null where the key is not made of it") {
      if case .guid(let guid) = $0.key { .text(guid) } else { .null }
    },
    JSONField("link", "the same") {
      if case .link(let link) = $0.key { .text(link) } else { .null }
    },
    JSONField("title", "the same") {
      if case .titleAndDate(let title, _) = $0.key { .text(title) } else { .null }
    },
    JSONField("pubDate", "the same") {
      if case .titleAndDate(_, let date) = $0.key { .text(date) } else { .null }
    },
  ]

  private static let feedFields: [JSONField<(url: String, known: StoryProvenance)>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.url)) },
    JSONField("brought", "whether it was the first to have the story") {
      .boolean($0.known.carrier($0.url) == .brought)
    },
    JSONField(
      "matchedBy",
      "by what its story was taken for this: guid, link, titleAndDate or id",
    ) { .text($0.known.match($0.url)?.rule.rawValue) },
    JSONField("date", "when it was") { .date($0.known.match($0.url)?.date) },
  ]

  private static let changeFields: [JSONField<StoryChange>] = [
    JSONField(
      "what",
      "title, pubDate, link, guid, author, summary, categories or enclosures",
    ) { .string($0.part.rawValue) },
    JSONField("date", "when it changed") { .date($0.date) },
    JSONField("was", "what it was before, where that is kept") { .text($0.was) },
  ]
}
