import CommandLine
import CommandSupport
import FeedModel
import FeedStorage

struct StatsPrinter {
  private let context: CommandContext
  private let statistics: Statistics
  private let plot: Plot

  private static let mostFeeds = 20
  private static let outcomeColumns = 11

  init(_ context: CommandContext, _ statistics: Statistics) {
    self.context = context
    self.statistics = statistics
    plot = context.plot
  }

  private var style: Style { context.style }

  func paragraphs() -> [[String]] {
    let runs = statistics.runs.flatMap { $0.days.isEmpty ? nil : $0 }
    return [
      period(), runs.map(days), feeds(), reading(), hours(), visits(), failing(),
      runs.flatMap(requests), remotes(), apps(),
    ].compactMap(\.self)
  }

  private func heading(_ text: String) -> [String] {
    TerminalText.wrap(text, to: context.columns).map(style.bold)
  }

  private func period() -> [String]? {
    let period = statistics.period
    let count = period.day(of: period.until) - period.day(of: period.since) + 1
    let dates = [period.since, period.until].map { period.clock.civilTime(of: $0).dateText }
    let chosen = context.arguments.values("feed").map { SafeText.line($0) }
    let feeds = chosen.isEmpty ? "" : ", --feed \(chosen.joined(separator: ", "))"
    return heading("\(dates[0]) to \(dates[1]), \(Count.of(count, "day"))\(feeds)")
  }

  private func days(_ runs: RunStatistics) -> [String] {
    let outcomes = RunStatistics.outcomes
    let totals = outcomes.map { String(runs.count($0)) }
    let margin = Self.outcomeColumns + (totals.map(\.count).max() ?? 0) + 2
    let room = max(plot.columns - margin, 1)
    let step = runs.step(atMost: room)
    let counts = outcomes.map { runs.counts($0, every: step) }
    let most = counts.joined().max() ?? 0
    let width = min(max(room / counts[0].count, 1), 3)
    let styles = [style.green, style.dim, style.red]
    let rows = outcomes.indices.map { number in
      let total = TerminalText.right(totals[number], in: margin - Self.outcomeColumns - 2)
      let row = plot.row(counts[number], most: most, width: width)
      let name = TerminalText.fit(NewsCount.word(outcomes[number]), to: Self.outcomeColumns)
      return Plot.beside(name + " " + total, row, style: styles[number])
    }
    let axis = TerminalText.spaces(margin) + axis(runs.days, columns: counts[0].count * width)
    return heading("runs by \(step == 1 ? "day" : "\(step) days") (\(plot.full) is \(most))") + rows
      + (axis.count > context.columns ? [] : [style.dim(axis)])
  }

  private func axis(_ days: [RunStatistics.Day], columns: Int) -> String {
    guard days.count > 1 else { return days[0].text }
    return days[0].text + TerminalText.spaces(max(columns - 20, 1)) + days[days.count - 1].text
  }

  private func feeds() -> [String]? {
    let feeds = statistics.stories.feeds
    guard !feeds.isEmpty else { return nil }
    let shown = feeds.prefix(Self.mostFeeds)
    let (names, all) = (Set(shown.map(\.name)), Set(feeds.map(\.name)))
    let short = ShortFeedNames(names, among: all, columns: plot.mostLabelColumns)
    let bars = shown.map { feed in
      Plot.Bar(label: short.name(feed.name), value: feed.stories, amount: String(feed.stories))
    }
    return heading("stories by feed") + plot.bars(bars, style: style.cyan) + more(feeds.count)
  }

