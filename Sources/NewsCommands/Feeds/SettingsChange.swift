import CommandLine
import FeedModel
import FeedStorage
import FeedUpdating

/// `news feeds set FEED`: what the reader says of a feed that is followed.
struct SettingsChange {
  private let context: CommandContext
  private let title: String?
  private let tags: [String]
  private let untags: [String]
  private let settings: [(inout FeedSettings) -> Void]

  static let options = [
    CommandOption("title", value: "TITLE", help: "set: call it so; '' for its own title"),
    CommandOption("tag", value: "TAG", isRepeatable: true, help: "set: give it a tag"),
    CommandOption("untag", value: "TAG", isRepeatable: true, help: "set: take a tag from it"),
    CommandOption(
      "interval",
      value: "TIME",
      help: "set: how often fetch --due asks it, such as 6h; '' as it posts",
    ),
    CommandOption(
      "keep",
      value: "N",
      help: "set: keep N stories that it no longer carries; '' as of others",
    ),
    CommandOption(
      "max-size",
      value: "MIB",
      help: "set: refuse it when it is larger, in MiB; '' as others",
    ),
    CommandOption(
      "user-agent",
      value: "NAME",
      help: "set: what its server is told of who asks; '' as others",
    ),
    CommandOption("full", help: "set: fetch the pages of its new stories, for whole texts"),
    CommandOption("no-full", help: "set: fetch no pages of it any more"),
    CommandOption(
      "download",
      value: "K",
      help: "set: fetch saves its newest K episodes by itself; '' none",
    ),
    CommandOption(
      "download-limit",
      value: "MIB",
      help: "set: those take at most so many MiB; '' for 1024",
    ),
  ]

  init(_ context: CommandContext) throws(CommandError) {
    self.context = context
    title = context.arguments.value("title").map { SafeText.line($0) }
    tags = context.arguments.values("tag").map { SafeText.line($0) }.filter { !$0.isEmpty }
    untags = context.arguments.values("untag")
    settings = try Self.settings(context)
  }

  /// An empty value is none.
  private static func settings(
    _ context: CommandContext
  ) throws(CommandError) -> [(inout FeedSettings) -> Void] {
    var changes: [(inout FeedSettings) -> Void] = []
    if let text = context.arguments.value("interval") {
      let interval = text.isEmpty ? nil : try interval(text, context)
      changes.append { $0.interval = interval }
    }
    if let text = context.arguments.value("keep") {
      let keep = text.isEmpty ? nil : try context.number("keep", 0...1_000_000_000)
      changes.append { $0.keep = keep }
    }
    if let text = context.arguments.value("max-size") {
      let bytes = text.isEmpty ? nil : try context.maximumBytes()
      changes.append { $0.maximumBytes = bytes }
    }
    if let name = context.arguments.value("user-agent").map({ SafeText.line($0) }) {
      changes.append { $0.userAgent = name.isEmpty ? nil : name }
    }
    if let text = context.arguments.value("download") {
      let count = text.isEmpty ? nil : try context.number("download", 1...1000)
      changes.append { $0.downloads = count }
    }
    if let text = context.arguments.value("download-limit") {
      let size = text.isEmpty ? nil : try context.number("download-limit", 1...1_000_000)
      changes.append { $0.downloadBytes = size.map { $0 << 20 } }
    }
    let isFull = context.arguments.has("full")
    if isFull || context.arguments.has("no-full") {
      guard !isFull || !context.arguments.has("no-full") else {
        throw context.usage("either --full or --no-full")
      }
      changes.append { $0.fetchesPages = isFull }
    }
    return changes
  }

  private static func interval(
    _ text: String,
    _ context: CommandContext,
  ) throws(CommandError) -> Duration {
    let range = RefreshSchedule.floor...RefreshSchedule.longest
    if let interval = TimeExpression.duration(text), range.contains(interval) { return interval }
    throw context.usage(
      "--interval: \(Spelling.quoted(text)) is no time from 15min to 7d, such as 6h"
    )
  }

  /// The first option that was given, as it is typed.
  var given: String? {
    Self.options.first { context.arguments.has($0.key) }?.spelling
  }

