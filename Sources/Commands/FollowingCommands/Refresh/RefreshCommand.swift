import CommandLine
import CommandSupport
import FeedFetching
import FeedModel
import FeedStorage
import FeedUpdating
import HTMLText

struct RefreshCommand: Command {
  static let name = "refresh"
  static let summary = "fetch feeds now, and show new headlines"
  static let synopsis = "[FEED…] [--failing] [--force] [--format TEMPLATE] [--keep N]|--older FEED…"
  static let examples = [
    HelpExample("news refresh", "fetch all feeds"),
    HelpExample("news refresh reuters", "fetch the feed with this in its title or URL"),
    HelpExample("news refresh tag:work", "fetch the feeds with this tag"),
    HelpExample("news refresh https://example.com/feed.xml", "subscribe first, if necessary"),
    HelpExample("news refresh --failing", "try the feeds again whose last fetch failed"),
    HelpExample("news refresh --force", "fetch everything again, even if unchanged"),
    HelpExample("news refresh --older reuters", "fetch stories from before what the feed has now"),
  ]
  static let options =
    RefreshOptions.words + [
      CommandOption("failing", help: "fetch only feeds whose last fetch failed"),
      CommandOption(
        "force",
        help: "fetch whole feeds, even if unchanged or told to wait",
      ),
      OlderFetch.option, StoryTemplate.option,
    ]
  static let notes = [
    "FEED is a feed's URL, its title, or an unambiguous part of either. tag:NAME means all "
      + "feeds with that tag. The exit status is 1 if every feed failed.",
    "Stories are saved every five seconds while they arrive.",
    "If a server asked to wait (Retry-After), its feeds are skipped until then, and "
      + "`refresh` says until when. --force fetches them anyway.",
    "--older goes back through a feed's archives and pages (RFC 5005, JSON Feed's next_url), ten a "
      + "call, where it names them; the next call goes on. Such stories come read, and are not "
      + "announced. All stories of that feed are kept from then on, unless --keep says otherwise. "
      + "`news why FEED` says how far back they go; with --force it begins anew.",
  ]
  static let json: JSONForm? = .object("what the run came to", RefreshJSON.fields)

  static let isVisit = true

  static let exclusions = ["json", "failing", "due", "format", "keep"].map {
    ["older", $0]
  }

  let context: CommandContext

  var readerAccess: ReaderAccess? { .network }
  var readsAlways: Bool { !context.arguments.has("due") }

  func run() throws -> ExitStatus {
    var options = try RefreshOptions.read(context)
    let template = try StoryTemplate.read(context)
    options.isForced = context.arguments.has("force")
    let store = try context.store()
    if context.arguments.has(OlderFetch.option.name) {
      return try OlderFetch(context: context, store: store).run()
    }
    var answers: [String: FetchedDocument] = [:]
    if !context.arguments.operands.isEmpty { options.feeds = try namedFeeds(store, &answers) }
    if context.arguments.has("failing") {
      let failing = try failing(store)
      options.feeds =
        options.feeds.map { $0.filter { failing.contains($0) || answers[$0] != nil } }
        ?? failing
    }
    let run = RefreshRun(context: context, store: store, answers: answers)
    let report = try run.run(options, progress: context.progressLine())
    let namesFeeds = !context.arguments.operands.isEmpty
    let isForAll = !namesFeeds && !context.isJSON
    let shown = isForAll ? report.withoutHidden(in: store) : report
    try print(shown, template, store)
    context.output.flush()
    let messages = RefreshMessages(context, .advice)
    try messages.print(shown)
    run.followMoves(options, after: report)
    if !namesFeeds { run.synchronize(options, after: report) }
    run.fetchPages(options, after: report, context.progressLine())
    // If all that was asked for is gone, the status has to tell it.
    let isGone = report.asked == 0 && report.unasked.contains { $0.reason == .gone }
    return isGone ? .failed : messages.status(report)
  }

