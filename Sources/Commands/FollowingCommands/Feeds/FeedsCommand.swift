import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage

struct FeedsCommand: Command {
  static let name = "feeds"
  static let summary = "list the feeds you follow and their state, or change settings"
  static let synopsis =
    "[FEED…] [--failing] [--silent [--days N]] [--sort unread|title|activity|read]|set FEED… --title TITLE …"
  static let examples = [
    HelpExample(
      "news feeds",
      "list all feeds: stories, how often they post, last result, next fetch",
    ),
    HelpExample(
      "news feeds tag:work lwn",
      "feeds with a tag, and feeds with `lwn` in title or URL",
    ),
    HelpExample("news feeds --failing", "feeds whose last fetch failed"),
    HelpExample("news feeds --silent", "feeds that have posted nothing for 90 days"),
    HelpExample("news feeds --silent --days 365", "feeds that have posted nothing for a year"),
    HelpExample("news feeds set reuters --title Technology", "change a feed's title"),
    HelpExample(
      "news feeds set tag:work --tag new --untag old",
      "change the tags of several feeds",
    ),
    HelpExample(
      "news feeds set lwn --interval 6h --keep 100",
      "change how often it is fetched, and how much is kept",
    ),
    HelpExample("news feeds set lwn --full", "fetch whole articles where the feed has teasers"),
    HelpExample("news feeds set lwn --pause=3d", "stop fetching it for three days"),
    HelpExample("news feeds set lwn --hide", "show its stories only if you ask for it"),
    HelpExample("news feeds set lwn --keep-tracking", "show its links as they were published"),
    HelpExample("news feeds set lwn --filter 'jq .feed'", "read what a command makes of it"),
    HelpExample(
      "news feeds set lwn --header @lwn-cookies",
      "send the headers in a file that only you can read, such as Cookie: …",
    ),
    HelpExample("news feeds set tag:home --allow-private", "allow several in your own network"),
    HelpExample("news feeds --sort unread", "feeds with the most unread stories first"),
    HelpExample("news feeds --sort read", "feeds of which you read the most first"),
    HelpExample("news feeds --json", "print everything about them as JSON"),
  ]
  static let options =
    [
      CommandOption("failing", help: "only feeds whose last fetch failed"),
      CommandOption("silent", help: "only feeds that have posted nothing for 90 days"),
      CommandOption("days", value: "N", help: "with --silent: for N days instead")
        .only(with: "silent"),
      FeedSorting.option,
      CommandOption("all", help: "set: all feeds").only(with: "set"),
      Pager.option,
    ] + SettingsChange.options.map { $0.only(with: "set") }
  static let notes = [
    "How often a feed posts is estimated from its newest 20 stories and the time since. A "
      + "wide terminal also shows the newest story, when the feed was last fetched, and its "
      + "tags. Feeds that are hidden or paused, whose stories arrive read, or whose last document "
      + "was cut off, say so.",
    "`set` changes settings of a feed; `news undo` reverts them. For a feed called `set`, "
      + "use news feeds ./set, or its URL.",
    "Settings of a feed apply to every run, except where the run's own --keep and --max-size "
      + "say otherwise. An interval (15min to 7d) replaces the estimate of how often the feed "
      + "posts; the feed is still never fetched sooner than its server and the feed itself "
      + "allow, nor while it fails.",
    "With --full, every refresh and fetch gets the pages of the feed's new stories, after "
      + "all feeds and before the deadline: the newest 20 in a run, the others in the next runs "
      + "(up to 100). The article on each page becomes the story's text. A page that fails is "
      + "tried in 3 runs; one that is gone or has no article, once. --no-texts and NEWS_NO_TEXTS "
      + "fetch no pages. `set --full` tries the newest story at once, and shows how long its "
      + "article is and how it begins.",
    "Headers of --header and --header-command go to the feed's own site alone, and are never "
      + "printed. A header of the same name is replaced, and removed by `--header NAME:`; "
      + "`--header ''` removes all.",
    "The stories of a hidden feed are shown where you ask for the feed or its tag (--feed, feed:, "
      + "its row in `news browse`), and not in other lists, counts and notifications; `refresh` "
      + "and `fetch` still count what is new.",
    "--oldest-first is the order of the feed's own list. `list --reverse`, and < in `news browse`, "
      + "turn that round as any other: its newest stories come first then.",
    "A paused feed is not fetched, unless you name it: `news refresh FEED`. --pause, "
      + "--hide and --keep-tracking are kept in sync between machines; --allow-private is not.",
    "Links are opened, printed, copied and published without trackers such as utm_source, fbclid "
      + "and mc_eid; the data file and export --json have them as published. --keep-tracking is "
      + "for a site that needs one.",
    "When piped, each feed is a tab-separated line: URL, title, outcome, stories, unread "
      + "stories, last fetched, next due, error, newest story, seconds between stories, tags, marks "
      + "(hidden, paused, cut off).",
  ]
  static let json: JSONForm? = .array("the subscriptions, in your order", FeedHealthPrinter.fields)

