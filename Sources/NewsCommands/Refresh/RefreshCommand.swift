import Aggregation
import FeedFetching
import FeedModel
import FeedStorage

struct RefreshCommand: Command {
  static let name = "refresh"
  static let summary = "ask the feeds now, and show the new headlines"
  static let synopsis = "[FEED…] [--force] [--format TEMPLATE] [--keep N]"
  static let examples = [
    HelpExample("news refresh", "ask every feed"),
    HelpExample("news refresh reuters", "ask the feed whose title or URL has this in it"),
    HelpExample("news refresh tag:work", "ask the feeds with this tag"),
    HelpExample("news refresh https://example.com/feed.xml", "subscribe to it first, if need be"),
    HelpExample("news refresh --force", "fetch everything again, changed or not"),
  ]
  static let options =
    RefreshOptions.words + [
      CommandOption(
        "force",
        help: "send no validators, so that every feed comes whole; ask held servers too",
      ),
      StoryTemplate.option,
    ]
  static let notes = [
    "FEED is a feed's URL, its title, or an unambiguous part of either; tag:NAME means all feeds "
      + "with a tag. The status is 1 when every feed failed.",
    "What has arrived is saved every five seconds. A feed at which three runs died is left alone; "
      + "`news refresh --force FEED` asks it all the same.",
    "A server that asked to wait (Retry-After) is left in peace until then, for `refresh` too, which "
      + "says which server and until when; --force asks all the same.",
  ]
  static let json: JSONForm? = .object("what the run came to", RefreshJSON.fields)

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    var options = try RefreshOptions.read(context)
    let template = try StoryTemplate.read(context)
    options.isForced = context.arguments.has("force")
    let store = try context.store()
    var answers: [String: FirstAnswer] = [:]
    if !context.arguments.operands.isEmpty { options.feeds = try namedFeeds(store, &answers) }
    let report = try RefreshRun(context: context, store: store, answers: answers)
      .run(options, progress: progressLine())
    if report.storageError == nil { context.forgetListing(in: store) }
    try print(report, template)
    context.output.flush()
    let isSeen = context.environment.terminal.isErrorTerminal
    let messages = RefreshMessages(context, isSeen ? .blocks : .advice)
    try messages.print(report)
    // Who asks only what is gone has to be told so by the status too.
    let isGone = report.asked == 0 && report.unasked.contains { $0.reason == .gone }
    return isGone ? .failed : messages.status(report)
  }

  private func print(_ report: RefreshReport, _ template: StoryTemplate?) throws(CommandError) {
    if context.isJSON { return context.output.printLine(RefreshJSON.value(report).description) }
    // The new stories are read back from where they waited to be stored.
    try commandErrors {
      if let template {
        try printStories(report, template)
      } else {
        let columns = context.isOnTerminal ? context.columns : nil
        let list = HeadlineList(report, style: context.style, columns: columns)
        try list.forEachLine(of: report) { context.output.printLine($0) }
      }
    }
  }

  private func printStories(_ report: RefreshReport, _ template: StoryTemplate) throws {
    let names = HeadlineList(report, style: .plain, columns: nil)
    let dates = StoryDates(nil, clock: context.clock)
    for index in report.newItems.indices where !context.output.hasFailed {
      let story = try report.newItems.item(at: index)
      let feed = names.name(of: story)
      let text = template.text(TemplateStory(number: nil, story: story, feed: feed, dates: dates))
      context.output.print(text)
    }
  }

  private func progressLine() -> ProgressLine? {
    let environment = context.environment
    let isDumb = environment.variable("TERM") == "dumb"
    guard environment.terminal.isErrorTerminal, !context.isQuiet, !isDumb,
      !context.isVerbose
    else { return nil }
    return ProgressLine(output: environment.errorOutput, columns: context.columns)
  }

  /// The URLs of the feeds that the operands name; new ones are subscribed to first, and what they
  /// answered then is kept in `answers`.
  private func namedFeeds(
    _ store: LibraryStore,
    _ answers: inout [String: FirstAnswer],
  ) throws(CommandError) -> [String] {
    var urls: [String] = []
    for word in context.arguments.operands {
      let selector = context.selector(try store.library().subscriptions)
      if isNew(word, selector) {
        let new = try FeedSubscriber(context: context, store: store).subscribe(word)
        urls.append(new.subscription.url)
        answers[new.subscription.url] = new.answer
      } else {
        urls += try selector.subscriptions(word).map(\.url)
      }
    }
    var seen: Set<String> = []
    return urls.filter { seen.insert($0).inserted }
  }

  private func isNew(_ word: String, _ selector: FeedSelector) -> Bool {
    guard selector.found(word).isEmpty else { return false }
    if word.contains("://") { return true }
    let path = LocalPath.absolute(word, in: context.environment.currentFolder())
    return path.map { FileStatus(at: $0)?.kind == .file } ?? false
  }
}

/// The new headlines of a run, grouped by feed.
struct HeadlineList {
  let style: Style
  /// Columns to fit each line into; nil cuts nothing.
  let columns: Int?
  let names: [String: String]

  init(_ report: RefreshReport, style: Style, columns: Int?) {
    self.style = style
    self.columns = columns
    var names: [String: String] = [:]
    for feed in report.feeds {
      let name = FeedName.printable(title: feed.title, url: feed.url)
      for url in [feed.url, feed.movedTo].compactMap(\.self) { names[url] = name }
    }
    self.names = names
  }

  /// Calls `print` with each line: one group for each feed with new stories, in the order of the
  /// subscriptions.
  func forEachLine(of report: RefreshReport, _ print: (String) -> Void) throws(StorageError) {
    var groups: [String: [Int]] = [:]
    for index in report.newItems.indices {
      groups[feed(of: report.newItems.feeds(of: index)), default: []].append(index)
    }
    let order = report.feeds.flatMap { [$0.url, $0.movedTo].compactMap(\.self) }
    let known = Set(order)
    let others = groups.keys.filter { !known.contains($0) }.sorted()
    for feed in order + others {
      guard let group = groups.removeValue(forKey: feed) else { continue }
      print(head(feed, count: group.count))
      for index in group { print(headline(try report.newItems.item(at: index))) }
    }
  }

  func name(of item: StoredItem) -> String {
    let feed = feed(of: item.feeds)
    return names[feed] ?? FeedName.printableURL(feed)
  }

  private func feed(of feeds: [String]) -> String {
    feeds.first { names[$0] != nil } ?? feeds.first ?? ""
  }

  private func head(_ feed: String, count: Int) -> String {
    let name = names[feed] ?? FeedName.printableURL(feed)
    let count = " (\(count))"
    return style.bold(cut(name, leaving: count.count)) + style.dim(count)
  }

  private func headline(_ item: StoredItem) -> String {
    let text = cut(StoryTitle.text(item.item), leaving: 2)
    return "  " + style.link(text, to: item.item.link)
  }

  private func cut(_ text: String, leaving reserved: Int) -> String {
    columns.map { TerminalText.cut(text, to: max($0 - reserved, 1)) } ?? text
  }
}
