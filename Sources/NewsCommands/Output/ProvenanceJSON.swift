import Aggregation
import FeedModel
import FeedParsing

/// A story's provenance as `why --json` prints it.
enum ProvenanceJSON {
  static let keys = [
    JSONKey("n", "the number to open it by; null where it was named by its id"),
    JSONKey("id", "sixteen hexadecimal digits that stay the same as long as it is stored"),
    JSONKey("title", "plain text"),
    JSONKey("key", "what its feed's stories are told apart by", inside: keyKeys),
    JSONKey("stored", "when it was stored first, as YYYY-MM-DDTHH:MM:SSZ"),
    JSONKey("request", "the request that brought it", inside: requestKeys),
    JSONKey("run", "the run that made the request, while it is recorded", inside: RunJSON.keys),
    JSONKey("feeds", "the feeds that carry it", inside: feedKeys),
    JSONKey("changed", "the last change of each part of it", inside: changeKeys),
  ]

  private static let keyKeys = [
    JSONKey("rule", "guid, link, linkForReusedGUID, titleAndDate or titleForSharedLink"),
    JSONKey("current", "false where the feed has renamed the story since"),
    JSONKey("feed", "the URL of the feed by then"),
    JSONKey("guid", "null where the key is not made of it"),
    JSONKey("link", "the same"),
    JSONKey("title", "the same"),
    JSONKey("pubDate", "the same"),
  ]

  private static let requestKeys = [
    JSONKey("url", "what was asked, without user and password"),
    JSONKey("answeredBy", "the URL that answered, after redirects"),
    JSONKey("status", "of the answer"),
    JSONKey("date", "when it came"),
    JSONKey("run", "when its run started"),
  ]

  private static let feedKeys = [
    JSONKey("url", "without user and password"),
    JSONKey("brought", "whether it was the first to have the story"),
    JSONKey("matchedBy", "by what its story was taken for this: guid, link, titleAndDate or id"),
    JSONKey("date", "when it was"),
  ]

  private static let changeKeys = [
    JSONKey("what", "title, pubDate, link, guid, author, summary, categories or enclosures"),
    JSONKey("date", "when it changed"),
    JSONKey("was", "what it was before, where that is kept"),
  ]

  static func value(_ known: StoryProvenance) -> JSONValue {
    .object([
      JSONMember("n", .number(known.number)),
      JSONMember("id", .string(known.story.id)),
      JSONMember("title", .text(known.story.item.title)),
      JSONMember("key", known.key.map(value) ?? .null),
      JSONMember("stored", .text(known.story.stored.map(FeedDate.rfc3339String))),
      JSONMember("request", known.origin.map(value) ?? .null),
      JSONMember("run", known.run.map { .object(RunJSON.members($0)) } ?? .null),
      JSONMember("feeds", .array(known.story.feeds.map { value($0, known) })),
      JSONMember("changed", .array(known.story.changes.map(value))),
    ])
  }

  /// The rule's name and what it took; what it did not take is null.
  private static func value(_ key: StoryKey) -> JSONValue {
    var (guid, link, title, pubDate): (String?, String?, String?, String?)
    switch key.key {
    case .guid(let text): guid = text
    case .link(let text): link = text
    case .titleAndDate(let text, let date): (title, pubDate) = (text, date)
    }
    return .object([
      JSONMember("rule", .string(key.reason.rawValue)),
      JSONMember("current", .boolean(key.isCurrent)),
      JSONMember("feed", .string(FeedName.withoutPassword(key.feed))),
      JSONMember("guid", .text(guid)),
      JSONMember("link", .text(link)),
      JSONMember("title", .text(title)),
      JSONMember("pubDate", .text(pubDate)),
    ])
  }

  private static func value(_ origin: StoryOrigin) -> JSONValue {
    .object([
      JSONMember("url", .string(FeedName.withoutPassword(origin.url))),
      JSONMember("answeredBy", .text(origin.answeredBy.map(FeedName.withoutPassword))),
      JSONMember("status", .number(origin.status)),
      JSONMember("date", .string(FeedDate.rfc3339String(origin.answered))),
      JSONMember("run", .string(FeedDate.rfc3339String(origin.run))),
    ])
  }

  private static func value(_ feed: String, _ known: StoryProvenance) -> JSONValue {
    let match = known.story.matches.first { $0.feed == feed }
    return .object([
      JSONMember("url", .string(FeedName.withoutPassword(feed))),
      JSONMember("brought", .boolean(known.carrier(feed) == .brought)),
      JSONMember("matchedBy", .text(match?.rule.rawValue)),
      JSONMember("date", .text(match.map { FeedDate.rfc3339String($0.date) })),
    ])
  }

  private static func value(_ change: StoryChange) -> JSONValue {
    .object([
      JSONMember("what", .string(change.part.rawValue)),
      JSONMember("date", .string(FeedDate.rfc3339String(change.date))),
      JSONMember("was", .text(change.was)),
    ])
  }
}