  /// Prints the new headlines, numbered from 1; without any, the numbers of the last list stay.
  private func print(
    _ report: RefreshReport,
    _ template: StoryTemplate?,
    _ store: LibraryStore,
  ) throws {
    if context.isJSON { return context.output.printLine(RefreshJSON.value(report).description) }
    var numbers = ListNumbers(context)
    let removal = report.newItems.isEmpty ? TrackerRemoval([]) : store.trackerRemoval
    if let template {
      try NewStories(report: report, removal: removal, context: context).print(template, &numbers)
    } else {
      // Three lines of the window are left for messages and the prompt.
      let list = HeadlineList(
        report,
        removal,
        style: context.style,
        columns: context.isOnTerminal ? context.columns : nil,
        rows: context.isOnTerminal ? context.rows.map { max($0 - 3, 3) } : nil,
      )
      try list.forEachLine(&numbers) { context.output.printLine($0) }
    }
    context.output.flush()
    guard numbers.count > 0, report.storageError == nil, context.output.isSound else {
      return
    }
    context.record(numbers, in: store)
    let rest = report.newItems.count - numbers.count
    if rest > 0 { context.say("\(rest) more: `news list --grep is:new` shows all that is new") }
  }

  /// Returns the URLs of the feeds that failed and may answer again.
  private func failing(_ store: LibraryStore) throws -> [String] {
    try store.read().subscriptions.filter { feed in
      feed.state.isFailing && !feed.state.isGone && !feed.isNeverAsked
        && !feed.settings.isPaused(at: context.clock.date)
    }.map(\.url)
  }

  /// Returns the URLs of the feeds that are named.
  ///
  /// New ones are subscribed to first; their documents go into `answers`.
  private func namedFeeds(
    _ store: LibraryStore,
    _ answers: inout [String: FetchedDocument],
  ) throws -> [String] {
    var urls: [String] = []
    let subscriber = FeedSubscriber(context: context, store: store)
    let known = context.selector(try store.read().subscriptions)
    let new = context.arguments.operands.filter { isNew($0, known) }
    try subscriber.ask(for: new.compactMap { try? context.source($0) })
    for word in context.arguments.operands {
      let selector = context.selector(try store.read().subscriptions)
      if isNew(word, selector) {
        let found = try subscriber.subscribe(try context.source(word))
        for case .success(let new) in found {
          urls.append(new.subscription.url)
          answers[new.subscription.url] = new.answer
        }
        try subscriber.throwLast(found)
      } else {
        urls += try selector.subscriptions(word).map(\.url)
      }
    }
    return urls.distinct(by: \.self)
  }

  private func isNew(_ word: String, _ selector: FeedSelector) -> Bool {
    guard selector.found(word).isEmpty else { return false }
    if word.contains("://") { return true }
    let path = LocalPath.absolute(word, in: context.environment.currentFolder())
    return path.map { FileStatus(at: $0)?.kind == .file } ?? false
  }
}

struct NewStories {
  let report: RefreshReport
  let removal: TrackerRemoval
  let context: CommandContext

  func print(_ template: StoryTemplate, _ numbers: inout ListNumbers) throws {
    let names = HeadlineList(report, style: .plain)
    let dates = StoryDates(nil, clock: context.clock)
    let texts = template.texts(context)
    for index in report.newItems.indices where !context.output.hasFailed {
      let story = removal.story(try report.newItems.item(at: index))
      let number = numbers.number(of: StoryID(story.id), at: numbers.count)
      let feed = names.name(of: story)
      context.output.print(
        template.text(
          TemplateStory(number: number, story: story, feed: feed, dates: dates, texts: texts)
        )
      )
    }
  }
}

/// The new headlines of a run, grouped by feed in the order of the subscriptions.
struct HeadlineList {
  private let report: RefreshReport
  private let removal: TrackerRemoval
  private let style: Style
  /// The width and the number of lines to fit into; nil for any.
  private let columns: Int?
  private let rows: Int?
  private let names: [String: String]

