import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "chart runs, stories, what you read, and failing feeds"
  static let synopsis = "[--since WHEN] [--feed FEED]…"
  static let examples = [
    HelpExample("news stats", "the last four weeks"),
    HelpExample("news stats --since 1y", "the last year"),
    HelpExample("news stats --feed tag:work", "stories and failures of some feeds"),
    HelpExample("news stats --json | jq .durations.median", "print one number"),
  ]
  static let options = [TimeExpression.since, FeedSelector.option, Pager.option]
  static let notes = [
    "Without --since, the last 28 days including today are shown. Stories are counted by the "
      + "date that `list` sorts by: when they were published, or else stored. A story of several "
      + "feeds counts for each of them. Days and hours are in the local time zone.",
    "Your reading times, which decide when `fetch --due` fetches, cover all weeks; newer "
      + "weeks count more. --feed leaves out what concerns all feeds: runs, requests and reading "
      + "times.",
    "What you read of each feed is the share of its stories in this period that is read or starred, "
      + "whoever marked them. opened is how many unread ones you have opened on this machine, since "
      + "it is noted; --no-history notes nothing, and `news clear --history` forgets it. Nobody "
      + "else is told.",
    "A feed is \"always failing\" if it failed last time and never succeeded in this period. "
      + "What a 304 saved is the size of the feed's last document.",
    "The charts use Unicode block characters in UTF-8 locales, and ASCII otherwise.",
  ]
  static let json: JSONForm? = .object("what the pictures show", StatsJSON.fields)

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      let feed = ShellWord.proposed(context.arguments.operands[0], or: "FEED")
      throw usage("stats takes options only; for a feed: news stats --feed \(feed)")
    }
    let statistics = try statistics()
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(StatsJSON.fields, statistics).description)
    } else if statistics.isEmpty {
      let isChosen = context.arguments.has("feed") || context.arguments.has("since")
      context.say(
        isChosen ? "nothing is known of this time" : "nothing has run yet (`news refresh`)"
      )
    } else {
      Pager(context).print(paragraphs: StatsPrinter(context, statistics).paragraphs())
    }
    return .done
  }

  private func statistics() throws -> Statistics {
    let store = try context.store()
    let library = try store.read()
    let chosen = try context.chosenFeeds(library.subscriptions)
    let now = context.clock.date
    let since = try context.instant("since", .start) ?? fourWeeks(before: now)
    let period = Period(
      since: Date(timeIntervalSince1970: Double(since)),
      until: now,
      clock: context.clock,
    )
    // A damaged record of looks counts as none: the next look mends it.
    let habits = try? store.habits()
    let opened = library.subscriptions.map { ($0.url, habits?.opened(of: $0) ?? 0) }
    return Statistics(
      period: period,
      runs: try chosen == nil ? RunStatistics(store.ledger(), period) : nil,
      stories: try StoryStatistics(
        library.items,
        of: chosen.map { Set($0.map(\.url)) },
        period,
        names: FeedName(library),
        opened: Dictionary(opened) { $0 + $1 },
      ),
      visits: chosen == nil ? habits?.percentages(at: now) : nil,
      failing: period.alwaysFailing(chosen ?? library.subscriptions),
      remotes: chosen == nil ? try store.syncRemotes() : [],
      apps: chosen == nil ? try store.servingAccount() : nil,
    )
  }

  private func fourWeeks(before now: Date) -> Int {
    var day = context.clock.civilTime(of: now).startOfDay
    day.day -= 27
    return context.clock.seconds(day) ?? now.wholeSeconds - 28 * 86_400
  }
}

