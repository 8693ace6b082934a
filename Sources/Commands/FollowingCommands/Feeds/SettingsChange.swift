import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import Searching

struct SettingsChange {
  private let context: CommandContext
  private let title: String?
  private let tags: [String]
  private let untags: [String]
  private let settings: [(FeedSetting, SyncValue)]

  static let options =
    [
      CommandOption("title", value: "TITLE", help: "set: change the title; '' for its own"),
      CommandOption("tag", value: "TAG", isRepeatable: true, help: "set: add a tag"),
      CommandOption("untag", value: "TAG", isRepeatable: true, help: "set: remove a tag"),
      CommandOption("allow-private", help: "set: allow it to be in a private network"),
      CommandOption(
        "filter",
        value: CommandOption.command,
        help: "set: pass its document through COMMAND; '' for none",
      ),
    ] + RequestHeaders.options + FeedRoute.options + FeedSetting.allCases.flatMap(\.options)

  init(_ context: CommandContext) throws {
    self.context = context
    title = context.arguments.value("title").map { SafeText.line($0) }
    tags = try context.tags(context.arguments.values("tag"))
    untags = context.arguments.values("untag").flatMap(TagWord.tagsToRemove)
    var settings: [(FeedSetting, SyncValue)] = []
    for setting in FeedSetting.allCases {
      if let value = try setting.value(context) { settings.append((setting, value)) }
    }
    self.settings = settings
  }

  private var isGiven: Bool { Self.options.contains { context.arguments.has($0.key) } }

  private var words: ArraySlice<String> { context.arguments.operands.dropFirst() }

  func change() throws -> ExitStatus {
    guard words.isEmpty == context.arguments.has("all") else {
      throw context.usage("give a feed or --all: news feeds set FEED --title TITLE")
    }
    guard isGiven else {
      throw context.usage("say what of it: news feeds set FEED --title TITLE, or --interval 6h")
    }
    // Read before the store is locked.
    let headers = try RequestHeaders().changed(context)
    guard headers.isEmpty || words.count == 1 else {
      throw context.usage("--header and --header-command are for one feed")
    }
    let (changed, rules) = try context.store().change { library in
      var (change, changed) = try change(of: library)
      let rules = try context.followFeeds(&change, of: library)
      return (change, (changed, rules))
    }
    for (old, new) in changed {
      let changes = new.changes(since: old, context.clock).joined(separator: ", ")
      context.say("\(FeedName.printable(old)): \(changes)")
    }
    for line in rules { context.say(line) }
    if changed.isEmpty { context.say("nothing to change: already set") }
    let asked = changed.map(\.new).filter { $0.settings.fetchesPages }
    if context.arguments.has("full") { try PagePreview(context: context).show(of: asked) }
    return .done
  }

  private func change(
    of library: Library
  ) throws -> (LibraryChange, [(old: Subscription, new: Subscription)]) {
    let urls = try chosen(library.subscriptions)
    guard title == nil || urls.count == 1 else {
      throw Failure("--title is for one feed, and these are \(urls.count)")
    }
    var (change, changed) = (LibraryChange(), [(old: Subscription, new: Subscription)]())
    var subscriptions = library.subscriptions
    for (index, old) in subscriptions.enumerated() where urls.contains(old.url) {
      subscriptions[index] = try applied(to: old)
      if subscriptions[index] != old { changed.append((old, subscriptions[index])) }
    }
    guard !changed.isEmpty else { return (change, []) }
    change.feeds.subscriptions = subscriptions
    change.origin = context.named(deed(changed.map(\.old))).origin
    return (change, changed)
  }

  /// Returns the command as one would type it, without values that may be secret.
  private func deed(_ changed: [Subscription]) -> String {
    let all = context.arguments.has("all")
    let feeds = changed.count == 1 ? [ShellWord.asNeeded(FeedName.printable(changed[0]))] : []
    let typed = words.map { ShellWord.asNeeded(WebURL.redacted(word: $0)) }
    let settings = Set(FeedSetting.allCases.flatMap(\.options).map(\.key))
    let options = Self.options.filter { context.arguments.has($0.key) }.flatMap { option in
      let isOpen = settings.contains(option.key) || ["title", "tag", "untag"].contains(option.key)
      let values = isOpen ? context.arguments.values(option.key) : []
      return values.isEmpty
        ? [option.spelling] : values.flatMap { [option.spelling, ShellWord.asNeeded($0)] }
    }
    let line = ["feeds", "set"] + (all ? ["--all"] : feeds.isEmpty ? typed : feeds) + options
    let text = SafeText.line(line.joined(separator: " "))
    return SafeText.prefix(text, maximumCharacters: 200)
  }

  private func chosen(_ subscriptions: [Subscription]) throws -> Set<String> {
    if context.arguments.has("all") { return Set(subscriptions.map(\.url)) }
    let selector = context.selector(subscriptions)
    return Set(try words.flatMap(selector.subscriptions).map(\.url))
  }

  private func applied(to feed: Subscription) throws -> Subscription {
    var feed = feed
    if let title { feed.title = title.isEmpty ? nil : title }
    let folded = Set(untags.map { TextFolding.fold($0) })
    feed.tags.removeAll { folded.contains(TextFolding.fold($0)) }
    feed.tags += tags.filter { !feed.tags.contains($0) }
    guard feed.$tags.leftOut == 0 else { throw TagLimit() }
    var new = feed.settings
    for (setting, value) in settings { new[setting] = value }
    feed.apply(new)
    feed.headers = try feed.headers.changed(context)
    feed.route = try feed.route.changed(context)
    if let filter = try context.commandLine("filter") {
      feed.filter(through: filter.isEmpty ? nil : filter)
    }
    if context.arguments.has("allow-private") { feed.state.isOnInternet = false }
    return feed
  }
}
