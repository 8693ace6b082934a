import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating
import Searching

struct UnsubscribeCommand: Command {
  static let name = "unsubscribe"
  static let summary = "stop following a feed"
  static let synopsis = "FEED… [--yes]|--list URL"
  static let examples = [
    HelpExample("news unsubscribe https://example.com/feed.xml", "by URL"),
    HelpExample("news unsubscribe reuters", "by part of its title or URL"),
    HelpExample("news unsubscribe tag:old", "all feeds with this tag, after asking"),
    HelpExample("news unsubscribe --list blogroll", "end a list with its feeds, after asking"),
  ]
  static let options = [
    Confirmation.option,
    CommandOption("list", help: "end a list that is followed, by its URL or tag, with its feeds"),
  ]
  static let notes = [
    "The feed's stories are deleted, except starred ones and those that another feed "
      + "carries. `news undo` brings everything back. The feed of saved pages stays as long as it has "
      + "any."
  ]

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard !context.arguments.operands.isEmpty else {
      throw usage("no feed given: news unsubscribe FEED")
    }
    let store = try context.store()
    guard try isAgreed(store) else {
      context.say("nothing was unsubscribed from")
      return .failed
    }
    let (ended, gone, clearing, rules) = try store.change(remove)
    for list in ended { context.say("no longer following the list \(list.printableTag)") }
    for subscription in gone.dropLast() {
      context.say("unsubscribed from \(FeedName.printable(subscription))")
    }
    var parts = [Count.stories(clearing.cleared) + " deleted"]
    if clearing.leftToOthers > 0 { parts.append("\(clearing.leftToOthers) left to other feeds") }
    if clearing.starred > 0 { parts.append("\(clearing.starred) starred kept") }
    if let last = gone.last {
      let name = FeedName.printable(last)
      context.say("unsubscribed from \(name); \(parts.joined(separator: ", "))")
    }
    for line in rules { context.say(line) }
    return .done
  }

  private func isAgreed(_ store: LibraryStore) throws -> Bool {
    guard !context.isConfirmed else { return true }
    let library = try store.read()
    let feeds = try chosen(library, ends(of: lists(library), in: library))
    guard feeds.count > 1 || context.environment.isInTableView else { return true }
    let (_, clearing) = try library.unsubscribing(from: feeds, context.origin)
    let stories = clearing.cleared > 0 ? " and delete \(Count.stories(clearing.cleared))" : ""
    let names = feeds.count == 1 ? FeedName.printable(feeds[0]) : Count.of(feeds.count, "feed")
    return try context.confirm("Unsubscribe from \(names)\(stories)")
  }

  /// Returns the lists that are named; none without `--list`.
  private func lists(_ library: Library) throws -> [FeedList] {
    guard context.arguments.has("list") else { return [] }
    var ended: [FeedList] = []
    for word in context.arguments.operands {
      let (url, tag) = (WebURL.canonical(PastedAddress(word).url), TextFolding.fold(word))
      let found = library.feeds.lists.filter {
        WebURL.canonical($0.url) == url || TextFolding.fold($0.tag) == tag
      }
      guard !found.isEmpty else {
        let hint = Spelling.hint(word, among: library.feeds.lists.map(\.tag))
        throw Failure("\(Spelling.quoted(word)): no list of that URL or tag is followed\(hint)")
      }
      ended += found.filter { !ended.contains($0) }
    }
    return ended
  }

  /// Returns the ends of lists, at which feeds that others have, too, stay with those.
  private func ends(of lists: [FeedList], in library: Library) -> [FeedListUpdate] {
    lists.map { FeedListUpdate($0, to: ImportedList(), in: library, besides: lists) }
  }

  private func chosen(_ library: Library, _ ends: [FeedListUpdate]) throws -> [Subscription] {
    if context.arguments.has("list") { return ends.flatMap(\.gone) }
    let selector = context.selector(library.subscriptions)
    let found = try context.arguments.operands.flatMap(selector.subscriptions)
    let gone = found.distinct(by: \.url)
    if gone.contains(where: \.isOfSavedPages),
      try library.items.hasSavedPages
    {
      throw Failure(
        "saved pages stay until you delete them: news delete --all --feed \(Subscription.savedURL)"
      )
    }
    return gone
  }

  private func remove(
    _ library: Library
  ) throws -> (LibraryChange, ([FeedList], [Subscription], StoryClearing, [String])) {
    let ended = try lists(library)
    let ends = ends(of: ended, in: library)
    let gone = try chosen(library, ends)
    var (change, clearing) = try library.unsubscribing(from: gone, context.origin)
    if !ended.isEmpty {
      change.feeds.subscriptions = change.feeds.subscriptions?.map { feed in
        ends.reduce(feed) { $1.passedOn($0) }
      }
      change.feeds.lists = library.feeds.lists.filter { !ended.contains($0) }
    }
    let rules = try context.followFeeds(&change, of: library)
    return (change, (ended, gone, clearing, rules))
  }
}