enum StatsJSON {
  static let fields: [JSONField<Statistics>] = [
    JSONField("since", "as YYYY-MM-DDTHH:MM:SSZ") { .date($0.period.since) },
    JSONField("until", "now") { .date($0.period.until) },
    JSONField("days", "those with a run, the first one first", array: dayFields) {
      $0.runs?.days ?? []
    },
    JSONField("durations", "of the runs; null with --feed", object: durationFields) {
      $0.runs
    },
    JSONField("requests", "of the runs; null with --feed", object: requestFields) {
      $0.runs
    },
    JSONField("feeds", "those with a story, the most first", array: feedFields) {
      $0.stories.feeds
    },
    JSONField("hours", "stories by hour of the week: an array of 24 for each day, Sunday first") {
      week($0.stories.hours)
    },
    JSONField(
      "looks",
      "how probable it is that you look, in percent, in the same form; null with --feed, and as long "
        + "as nobody knows",
    ) { $0.visits.map(week) ?? .null },
    JSONField("failing", "feeds that failed all the time", array: failingFields) {
      $0.failing
    },
    JSONField("sync", "what it synchronizes with; of all time", array: remoteFields) { $0.remotes },
    JSONField(
      "apps",
      "of `news serve`; null with --feed, and without a password",
      object: appFields,
    ) {
      $0.apps
    },
  ]

  private static let appFields: [JSONField<ServingAccount>] = [
    JSONField("logIns", "how often an app has logged in with this password") {
      .integer($0.logIns)
    },
    JSONField("lastLogIn", "when the last one did; null before") { .date($0.lastLogIn) },
  ]

  private static let remoteFields: [JSONField<SyncRemote>] = [
    JSONField("name", "as it was added") { .string($0.name) },
    JSONField("times", "how often it has worked") { .integer($0.times) },
    JSONField("sent", "changes of this home that went there") { .integer($0.sent) },
    JSONField("taken", "changes of others that came from there") { .integer($0.taken) },
  ]

  private static let dayFields: [JSONField<RunStatistics.Day>] = {
    var fields: [JSONField<RunStatistics.Day>] = [
      JSONField("day", "as YYYY-MM-DD") { .string($0.text) }
    ]
    for outcome in RunStatistics.outcomes {
      fields.append(
        JSONField(outcome.rawValue, "runs with this outcome") {
          .integer($0.counts[outcome, default: 0])
        }
      )
    }
    return fields
  }()

  private static let durationFields: [JSONField<RunStatistics>] = [
    JSONField("median", "seconds that half of the runs did not exceed; null without runs") {
      $0.percentile(50).map { .seconds($0) } ?? .null
    },
    JSONField("percentile95", "the same of 95 % of them") {
      $0.percentile(95).map { .seconds($0) } ?? .null
    },
    JSONField("histogram", "the runs by duration", array: bucketFields) { $0.histogram },
  ]

  private static let bucketFields: [JSONField<RunStatistics.Bucket>] = [
    JSONField(
      "below",
      "took less than so many seconds, and not less than the one before; null: any",
    ) {
      $0.below.map { .seconds($0) } ?? .null
    },
    JSONField("runs", "how many") { .integer($0.runs) },
  ]

  private static let requestFields: [JSONField<RunStatistics>] = [
    JSONField("requests", "HTTP requests, redirects included") { .integer($0.requests) },
    JSONField("unchanged", "those that were answered 304") { .integer($0.unchanged) },
    JSONField("bytes", "of all bodies after decompression") { .integer($0.bytes) },
    JSONField("saved", "bytes that the other bodies had when they last came") {
      .integer($0.savedBytes)
    },
  ]

  private static let feedFields: [JSONField<StoryStatistics.Feed>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.url)) },
    JSONField("title", "what it is called") { .string($0.name) },
    JSONField("stories", "how many") { .integer($0.stories) },
    JSONField("read", "how many of them are read") { .integer($0.read) },
    JSONField("starred", "how many of them are starred") { .integer($0.starred) },
    JSONField("opened", "unread stories that you have opened on this machine, of all time") {
      .integer($0.opened)
    },
  ]

  private static let failingFields: [JSONField<Subscription>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.url)) },
    JSONField("title", "what it is called") { .string(FeedName.printable($0)) },
    JSONField("lastSucceeded", "as YYYY-MM-DDTHH:MM:SSZ; null when it never did") {
      .date($0.state.lastSucceeded)
    },
    JSONField("failures", "how many times in a row it has failed") { .integer($0.state.failures) },
    JSONField("error", "why it failed the last time") { .text($0.state.lastError) },
  ]

  private static func week(_ hours: [Int]) -> PrintedJSON {
    .array((0..<7).map { .array(hours[$0 * 24..<$0 * 24 + 24].map { .integer($0) }) })
  }
}