  init(
    _ report: RefreshReport,
    _ removal: TrackerRemoval = TrackerRemoval([]),
    style: Style,
    columns: Int? = nil,
    rows: Int? = nil,
  ) {
    (self.report, self.removal, self.style) = (report, removal, style)
    self.columns = columns
    self.rows = rows
    var names: [String: String] = [:]
    let distinct = FeedName.distinct(
      report.feeds.map { Subscription(url: $0.url, title: $0.title) }
    )
    for feed in report.feeds {
      let name = distinct[feed.url] ?? Subscription.printableName(title: feed.title, url: feed.url)
      for url in [feed.url, feed.movedTo].compactMap(\.self) { names[url] = name }
    }
    self.names = names
  }

  func forEachLine(_ numbers: inout ListNumbers, _ print: (String) -> Void) throws {
    let groups = groups()
    let most = mostOfEach(groups.map(\.stories.count))
    var rest = rows ?? .max
    let shown = groups.reduce(0) { $0 + min($1.stories.count, most) }
    let width = String(numbers.greatest(after: shown)).count
    for group in groups where rest > 1 {
      print(head(group.feed, count: group.stories.count))
      rest -= 1
      for index in group.stories.prefix(min(most, rest)) {
        let story = try report.newItems.item(at: index)
        let number = numbers.number(of: StoryID(story.id), at: numbers.count)
        rest -= 1
        print(headline(story, TerminalText.right(number.map(String.init) ?? "", in: width)))
      }
    }
  }

  /// Returns the most headlines for one feed, so that all feeds with news are shown.
  private func mostOfEach(_ counts: [Int]) -> Int {
    guard let rows else { return .max }
    var (most, open, rest) = (0, counts, rows - counts.count)
    while !open.isEmpty, rest >= open.count {
      most += 1
      rest -= open.count
      open.removeAll { $0 <= most }
    }
    return open.isEmpty ? .max : max(most, 1)
  }

  private func groups() -> [(feed: String, stories: [Int])] {
    var stories: [String: [Int]] = [:]
    for index in report.newItems.indices {
      stories[feed(of: report.newItems.feeds(of: index)), default: []].append(index)
    }
    var order = report.feeds.flatMap { [$0.url, $0.movedTo].compactMap(\.self) }
    order += Set(stories.keys).subtracting(order).sorted()
    return order.compactMap { feed in stories.removeValue(forKey: feed).map { (feed, $0) } }
  }

  /// Returns the newest story of each feed, in their order, before the second of any.
  func best(_ limit: Int) -> [Int] {
    let groups = groups().map { $0.stories.prefix(limit) }
    return (0..<limit).flatMap { rank in
      groups.compactMap { $0.indices.contains(rank) ? $0[rank] : nil }
    }.prefix(limit).map(\.self)
  }

  func name(of item: StoredItem) -> String {
    let feed = feed(of: item.feeds)
    return names[feed] ?? WebURL.printable(feed)
  }

  private func feed(of feeds: [String]) -> String {
    feeds.first { names[$0] != nil } ?? feeds.first ?? ""
  }

  private func head(_ feed: String, count: Int) -> String {
    let name = names[feed] ?? WebURL.printable(feed)
    let count = " (\(count))"
    return style.bold(cut(name, leaving: count.count)) + style.dim(count)
  }

  private func headline(_ story: StoredItem, _ number: String) -> String {
    let item = removal.story(story).item
    let text = cut(StoryTitle.text(item), leaving: number.count + 2)
    return style.dim(number) + "  " + style.link(text, to: item.link)
  }

  private func cut(_ text: String, leaving reserved: Int) -> String {
    columns.map { TerminalText.cut(text, to: max($0 - reserved, 1)) } ?? text
  }
}