  /// Shows what is read of each feed, the greatest share first, and names feeds that nobody reads.
  private func reading() -> [String]? {
    let feeds = statistics.stories.feeds
    let used = feeds.filter { !$0.isUnused }.sorted {
      ($1.read * $0.stories, $0.name) < ($0.read * $1.stories, $1.name)
    }
    guard !used.isEmpty else { return nil }
    let table = context.table([
      .init("feed", shrinks: true), .init("read", isRight: true),
      .init("opened", isRight: true, rank: 1), .init("starred", isRight: true, rank: 2),
    ])
    let rows = used.prefix(Self.mostFeeds).map { feed in
      [feed.name, "\(feed.read * 100 / feed.stories) %", "\(feed.opened)", "\(feed.starred)"]
    }
    let unused = feeds.filter(\.isUnused).map(\.name)
    let rest = unused.count > 10 ? " and \(unused.count - 10) more" : ""
    let never = "never read: " + unused.prefix(10).joined(separator: ", ") + rest
    let lines = unused.isEmpty ? [] : TerminalText.wrap(never, to: context.columns)
    return heading("what you read") + table.lines(rows) + more(used.count)
      + lines.map { TerminalText.cut($0, to: context.columns) }
  }

  private func more(_ count: Int) -> [String] {
    let rest = count - Self.mostFeeds
    return rest > 0 ? [style.dim("and \(Count.of(rest, "more feed", "more feeds"))")] : []
  }

  private func hours() -> [String]? {
    let hours = statistics.stories.hours
    guard let most = hours.max(), most > 0 else { return nil }
    let total = Count.stories(statistics.stories.total)
    return heading("\(total) by hour of the week (\(plot.full) is \(most))")
      + plot.heatMap(hours, most: most, style: style.cyan)
  }

  private func visits() -> [String]? {
    guard let visits = statistics.visits, let most = visits.max(), most > 0 else { return nil }
    return heading("when you look (\(plot.full) is a probability of \(most) %)")
      + plot.heatMap(visits, most: most, style: style.green)
  }

  private func failing() -> [String]? {
    let all = statistics.failing
    guard !all.isEmpty else { return nil }
    let dates = RelativeDate(clock: context.clock)
    let feeds = all.prefix(Self.mostFeeds)
    let rows = feeds.map { feed in
      let last = feed.state.lastSucceeded.map { dates.text($0.wholeSeconds) }
      return [FeedName.printable(feed), last ?? "never", String(feed.state.failures)]
    }
    let table = context.table([
      .init("feed", shrinks: true), .init("worked", rank: 1),
      .init("failures", isRight: true, rank: 2),
    ])
    let reasons = feeds.map { feed in
      let text = SafeText.line(feed.state.lastError ?? "nobody knows why")
      return style.red(TerminalText.cut("  " + text, to: context.columns))
    }
    let lines = table.lines(rows)
    return heading("feeds that always fail: \(all.count)") + lines.prefix(1)
      + zip(lines.dropFirst(), reasons).flatMap { [$0, $1] } + more(all.count)
  }

  private func remotes() -> [String]? {
    let remotes = statistics.remotes.filter { $0.times > 0 }
    guard !remotes.isEmpty else { return nil }
    let table = context.table([
      .init("remote", shrinks: true), .init("times", isRight: true),
      .init("sent", isRight: true), .init("taken", isRight: true),
    ])
    return heading("synchronized since it was added")
      + table.lines(remotes.map { [$0.name, "\($0.times)", "\($0.sent)", "\($0.taken)"] })
  }

  private func apps() -> [String]? {
    guard let apps = statistics.apps, let last = apps.lastLogIn else { return nil }
    let date = RelativeDate(clock: context.clock).text(last.wholeSeconds)
    return heading("apps: \(Count.of(apps.logIns, "log-in")) with this password, the last \(date)")
  }

  private func requests(_ runs: RunStatistics) -> [String]? {
    guard runs.unchanged > 0 else { return nil }
    let share = min(runs.unchanged, runs.requests) * 100 / max(runs.requests, 1)
    let bars = [("saved", runs.savedBytes), ("came", runs.bytes)].map { name, bytes in
      Plot.Bar(label: name, value: bytes, amount: ByteCount.text(bytes))
    }
    return heading(
      "conditional requests: \(runs.unchanged) of \(runs.requests) answered 304 (\(share) %)"
    ) + plot.bars(bars, style: style.green)
  }
}
