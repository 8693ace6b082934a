import FeedModel
import FeedStorage

struct UnsubscribeCommand: Command {
  static let name = "unsubscribe"
  static let summary = "stop following a feed"
  static let synopsis = "FEED…"
  static let examples = [
    HelpExample("news unsubscribe https://example.com/feed.xml", "by its URL"),
    HelpExample("news unsubscribe reuters", "by an unambiguous part of its title or URL"),
    HelpExample("news unsubscribe tag:old", "all feeds with this tag"),
  ]
  static let notes = [
    "Its stories go with it, but for starred ones and those that another feed carries as well."
  ]

  let context: CommandContext

  private typealias Removal = (subscription: Subscription, stories: Int)

  func run() throws(CommandError) -> ExitStatus {
    guard !context.arguments.operands.isEmpty else {
      throw usage("say which feed: news unsubscribe FEED")
    }
    let store = try context.store()
    for (subscription, stories) in try store.change(remove) {
      FirstAnswers(home: store.home).forget(subscription.url)
      let removed = Count.stories(stories)
      context.say("unsubscribed from \(FeedName.printable(subscription)); \(removed) removed")
    }
    return .done
  }

  private func remove(_ library: Library) throws(CommandError) -> (LibraryChange, [Removal]) {
    let selector = context.selector(library.subscriptions)
    var removals: [Removal] = []
    for word in context.arguments.operands {
      for subscription in try selector.subscriptions(word)
      where !removals.contains(where: { $0.subscription == subscription }) {
        removals.append((subscription, 0))
      }
    }
    let items = try commandErrors { try edits(library.items, &removals) }
    let gone = Set(removals.map(\.subscription.url))
    let rest = library.subscriptions.filter { !gone.contains($0.url) }
    return (LibraryChange(items: items, subscriptions: rest), removals)
  }

  private func edits(
    _ items: ItemTable,
    _ removals: inout [Removal],
  ) throws(StorageError) -> [ItemEdit]? {
    let gone = Set(removals.map(\.subscription.url))
    var edits = ItemEdits()
    try items.forEachStory(at: 0..<items.count) { index, story throws(StorageError) in
      let feeds = try story.strings(.feeds)
      let rest = feeds.filter { !gone.contains($0) }
      guard rest.count < feeds.count else { return }
      let isStarred = try story.isStarred()
      if rest.isEmpty, !isStarred {
        edits.remove(index)
        let place = removals.firstIndex { feeds.contains($0.subscription.url) }
        if let place { removals[place].stories += 1 }
      } else if !rest.isEmpty {
        var left = try story.item()
        left.feeds = rest
        edits.change(index, to: .replace(index, left))
      }
    }
    return edits.isEmpty ? nil : edits.all(of: items.count)
  }
}
