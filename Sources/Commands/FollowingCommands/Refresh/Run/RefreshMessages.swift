import CommandLine
import CommandSupport
import FeedModel
package import FeedStorage
import FeedUpdating

struct RefreshMessages {
  private let context: CommandContext
  private let form: FailureForm
  private let dates: RelativeDate

  init(_ context: CommandContext, _ form: FailureForm) {
    self.context = context
    self.form = form
    dates = RelativeDate(clock: context.clock)
  }

  func print(_ report: RefreshReport) throws {
    if report.gaveWay { return }
    if report.subscribed == 0, report.storageError == nil { throw Failure.noSubscriptions }
    for line in failures(report) { context.complain(line) }
    if context.isVerbose { sayDetails(report) }
    for feed in report.feeds where feed.movedTo != nil { context.say(Self.move(feed)) }
    for feed in report.feeds where feed.isAllNew { context.say(Self.allNew(feed)) }
    if report.wasInterrupted {
      context.complain("interrupted; what arrived so far is saved")
    } else if report.storageError == nil, report.outcome != .failed {
      sayNothingNew(report)
    }
  }

  func status(_ report: RefreshReport) -> ExitStatus {
    report.wasInterrupted || report.outcome == .failed ? .failed : .done
  }

  /// Speaks where `refresh` on a terminal would print nothing at all.
  private func sayNothingNew(_ report: RefreshReport) {
    guard form == .advice, report.newItems.isEmpty, context.environment.terminal.isErrorTerminal,
      context.isOnTerminal, !context.isJSON
    else { return }
    if report.asked == 0, report.unasked.isEmpty, context.arguments.has("failing") {
      return context.say("no feed fails")
    }
    if report.asked == 0, report.isOnlyDue { return context.say("no feed is due") }
    guard report.asked > 0 else { return }
    let changed = report.changed > 0 ? ", \(report.changed) changed" : ""
    context.say("nothing new in \(Count.of(report.asked - report.failed, "feed"))\(changed)")
  }

  private func sayDetails(_ report: RefreshReport) {
    for feed in report.feeds { context.say(detail(feed)) }
    for feed in report.unasked { context.say(unasked(feed)) }
  }

  /// Returns `https://…: 3 new, 3 stored, 0 updated; asked because all feeds were; due in 1 h`.
  private func detail(_ feed: FeedReport) -> String {
    var text = "\(WebURL.printable(feed.url)): "
    text += NewsCount.text(feed.outcome, feed.new, feed.changed)
    text += ", \(feed.stored) stored, \(feed.updated) updated"
    text += feed.filtered > 0 ? ", \(feed.filtered) dropped by rules" : ""
    text += feed.readOld > 0 ? ", \(feed.readOld) read for their age" : ""
    text += "; asked because \(reason(feed))"
    if let next = feed.nextTry.map(\.wholeSeconds) { text += "; due \(dates.dueText(next))" }
    for note in feed.notes { text += "\n    \(SafeText.line(note))" }
    return text
  }

  private func reason(_ feed: FeedReport) -> String {
    if context.arguments.has("failing") { return "it failed" }
    guard context.arguments.has("due") else {
      return context.arguments.operands.isEmpty ? "all feeds were" : "it was named"
    }
    guard let due = feed.wasDue else { return "it never was before" }
    return "it was due at \(dates.clockText(due.wholeSeconds))"
  }

  private func unasked(_ feed: UnaskedFeed) -> String {
    let reason =
      switch feed.reason {
      case .notDue(let until?): "not due before \(dates.clockText(until.wholeSeconds))"
      case .notDue(nil): "not due"
      case .askedToWait(let retryTime): dates.askedToWait(retryTime)
      case .ofServer(let name): "its stories come from \(name)"
      case .saved: "its stories are pages that you saved"
      case .gone: "its server said that it is gone for good (410)"
      case .paused: "you have paused it"
      case .left: "the run's time was over"
      }
    return "\(WebURL.printable(feed.url)): not asked, \(reason)"
  }

  private static func allNew(_ feed: FeedReport) -> String {
    let new = feed.new == feed.stored ? "" : ", \(feed.new) of them new"
    return "\(WebURL.printable(feed.url)): delivered everything as new; "
      + "\(Count.stories(feed.stored)) stored\(new)"
  }

