import CommandLine
import CommandSupport
import FeedModel
import FeedStorage

struct FeedHealthPrinter {
  let context: CommandContext

  static let fields: [JSONField<FeedHealth>] = [
    JSONField("url", "without user and password") { .string(WebURL.redacted($0.subscription.url)) },
    JSONField("title", "your name for it, else its own; null before it was first asked") {
      .text($0.subscription.title ?? $0.subscription.state.title)
    },
    JSONField("link", "its web page") { .text($0.subscription.page.map(SafeLink.absolute)) },
    JSONField("icon", "the file of its icon, once an app of news serve has logged in; else null") {
      .text($0.icon)
    },
    JSONField("tags", "an array of strings") { .strings($0.subscription.tags) },
    JSONField("passwordCommand", "whether a command says its password") {
      .boolean($0.subscription.passwordCommand != nil)
    },
    JSONField("headers", "the names of headers that are sent to its site alone") {
      .strings($0.subscription.headers.fields.map(\.name))
    },
    JSONField("headerCommand", "whether a command says more of them") {
      .boolean($0.subscription.headers.command != nil)
    },
    JSONField("proxy", "its own proxy without user and password, or none; null for the usual one") {
      .text($0.subscription.route.proxy.map { WebURL.redacted($0) })
    },
    JSONField("ca", "the file of the certificates that its server is trusted by, null mostly") {
      .text($0.subscription.route.authorities)
    },
    JSONField("certificate", "the file of your certificate that its server is shown, null mostly") {
      .text($0.subscription.route.certificate)
    },
    JSONField("command", "what is run for its document; null for a URL or a file") {
      .text(CommandURL.command(of: WebURL.redacted($0.subscription.url)))
    },
    JSONField("filter", "the command through which its document goes, null without") {
      .text($0.subscription.filter.map { WebURL.redacted($0) })
    },
    JSONField(
      "settings",
      "what is set for it alone; null where nothing is",
      object: FeedSetting.fields,
    ) {
      $0.subscription.settings == FeedSettings() ? nil : $0.subscription.settings
    },
    JSONField("stories", "how many are stored") { .integer($0.activity.stories) },
    JSONField("unread", "how many of them are not read") { .integer($0.activity.unread) },
    JSONField("newest", "the date of the newest story, as YYYY-MM-DDTHH:MM:SSZ") {
      .date(newest($0))
    },
    JSONField("interval", "seconds between stories on average, null when nobody can tell") {
      .number($0.interval)
    },
    JSONField("outcome", "of the last time: newData, noData or failed; null before") {
      .text($0.subscription.state.lastOutcome?.rawValue)
    },
    JSONField("status", "of the last answer") { .number($0.subscription.state.lastStatus) },
    JSONField("error", "why it failed the last time, null when it did not") {
      .text($0.error)
    },
    JSONField("cutOff", "whether its last document was cut off: its whole stories are kept") {
      .boolean($0.subscription.state.isCutOff)
    },
    JSONField("failures", "how many times in a row it has failed") {
      .integer($0.subscription.state.failures)
    },
    JSONField("gone", "whether its server said that it is gone (410): it is not asked any more") {
      .boolean($0.subscription.state.isGone)
    },
    JSONField("lastAsked", "as YYYY-MM-DDTHH:MM:SSZ") { .date($0.subscription.state.lastAsked) },
    JSONField("lastSucceeded", "as YYYY-MM-DDTHH:MM:SSZ") {
      .date($0.subscription.state.lastSucceeded)
    },
    JSONField(
      "nextDue",
      "when fetch --due asks it next, as YYYY-MM-DDTHH:MM:SSZ; null when it is due or never asked",
    ) { .date($0.nextDate) },
    JSONField("retryAfter", "a server asked to wait until then, as YYYY-MM-DDTHH:MM:SSZ") {
      .date($0.retryTime?.until)
    },
    JSONField("retryAfterServer", "which server asked for that, as https://example.com") {
      .text($0.retryTime?.server)
    },
    JSONField("server", "whose stories are taken in place of its own; null mostly") {
      .text($0.subscription.state.server)
    },
    JSONField("oldest", "the date of the oldest story that refresh --older has met; null mostly") {
      .date($0.subscription.state.older?.oldest)
    },
    JSONField("olderEnd", "why that brings nothing older; null while there may be more") {
      .text($0.subscription.state.older?.end.map { SafeText.line($0) })
    },
    JSONField("list", "the URL of the list that brought it, and may take it away; null mostly") {
      .text($0.subscription.list.map { WebURL.redacted($0) })
    },
    JSONField(
      "newLocation",
      "where its document says that it lives now; it is followed once the same stories are there; "
        + "of a feed that has failed for days, which feed its site names now",
    ) {
      let state = $0.subscription.state
      return .text((state.newAddress ?? state.announcedMove?.url).map { WebURL.redacted($0) })
    },
    JSONField("refused", "what servers that it is synced with refused", array: NamedRefusal.fields)
    {
      $0.refusals
    },
  ]

  func print(_ feeds: [FeedHealth]) {
    if context.isJSON {
      context.output.printJSON(feeds, Self.fields)
    } else if !context.isOnTerminal {
      let style = context.style
      let names = twins(feeds)
      for feed in feeds {
        context.output.printFields(texts(feed, names)) { column, text in
          column == 1 ? style.bold(text) : column == 7 ? style.red(text) : text
        }
      }
    } else if !feeds.isEmpty {
      let lines = FeedTable(context: context, feeds: feeds).lines()
      Pager(context).print(lines.map { $0 + "\n" })
    }
  }

  /// Returns names for feeds that share a URL without user and password, and so need more.
  private func twins(_ feeds: [FeedHealth]) -> [String: String] {
    let uses = Dictionary(grouping: feeds) { WebURL.redacted($0.subscription.url) }
    return FeedName.distinct(uses.values.filter { $0.count > 1 }.joined().map(\.subscription))
  }