  func change() throws(CommandError) -> ExitStatus {
    let words = context.arguments.operands
    guard words.count == 2 else {
      throw context.usage("say which feed: news feeds set FEED --title TITLE")
    }
    guard given != nil else {
      throw context.usage("say what of it: news feeds set FEED --title TITLE, or --interval 6h")
    }
    let changed = try context.store().change { library throws(CommandError) in
      try change(words[1], of: library)
    }
    for (old, new) in changed { context.say(Self.message(old, new)) }
    if changed.isEmpty { context.say("nothing to change: it is so already") }
    let asked = changed.map(\.new).filter { $0.settings.fetchesPages }
    if context.arguments.has("full") { try PagePreview(context).show(of: asked) }
    return .done
  }

  private func change(
    _ word: String,
    of library: Library,
  ) throws(CommandError) -> (LibraryChange, [(old: Subscription, new: Subscription)]) {
    let chosen = try context.selector(library.subscriptions).subscriptions(word)
    guard title == nil || chosen.count == 1 else {
      throw .failed("--title is for one feed; \(Spelling.quoted(word)) means \(chosen.count)")
    }
    let urls = Set(chosen.map(\.url))
    var (change, changed) = (LibraryChange(), [(old: Subscription, new: Subscription)]())
    let subscriptions = library.subscriptions.map { old in
      guard urls.contains(old.url) else { return old }
      let new = applied(to: old)
      if new != old { changed.append((old, new)) }
      return new
    }
    guard !changed.isEmpty else { return (change, []) }
    change.subscriptions = subscriptions
    var record = context.undoRecord
    record.restore(library.subscriptions)
    change.undo = .record(record, clearing: [])
    return (change, changed)
  }

  private func applied(to feed: Subscription) -> Subscription {
    var feed = feed
    if let title { feed.title = title.isEmpty ? nil : title }
    let folded = Set(untags.map { TextFolding.fold($0) })
    feed.tags.removeAll { folded.contains(TextFolding.fold($0)) }
    feed.tags += tags.filter { !feed.tags.contains($0) }
    var new = feed.settings
    for change in settings { change(&new) }
    feed.settle(new)
    return feed
  }

  /// `Reuters: now called Technology, tagged work, no longer tagged old`.
  static func message(_ old: Subscription, _ new: Subscription) -> String {
    "\(FeedName.printable(old)): " + changes(old, new).joined(separator: ", ")
  }

  static func changes(_ old: Subscription, _ new: Subscription) -> [String] {
    var changes: [String] = []
    if new.title != old.title { changes.append("now called \(FeedName.printable(new))") }
    let tags = new.tags.filter { !old.tags.contains($0) }
    if !tags.isEmpty { changes.append("tagged \(tags.joined(separator: ", "))") }
    let gone = old.tags.filter { !new.tags.contains($0) }
    if !gone.isEmpty { changes.append("no longer tagged \(gone.joined(separator: ", "))") }
    if new.passwordCommand != old.passwordCommand { changes.append("asked with another password") }
    let settings = zip(new.settings.words, old.settings.words)
    return changes + settings.filter { $0 != $1 }.map(\.0)
  }
}

extension FeedSettings {
  /// What each says.
  fileprivate var words: [String] {
    [
      interval.map { "asked every \(TimeExpression.text($0))" } ?? "asked as it posts",
      keep.map { $0 == 0 ? "all its stories are kept" : "\($0) of its old stories are kept" }
        ?? "as many of its stories are kept as of others",
      maximumBytes.map { "up to \($0 >> 20) MiB" } ?? "as large as others",
      userAgent.map { "asked as \(Spelling.quoted($0))" } ?? "asked by our own name",
      fetchesPages ? "the pages of its new stories are fetched" : "no pages of it are fetched",
      downloads.map { "its newest \(Count.of($0, "episode")) saved as they come" }
        ?? "none of its episodes are saved by themselves",
      "its episodes may take \((downloadBytes ?? Self.usualDownloadBytes) >> 20) MiB",
    ]
  }
}
