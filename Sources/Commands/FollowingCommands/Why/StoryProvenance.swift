import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import FeedSync

struct StoryProvenance {
  let named: NamedStory
  /// The key that made its id; nil when that follows from nothing that is stored.
  let key: StoryKey?
  /// The feed of the site to which the story leads, if that carries it.
  let owner: String?
  /// The run that stored it; nil when the record of runs does not have it.
  let run: RunRecord?
  /// The story's marks as each machine has set them, if the home is synchronized.
  let marks: [SyncedValue]
  /// The story's state on servers at the last merge.
  let onServers: [StoryOnServer]
  let refusals: [NamedRefusal]

  var story: StoredItem { named.story }

  init(
    _ match: NumberedStories.Match,
    in library: Library,
    runs: [RunRecord],
    sync: SyncState?,
    servers: [(name: String, state: ServerState)],
  ) throws {
    let story = try library.items.item(at: match.position)
    named = NamedStory(number: match.number, story: story)
    let carriers = library.subscriptions.filter { story.feeds.contains($0.url) }
    key = StoryKey(of: story, formerFeeds: carriers.flatMap(\.state.formerURLs))
    owner = StoryWords(library.subscriptions).owner(of: story.item, among: story.feeds)
    run = Self.run(of: story, runs)
    marks = sync?.marks(of: story, library.subscriptions) ?? []
    onServers = servers.compactMap { server in
      server.state.item(of: story.id).map { StoryOnServer(server: server.name, item: $0) }
    }
    refusals = servers.flatMap { name, state in
      state.refusals(of: story.id).map { edit, refusal in
        NamedRefusal(server: name, change: edit.words(1), refusal: refusal)
      }
    }
  }