  static let actions = ["set"]
  static let exclusions = [["pause", "resume"], ["tag", "untag"]]

  let context: CommandContext

  var readerAccess: ReaderAccess? {
    let isAsking = context.arguments.operands.first == "set" && context.arguments.has("full")
    return isAsking ? .network : nil
  }

  func run() throws -> ExitStatus {
    let settings = try SettingsChange(context)
    if context.arguments.operands.first == "set" { return try settings.change() }
    let days = try context.number("days", 1...36_500) ?? FeedHealth.silentDays
    let order: FeedSorting? = try context.choice(FeedSorting.option)
    let store = try context.store()
    let library = try store.read()
    // The next sync makes damaged state of a server anew, and says so.
    let servers = (try? store.serverStates()) ?? []
    let all = try health(named(library.subscriptions), library, store, servers)
    var shown = all
    if context.arguments.has("failing") { shown = shown.filter(\.isFailing) }
    if context.arguments.has("silent") {
      shown = shown.filter { $0.isSilent(for: days) }
    }
    if let order { shown = order.sorted(shown) }
    FeedHealthPrinter(context: context).print(shown)
    guard context.isOnTerminal, !context.isJSON else { return .done }
    context.output.flush()
    defer { sayLists(library) }
    if shown.isEmpty {
      context.say(all.isEmpty ? "no subscriptions yet: `news subscribe URL`" : none(days))
    } else if shown.count == all.count {
      let silent = all.count { $0.isSilent(for: days) }
      context.say(summary(all.count, failing: all.count(where: \.isFailing), silent, days))
    }
    return .done
  }

  private func sayLists(_ library: Library) {
    guard context.arguments.operands.isEmpty else { return }
    for list in library.feeds.lists { context.say(FeedLists.words(list, library, context.clock)) }
  }

  private func named(_ subscriptions: [Subscription]) throws -> [Subscription] {
    let words = context.arguments.operands
    guard !words.isEmpty else { return subscriptions }
    let selector = context.selector(subscriptions)
    let urls = Set(try words.flatMap(selector.matches).map(\.url))
    return subscriptions.filter { urls.contains($0.url) }
  }

  private func health(
    _ subscriptions: [Subscription],
    _ library: Library,
    _ store: LibraryStore,
    _ servers: [(name: String, state: ServerState)],
  ) throws -> [FeedHealth] {
    let moment = context.refreshMoment(library)
    let now = moment.now.wholeSeconds
    let counts = try FeedCounts(library.items, now: now)
    return subscriptions.map { subscription in
      FeedHealth(
        subscription: subscription,
        activity: counts.of(subscription.url),
        next: moment.next(subscription)?.wholeSeconds,
        retryTime: moment.retryTime(of: subscription.url),
        refusals: servers.compactMap { name, state in
          state.refusal(of: subscription).map { refusal in
            NamedRefusal(server: name, change: SafeText.line(refusal.change), refusal: refusal)
          }
        },
        icon: context.isJSON
          ? store.iconPath(named: LibraryStore.iconName(of: subscription.url)) : nil,
        now: now,
      )
    }
  }

  private func none(_ days: Int) -> String {
    switch (context.arguments.has("failing"), context.arguments.has("silent")) {
    case (true, true): "no feed is failing and silent"
    case (true, false): "no feed is failing"
    default: "no feed has been silent for \(Count.of(days, "day"))"
    }
  }

  private func summary(_ all: Int, failing: Int, _ silent: Int, _ days: Int) -> String {
    var parts = [Count.of(all, "feed")]
    if failing > 0 { parts.append("\(failing) failing") }
    if silent > 0 { parts.append("\(silent) silent for \(Count.of(days, "day"))") }
    return parts.joined(separator: ", ")
  }
}