  private static func move(_ feed: FeedReport) -> String {
    let place = WebURL.printable(feed.movedTo ?? "")
    return "\(WebURL.printable(feed.url)): moved for good to \(place)"
  }
}

enum FailureForm: Hashable, Sendable {
  case lines
  /// A line each, with advice; one for many that fail for the same reason.
  case advice
}

extension RefreshMessages {
  func failures(_ report: RefreshReport) -> [String] {
    var lines: [String] = []
    if let error = report.storageError { lines.append(error) }
    let unreached = report.feeds.filter(\.isOffline)
    if let feed = unreached.first { lines.append(offline(feed, unreached.count)) }
    let failed = report.feeds.filter { $0.outcome == .failed && $0.error != nil && !$0.isOffline }
    lines += form == .lines ? failed.map(line) : grouped(failed)
    // A timer need not be told of a feed that waits.
    if !report.isOnlyDue { lines += waiting(report.unasked) }
    if form != .lines { lines += gone(report.unasked) }
    let clock = ServerClock.complaint(report.feeds.compactMap(\.clockLead))
    return lines + report.warnings + [clock].compactMap(\.self)
  }

  /// Returns `17 feeds: timed out after 10 s while connecting to …: A, B and 15 more`.
  private func grouped(_ feeds: [FeedReport]) -> [String] {
    let cause = { (feed: FeedReport) in SharedCause.text(feed.error ?? "", of: feed.url) }
    return SharedCause.groups(feeds, by: cause).map { group in
      guard group.count > 1 else { return line(group[0]) }
      let reason = SafeText.line(cause(group[0]))
      let names = SharedCause.names(
        group.map { Subscription.printableName(title: $0.title, url: $0.url) }
      )
      return "\(group.count) feeds: \(reason): \(names); what to do: `news doctor`"
    }
  }

  private func line(_ feed: FeedReport) -> String {
    let error = feed.error ?? ""
    let next = feed.nextTry.map { "; next try after \(dates.clockText($0.wholeSeconds))" } ?? ""
    let advice = form == .advice ? FailureAdvice.about(feed).map { "; \($0.line)" } ?? "" : ""
    return "\(WebURL.printable(feed.url)): \(SafeText.line(error))\(next)\(advice)"
  }

  /// Returns a line for each server: some have hundreds of feeds.
  private func waiting(_ feeds: [UnaskedFeed]) -> [String] {
    feeds.compactMap(\.retryTime?.server).distinct(by: \.self)
      .compactMap { server in line(feeds.filter { $0.retryTime?.server == server }) }
  }

  private func line(_ feeds: [UnaskedFeed]) -> String? {
    guard let retryTime = feeds.compactMap(\.retryTime).max(by: { $0.until < $1.until }) else {
      return nil
    }
    let url = WebURL.printable(feeds[0].url)
    let whom = feeds.count == 1 ? "\(url) was" : "\(feeds.count) feeds were"
    let name = feeds.count == 1 ? " \(ShellWord.proposed(feeds[0].url, or: "FEED"))" : ""
    return
      "\(dates.askedToWait(retryTime)): \(whom) not asked; to insist: `news refresh --force\(name)`"
  }

  private func gone(_ feeds: [UnaskedFeed]) -> [String] {
    feeds.filter { $0.reason == .gone }.map { feed in
      let url = WebURL.printable(feed.url)
      return "\(url): not asked, its server said that it is gone for good (410); to leave it: "
        + "`news unsubscribe \(ShellWord.proposed(feed.url, or: "FEED"))`"
    }
  }

  private func offline(_ feed: FeedReport, _ count: Int) -> String {
    let reason = feed.error.map { " (\(SafeText.line($0)))" } ?? ""
    return "this machine seems to be offline: none of \(count) feeds was reached\(reason)"
  }
}

extension RelativeDate {
  package func askedToWait(_ retryTime: RetryTime) -> String {
    let until = clockText(retryTime.until.wholeSeconds)
    return "\(SafeText.line(retryTime.server)) asked to wait until \(until) (\(retryTime.status))"
  }
}
