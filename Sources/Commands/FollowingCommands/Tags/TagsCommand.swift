import CommandLine
import CommandSupport
package import FeedModel
package import FeedStorage
import Searching

struct TagsCommand: Command {
  static let name = "tags"
  static let summary = "list the tags of feeds and stories, or change them everywhere"
  static let synopsis = "[rename|remove] [TAG…]"
  static let examples = [
    HelpExample("news tags", "list all tags: feeds, stories, unread stories"),
    HelpExample("news tags rename work job", "a new name, for feeds, stories and rules"),
    HelpExample("news tags remove later", "take a tag away from all that has it"),
    HelpExample("news list --feed tag:work", "list the stories of a tag"),
  ]
  static let options = [Pager.option]
  static let notes = [
    "The stories of a tag are those of its feeds and those that carry it themselves. rename work job "
      + "makes job/mail of work/mail, too. If there is a tag of the new name, the two become one.",
    "rename also changes rules that ask for the tag or give it, and searches with tag:. remove takes "
      + "the tag from what rules do; a rule that did nothing else is removed. One that asks for the "
      + "tag stays as it is, and finds nothing any more. `news undo` takes all of it back in one step, "
      + "and other machines hear of it.",
    "When piped, each tag is a tab-separated line: tag, feeds, stories, unread stories.",
  ]
  static let json: JSONForm? = .array("the tags, in alphabetical order", TagCounts.fields)
  static let actions = ["rename", "remove"]

  let context: CommandContext

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    switch words.first {
    case nil: try list()
    case "rename":
      guard words.count == 3 else { throw usage("give two tags: news tags rename OLD NEW") }
      let new = try context.tags([Self.name(words[2])])
      guard new.count == 1 else { throw usage("the new name is one tag: news tags rename OLD NEW") }
      try change(TagChange(old: Self.name(words[1]), new: new[0]))
    case "remove":
      guard words.count == 2 else { throw usage("give one tag: news tags remove TAG") }
      try change(TagChange(old: Self.name(words[1]), new: nil))
    case let word?:
      throw usage(
        "\(Spelling.quoted(word)) is neither rename nor remove; for its stories: "
          + "news list --feed \(ShellWord.proposed("tag:\(Self.name(word))", or: "tag:NAME"))"
      )
    }
    return context.output.isSound ? .done : .failed
  }

  private static func name(_ word: String) -> String {
    SafeText.line(word.hasPrefix("tag:") ? String(word.dropFirst(4)) : word)
  }

  // MARK: Changes

  private func change(_ tag: TagChange) throws {
    let store = try context.store()
    let (counts, lines) = try store.change { library in
      var (change, counts) = try tag.change(of: library, try store.rules())
      guard counts.contains(where: { $0 > 0 }) else {
        if tag.new == tag.old { throw Failure("it has that name already") }
        throw Failure("nothing has the tag \(Spelling.quoted(tag.old))")
      }
      change.origin = ChangeOrigin(
        command: "\(Self.name) \(tag.new == nil ? "remove" : "rename")",
        date: context.clock.date,
      )
      return (change, (counts, try context.followFeeds(&change, of: library)))
    }
    let names = ["feed", "story", "rule"]
    let parts = zip(counts, names).filter { $0.0 > 0 }.map { count, name in
      name == "story" ? Count.stories(count) : Count.of(count, name)
    }
    let done = tag.new.map { "is now \(Spelling.quoted($0))" } ?? "removed"
    context.say("tag \(Spelling.quoted(tag.old)) \(done): \(parts.joined(separator: ", "))")
    for line in lines { context.say(line) }
  }

  // MARK: List

  private func list() throws {
    let library = try context.store().read(.names)
    let tags = try counts(library)
    if context.isJSON { return context.output.printJSON(tags, TagCounts.fields) }
    guard context.isOnTerminal else {
      for tag in tags { context.output.printFields(tag.texts) }
      return
    }
    guard !tags.isEmpty else {
      return context.say("no tags yet: news tag NAME 3, or news feeds set FEED --tag NAME")
    }
    let table = context.table([
      .init("tag", shrinks: true), .init("feeds", isRight: true, rank: 1),
      .init("stories", isRight: true, rank: 2), .init("unread", isRight: true),
    ])
    Pager(context).print(table.lines(tags.map(\.texts)).map { $0 + "\n" })
  }

  private func counts(_ library: Library) throws -> [TagCounts] {
    var names: [[UInt32]: String] = [:]
    func note(_ tags: [String]) {
      for tag in tags where !tag.isEmpty { names[TextFolding.fold(tag), default: tag] = tag }
    }
    try library.items.forEachStory(at: 0..<library.items.count) { _, story in
      note(try story.strings(.tags))
    }
    note(library.subscriptions.flatMap(\.tags))
    let selector = context.selector(library.subscriptions)
    return try names.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { folded, name in
      var query = StoryQuery()
      query.tags = [StoryTag(name: name)]
      let feeds = selector.tagged(query.tags[0])
      query.feeds = Set(feeds.map(\.url))
      let stories = try context.positions(of: query, in: library).count
      query.isUnread = true
      let unread = try context.positions(of: query, in: library).count
      return TagCounts(name: name, feeds: feeds.count, stories: stories, unread: unread)
    }
  }
}

