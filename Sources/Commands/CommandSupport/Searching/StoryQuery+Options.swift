package import CommandLine
import FeedModel
package import FeedStorage
import Searching

extension StoryQuery {
  private static let grep = CommandOption(
    "grep",
    value: "SEARCH",
    isRepeatable: true,
    help: "only what a search finds: camera or lens, -not, title:word",
  )

  package static let options = [
    FeedSelector.option("only stories of this feed, tag:NAME or search:NAME"),
    CommandOption("unread", help: "only unread stories"),
    CommandOption("starred", help: "only starred stories"),
    TimeExpression.since,
    CommandOption("until", value: "WHEN", help: "not newer than WHEN, in the same forms"),
    grep,
  ]

  package init(_ context: CommandContext, _ library: Library) throws {
    self.init()
    try choose(context, library)
    isUnread = context.arguments.has("unread")
    isStarred = context.arguments.has("starred")
    since = try context.instant("since", .start)
    until = try context.instant("until", .end)
    search = try context.typedSearch()
    for case .tag(let name) in search.condition.terms {
      let selector = context.selector(library.subscriptions)
      let words = context.arguments.values(Self.grep.name)
      try Self.grep.lookUp(words.first { $0.contains(name) } ?? "") {
        guard try isCarried(StoryTag(name: name), selector, library.items) else {
          throw selector.noTag(named: name)
        }
      }
    }
  }

  package mutating func choose(_ context: CommandContext, _ library: Library) throws {
    let words = context.arguments.values(FeedSelector.option.name)
    guard !words.isEmpty else { return }
    var chosen: Set<String> = []
    (tags, searches) = ([], [])
    let selector = context.selector(library.subscriptions)
    for word in words {
      guard !word.isEmpty else { throw context.usage(FeedSelector.emptyWord) }
      try FeedSelector.option.lookUp(word) {
        if let name = FeedSelector.search(word) {
          searches.append(try context.savedSearch(name, library.subscriptions))
        } else if let tag = StoryTag(word), try isCarried(tag, selector, library.items) {
          tags.append(tag)
          chosen.formUnion(selector.tagged(tag).map(\.url))
        } else {
          chosen.formUnion(try selector.subscriptions(word).map(\.url))
        }
      }
    }
    feeds = chosen
  }

  private func isCarried(
    _ tag: StoryTag,
    _ selector: FeedSelector,
    _ items: ItemTable,
  ) throws -> Bool {
    guard selector.tagged(tag).isEmpty else { return true }
    let tagged = Condition.term(StoryCheck.tag(tag))
    return try !StoryScan(items, tagged, now: 0, limit: 1).run().isEmpty
  }
}