  /// Returns the only run that was at work when the story was stored.
  private static func run(of story: StoredItem, _ runs: [RunRecord]) -> RunRecord? {
    guard let stored = story.stored else { return nil }
    let candidates = runs.filter { run in
      run.stored > 0 && run.started <= stored
        && stored <= run.started.addingTimeInterval(run.seconds)
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  enum Carrier: Hashable, Sendable {
    case brought
    /// A story of the feed was taken for this one.
    case matched(StoryMatch)
    /// The story belongs to the feed since the one that brought it left it, or moved.
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

  /// The last renaming by the feed that brought the story.
  var renaming: StoryMatch? {
    story.matches.first { carrier($0.feed) == .brought }
  }
}

struct StoryOnServer: Hashable, Sendable {
  let server: String
  let item: ServerItem

  fileprivate var text: String {
    "\(server) had it \(item.isRead ? "read" : "unread")\(item.isStarred ? " and starred" : "")"
  }
}

extension RelativeDate {
  /// Returns `read on desk, 2026-11-01 10:42`; the time is that of the sync which noticed it there.
  ///
  /// A value from before the first sync has no time.
  func text(_ value: SyncedValue) -> String {
    let machine = value.machine.map { "on \(SafeText.line($0))" } ?? "on a machine without a name"
    let instant = value.date.wholeSeconds
    return "\(value.isSet ? "" : "not ")\(value.name) \(machine)"
      + (instant > 0 ? ", \(exactText(instant))" : "")
  }
}

struct ProvenanceCard {
  private let names: FeedName
  private let dates: RelativeDate
  private let layout: CardLayout

  init(_ context: CommandContext, _ names: FeedName) {
    self.names = names
    dates = RelativeDate(clock: context.clock)
    layout = CardLayout(context, labelColumns: 7)
  }

  func lines(_ known: StoryProvenance) -> [String] {
    let title = SafeText.line(known.story.item.title)
    let tags = known.story.tags.map { SafeText.line($0) }
    return layout.title(title.isEmpty ? "(untitled)" : title) + [""]
      + layout.fact("Key", key(known))
      + layout.fact("Came", [known.story.stored.map(exact) ?? "not known"])
      + layout.fact("Run", [run(known)])
      + layout.fact("Words", words(known))
      + layout.fact("Feeds", known.story.feeds.map { feed($0, known) })
      + layout.fact("Changed", changes(known)) + layout.fact("Rules", rules(known.story))
      + layout.fact("Synced", synced(known))
      + layout.fact("Tags", tags.isEmpty ? [] : [tags.joined(separator: ", ")])
  }

  private func synced(_ known: StoryProvenance) -> [String] {
    known.marks.map { dates.text($0) } + known.onServers.map(\.text)
      + known.refusals.map { $0.text(dates) }
  }

  // MARK: Key

  private func key(_ known: StoryProvenance) -> [String] {
    guard let key = known.key else {
      return [
        "not known: when it was stored it had another guid, link or title, or its feed another URL"
      ]
    }
    guard key.isCurrent else {
      return [Self.text(key.key), "that was its key when it was stored; its feed has renamed it"]
    }
    return [Self.text(key.key), Self.text(key.reason)]
  }

  private static func text(_ key: ItemKey) -> String {
    switch key {
    case .guid(let guid): "guid " + SafeText.line(guid)
    case .link(let link): "link " + SafeText.line(link)
    case .titleAndDate(_, let date) where date.isEmpty: "its title"
    case .titleAndDate(_, let date): "its title, and " + SafeText.line(date)
    }
  }

  private static func text(_ reason: StoryKey.Reason) -> String {
    switch reason {
    case .guid: "known by its guid"
    case .link: "it has no guid: known by its link without tracking parameters"
    case .linkForReusedGUID: "its feed gave its guid to several stories: known by its link"
    case .titleAndDate: "it has neither guid nor link: known by its title and published date"
    case .titleForSharedLink: "several stories of its feed had the same link: known by its title"
    }
  }

  // MARK: Run

  private func run(_ known: StoryProvenance) -> String {
    guard let run = known.run else { return "not known: `news log` does not have it" }
    return "`news \(SafeText.line(run.command))` of \(exact(run.started)): "
      + "\(NewsCount.outcome(of: run)), \(run.stored) stored"
  }

  // MARK: Feeds and changes

  private func words(_ known: StoryProvenance) -> [String] {
    guard let feed = known.story.feeds.first, known.story.feeds.count > 1 else { return [] }
    let reason = feed == known.owner ? "the link leads to its site" : "it came first"
    return ["those of \(names.name(of: feed)): \(reason)"]
  }

  private func feed(_ feed: String, _ known: StoryProvenance) -> String {
    let name = names.name(of: feed)
    switch known.carrier(feed) {
    case .brought:
      guard let match = known.renaming, match.feed == feed else { return "\(name) brought it" }
      return "\(name) brought it, and renamed it \(exact(match.date)): \(Self.text(match.rule))"
    case .matched(let match):
      return "\(name) has it since \(exact(match.date)): \(Self.text(match.rule))"
    case .inherited:
      return "\(name) has it now: the feed that brought it moved there, or left it"
    case .unknown:
      return "\(name) has it too: by what it was recognised is not known"
    }
  }

  private static func text(_ rule: StoryMatch.Rule) -> String {
    switch rule {
    case .guid: "the guid there is the same address"
    case .link: "the link is the same"
    case .titleAndDate: "title and date are the same"
    case .id: "the guid or link is one that it once had"
    }
  }

  private func changes(_ known: StoryProvenance) -> [String] {
    guard !known.story.changes.isEmpty else { return ["nothing that was recorded"] }
    return known.story.changes.map { change in
      let was = change.was.map { ", it was “\(SafeText.line($0))”" } ?? ""
      return "\(Self.text(change.part)) \(exact(change.date))\(was)"
    }
  }

  private static func text(_ part: StoryChange.Part) -> String {
    switch part {
    case .pubDate: "date"
    case .text: "whole text"
    default: part.rawValue
    }
  }

  private func rules(_ story: StoredItem) -> [String] {
    story.rules.map { "\(SafeText.line($0)) acted on it when it came" }
  }

  private func exact(_ date: Date) -> String {
    dates.exactText(date.wholeSeconds)
  }
}