  private func texts(_ feed: FeedHealth, _ names: [String: String]) -> [String] {
    let state = feed.subscription.state
    let dates = [state.lastAsked, feed.nextDate, Self.newest(feed)]
      .map { $0.map(RFC3339.string) ?? "" }
    return [
      WebURL.redacted(feed.subscription.url),
      names[feed.subscription.url] ?? feed.subscription.displayTitle,
      state.lastOutcome?.rawValue ?? "", String(feed.activity.stories),
      String(feed.activity.unread), dates[0], dates[1], feed.error ?? "", dates[2],
      feed.interval.map(String.init) ?? "", feed.subscription.tags.joined(separator: ", "),
      feed.marks.map(\.rawValue).joined(separator: ", "),
    ]
  }

  private static func newest(_ feed: FeedHealth) -> Date? {
    feed.activity.newest.map { Date(timeIntervalSince1970: Double($0)) }
  }
}

struct FeedTable {
  let context: CommandContext
  let feeds: [FeedHealth]

  private struct Field {
    let column: TextTable.Column
    var least = 0
    let text: (FeedHealth) -> String
  }

  func lines() -> [String] {
    let fields = fields.filter { $0.least <= context.columns }
    let table = context.table(fields.map(\.column))
    let lines = table.lines(shortened(feeds.map { feed in fields.map { $0.text(feed) } }, table))
    return lines.enumerated().flatMap { index, line in
      guard index > 0 else { return [line] }
      let feed = feeds[index - 1]
      let move = feed.subscription.state.newAddress.map {
        FailureAdvice.move(feed.subscription.url, to: $0).line
      }
      let refusals = feed.refusals.map { $0.text(RelativeDate(clock: context.clock)) }
      let troubles = [trouble(feed), move].compactMap(\.self) + refusals
      return [line]
        + troubles.map { context.style.red(TerminalText.cut("  " + $0, to: context.columns)) }
    }
  }

  private func shortened(_ rows: [[String]], _ table: TextTable) -> [[String]] {
    let names = Set(rows.map { $0[0] })
    let short = ShortFeedNames(names, among: names, columns: table.width(of: 0, in: rows))
    return rows.map { [short.name($0[0])] + $0.dropFirst() }
  }

  private var fields: [Field] {
    let names = FeedName.distinct(feeds.map(\.subscription))
    let dates = RelativeDate(clock: context.clock)
    let newest = dates.agreeing(on: feeds.compactMap(\.activity.newest))
    let asked = dates.agreeing(on: feeds.compactMap(\.subscription.state.lastAsked?.wholeSeconds))
    var fields = [
      Field(column: .init("feed", shrinks: true)) {
        names[$0.subscription.url] ?? FeedName.printable($0.subscription)
      },
      Field(column: .init("unread", isRight: true)) { String($0.activity.unread) },
    ]
    // What they are sorted by is there in any window.
    let order = context.arguments.value(FeedSorting.option.name)
    if order == FeedSorting.read.rawValue {
      fields.append(Field(column: .init("read", isRight: true)) { $0.activity.readText })
    }
    fields += [
      Field(column: .init("stories", isRight: true), least: 60) { String($0.activity.stories) },
      Field(column: .init("posts"), least: order == FeedSorting.activity.rawValue ? 0 : 70) {
        $0.interval.map(PostingRate.text) ?? ""
      },
      Field(column: .init("newest"), least: 100) { $0.activity.newest.map(newest.text) ?? "" },
      Field(column: .init("last"), text: \.outcomeText),
      Field(column: .init("asked"), least: 100) { feed in
        feed.subscription.state.lastAsked.map { asked.text($0.wholeSeconds) } ?? ""
      },
      Field(column: .init("next"), least: 50) { feed in
        feed.next.map(dates.dueText) ?? ""
      },
    ]
    if feeds.contains(where: { !marks($0).isEmpty }) {
      fields.append(Field(column: .init("marks"), text: marks))
    }
    if feeds.contains(where: { !$0.subscription.tags.isEmpty }) {
      let tags = Field(column: .init("tags", shrinks: true), least: 120) {
        $0.subscription.tags.map { SafeText.line($0) }.joined(separator: ", ")
      }
      fields.append(tags)
    }
    return fields
  }

  /// Returns the marks that the column of outcomes does not tell.
  private func marks(_ feed: FeedHealth) -> String {
    feed.marks.map(\.rawValue).filter { $0 != feed.outcomeText }.joined(separator: ", ")
  }

  private func trouble(_ feed: FeedHealth) -> String? {
    let state = feed.subscription.state
    let waiting = feed.retryTime.map { RelativeDate(clock: context.clock).askedToWait($0) }
    guard let error = feed.error ?? (state.isCutOff ? FeedState.cutOffWords : nil) else {
      return waiting
    }
    var times = state.failures > 1 ? " (\(state.failures) times)" : ""
    if let waiting { times += "; \(waiting)" }
    return "\(SafeText.line(error))\(times): \(WebURL.printable(feed.subscription.url))"
  }
}

enum PostingRate {
  private static let units: [(seconds: Double, name: String)] = [
    (86_400, "day"), (604_800, "week"), (2_629_746, "month"),
    (31_556_952, "year"),
  ]

  /// Returns words of at most nine columns for a story every `interval` seconds.
  static func text(interval: Int) -> String {
    for unit in units {
      let rate = unit.seconds / Double(max(interval, 1))
      guard rate > 0.95 else { continue }
      return rate > 999 ? "> 999/day" : "\(Int(rate.rounded())) a \(unit.name)"
    }
    return "rarely"
  }
}
