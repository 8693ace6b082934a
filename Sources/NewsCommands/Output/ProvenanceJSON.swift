import Aggregation
import FeedModel
import FeedParsing

/// A story's provenance as `why --json` prints it.
enum ProvenanceJSON {
  static func value(_ known: StoryProvenance) -> JSONValue {
    .object([
      JSONMember("n", .number(known.number)),
      JSONMember("id", .string(known.story.id)),
      JSONMember("title", .text(known.story.item.title)),
      JSONMember("key", known.key.map(value) ?? .null),
      JSONMember("stored", .text(known.story.stored.map(FeedDate.rfc3339String))),
      JSONMember("request", known.origin.map(value) ?? .null),
      JSONMember("run", known.run.map(value) ?? .null),
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

  private static func value(_ run: RunRecord) -> JSONValue {
    .object([
      JSONMember("started", .string(FeedDate.rfc3339String(run.started))),
      JSONMember("command", .text(run.command)),
      JSONMember("outcome", .string(run.outcome.rawValue)),
      JSONMember("new", .integer(run.new)),
      JSONMember("stored", .integer(run.stored)),
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