struct TagCounts {
  let name: String
  let feeds: Int
  let stories: Int
  let unread: Int

  static let fields: [JSONField<TagCounts>] = [
    JSONField("tag", "its name") { .string($0.name) },
    JSONField("feeds", "how many feeds have it") { .integer($0.feeds) },
    JSONField("stories", "how many stories are of these feeds or carry it") {
      .integer($0.stories)
    },
    JSONField("unread", "how many of these are unread") { .integer($0.unread) },
  ]

  var texts: [String] { [SafeText.line(name)] + [feeds, stories, unread].map(String.init) }
}

/// A tag that gets another name, or goes where there is none, in feeds, stories and rules.
package struct TagChange {
  let old: String
  let new: String?

  package init(old: String, new: String?) {
    (self.old, self.new) = (old, new)
  }

  /// Returns the change, and how many feeds, stories and rules it is about.
  package func change(
    of library: Library,
    _ rules: [StoryRule],
  ) throws -> (LibraryChange, [Int]) {
    var change = LibraryChange()
    var feeds = library.subscriptions
    for index in feeds.indices { feeds[index].tags = changed(feeds[index].tags) }
    if feeds != library.subscriptions { change.feeds.subscriptions = feeds }
    try library.items.forEachStory(at: 0..<library.items.count) { position, story in
      let old = try story.strings(.tags)
      let new = changed(old)
      if new != old { change.stories.adjusted[position] = ItemAdjustment(tags: new) }
    }
    let named = change.stories.adjusted.values.flatMap { $0.tags ?? [] } + feeds.flatMap(\.tags)
    let long = named.first { !SyncKey.isTag($0) && $0.hasPrefix("\(new ?? old)/") }
    if let long { throw Failure("\(Spelling.quoted(long)) would be too long a tag") }
    let newRules = rules.compactMap(changed)
    if newRules != rules { change.rules = newRules }
    let kept = Set(newRules)
    let counts = [
      zip(feeds, library.subscriptions).count { $0 != $1 }, change.stories.adjusted.count,
      rules.count { !kept.contains($0) },
    ]
    return (change, counts)
  }

  /// Returns the tag's new name; nil where it goes, and the name of another tag as it is.
  private func changed(_ tag: String) -> String? {
    guard let new else { return TextFolding.fold(tag) == TextFolding.fold(old) ? nil : tag }
    guard StoryTag(name: old).isAmong([tag]) else { return tag }
    let below = Self.parts(tag).dropFirst(Self.parts(old).count)
    return ([new] + below).joined(separator: "/")
  }

  private static func parts(_ tag: String) -> [String] {
    tag.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  private func changed(_ tags: [String]) -> [String] {
    guard tags.contains(where: { changed($0) != $0 }) else { return tags }
    return tags.compactMap(changed).distinct { TextFolding.fold($0) }
  }

  /// Returns nil for a rule that did nothing but give the tag.
  private func changed(_ rule: StoryRule) -> StoryRule? {
    var rule = rule
    let wasSearch = rule.isSearch
    rule.actions = rule.actions.compactMap { action in
      guard case .tag(let tag) = action else { return action }
      return changed(tag).map { .tag($0) }
    }
    if rule.isSearch, !wasSearch { return nil }
    guard new != nil else { return rule }
    rule.feeds = rule.feeds.map { name(.feed($0)) ?? $0 }
    // A search that cannot be read stays as it is: `doctor` tells of it.
    rule.grep = rule.grep.map { (try? StorySearch.text($0, naming: name)) ?? $0 }
    return rule
  }

  private func name(_ term: SearchTerm) -> String? {
    switch term {
    case .tag(let tag): changed(tag).flatMap { $0 == tag ? nil : $0 }
    case .feed(let word):
      StoryTag(word).flatMap { changed($0.name) }.map { "tag:\($0)" }
        .flatMap { $0 == word ? nil : $0 }
    default: nil
    }
  }
}
