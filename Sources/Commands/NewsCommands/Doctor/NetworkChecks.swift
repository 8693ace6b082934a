import CommandLine
import CommandSupport
import FeedFetching
import FeedLibrary
import FeedModel
import FeedStorage
import FollowingCommands

/// Checks that the hosts of the feeds answer: one request to each, and no body is read.
struct NetworkChecks {
  let context: CommandContext
  let library: Library

  private static let maximumHosts = 10
  private static let timeout = Duration.seconds(10)

  private struct Answer: Sendable {
    let host: String
    let outcome: FetchOutcome
    /// Seconds since 1970.
    let time: Double
  }

  func findings() -> [Finding] {
    let hosts = hosts()
    guard !hosts.isEmpty else {
      return [
        .note(
          "network",
          "nobody to ask: no feed is on the web, or its host wants to be left in peace",
        )
      ]
    }
    let answers = ask(hosts)
    let failed = answers.filter { Self.failure($0) != nil }
    var findings =
      failed.count == answers.count && answers.allSatisfy(Self.isUnreachable)
      ? [offline(answers)] : failed.compactMap(unreachable)
    let reached = answers.count - failed.count
    if reached > 0 {
      findings.insert(.ok("network", "\(Count.of(reached, "host")) answered"), at: 0)
    }
    if let clock = ServerClock.finding(answers.compactMap(Self.difference)) {
      findings.append(clock)
    }
    return findings
  }

  private func hosts() -> [(host: String, feed: Subscription)] {
    let moment = RefreshMoment(context.clock.date, library.retryTimes)
    var seen: Set<String> = []
    var hosts: [(String, Subscription)] = []
    for feed in library.subscriptions
    where WebURL.isWeb(feed.url) && !feed.state.isGone && feed.state.server == nil {
      guard let host = WebURL.host(of: feed.url), seen.insert(host).inserted else { continue }
      if moment.retryTime(of: feed.url) != nil { continue }
      hosts.append((host, feed))
      if hosts.count == Self.maximumHosts { break }
    }
    return hosts
  }

  private func ask(_ hosts: [(host: String, feed: Subscription)]) -> [Answer] {
    var options = context.fetchOptions(library: library)
    options.deadline = .now + Self.timeout
    options.connectTimeout = .seconds(5)
    let cancellation = context.cancellation()
    let clock = context.clock
    let requests = hosts.map { host in
      var request = FetchRequest(host.feed, validators: host.feed.state.validators, index: 0)
      // No password is sent: a refusal is an answer, too.
      request.forgetSecrets()
      request.route = host.feed.route
      request.content = .none
      return request
    }
    let names = hosts.map(\.host)
    let answers = context.makeFetcher().answers(
      to: requests,
      options: options,
      cancellation: cancellation,
      make: { request, outcome, _ in
        Answer(host: names[request.index], outcome: outcome, time: clock.now())
      },
    )
    return answers.compactMap(\.self).sorted { $0.host < $1.host }
  }

  /// Returns why a host was not reached; nil for an answer, whatever it is.
  private static func failure(_ answer: Answer) -> FetchError? {
    guard let error = answer.outcome.error, error != .stoppedByReceiver, error.status == nil,
      answer.outcome.response?.status == nil
    else { return nil }
    return error
  }

  private static func isUnreachable(_ answer: Answer) -> Bool {
    answer.outcome.error?.isNetworkUnreachable ?? false
  }

  private static func difference(_ answer: Answer) -> Double? {
    answer.outcome.response?.freshness.clockLead(at: Date(timeIntervalSince1970: answer.time))
  }

  private func offline(_ answers: [Answer]) -> Finding {
    let first = answers.first { $0.outcome.error != nil }
    let reason = first?.outcome.error.map { " (\($0))" } ?? ""
    var finding = Finding.wrong(
      "network",
      SafeText.line("none of \(Count.of(answers.count, "host")) was reached\(reason)"),
      "connect this machine; behind a proxy, set http_proxy and https_proxy",
    )
    finding.cause = first.flatMap(Self.cause)
    return finding
  }

  private func unreachable(_ answer: Answer) -> Finding? {
    guard let error = Self.failure(answer) else { return nil }
    let advice =
      switch error {
      case .tls(.expired), .tls(.notYetValid): "see that this machine's clock is right: date"
      case .tls: "see that certificates are installed: apt-get install ca-certificates"
      case .nameUnknown: "see that the feed's URL is right: news feeds"
      case .privateNetwork: "if you want it there: news subscribe --allow-private URL"
      case .proxyNotResolved, .proxyFailed: "see that http_proxy and https_proxy are right"
      default: "wait, and try again: news refresh -v \(ShellWord.asNeeded(answer.host))"
      }
    var finding = Finding.wrong(SafeText.line(answer.host), SafeText.line("\(error)"), advice)
    finding.cause = Self.cause(answer)
    return finding
  }

  private static func cause(_ answer: Answer) -> String? {
    answer.outcome.error.map { error in
      SharedCause.text(SafeText.line("\(error)"), of: "http://\(answer.host)/")
    }
  }
}
