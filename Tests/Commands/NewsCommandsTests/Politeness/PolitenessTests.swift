import FeedFetching
import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedLibrary

/// Two weeks of `news fetch --due` against a simulated web, over real sockets, judged by the
/// servers' logs.
@Suite("Politeness")
struct PolitenessTests {
  private static let timer = 15 * 60.0
  /// The time for which the machine sleeps: from the tenth day to the twelfth.
  private static let sleep = (SimulatedWeb.start + 10 * 86_400)..<(SimulatedWeb.start + 12 * 86_400)

  @Test("two simulated weeks meet every criterion, and the page on servers has the score")
  func score() throws {
    let weeks = try Self.observe()
    let criteria = PolitenessCriteria(weeks: weeks).all
    for criterion in criteria {
      let mark = criterion.isMet ? "pass" : "FAIL"
      print("\(mark)  \(criterion.name): \(criterion.evidence)")
      #expect(criterion.isMet, "\(criterion.name): \(criterion.evidence)")
    }
    let score = "\(criteria.count(where: \.isMet)) of \(criteria.count)"
    print("politeness: \(score)")
    let page = BuiltProduct.fixture("../Sources/news/Documentation.docc/Servers.md")
    #expect(try readText(page).contains("Politeness: \(score)"))
  }

  private static func observe() throws -> SimulatedWeeks {
    let news = try CommandRun()
    let server = try LoggingServer(SimulatedWeb.page)
    news.realFetcher = ProxiedFetcher(proxy: server.proxy)
    try news.folder.write(SimulatedWeb.feeds.joined(separator: "\n") + "\n", to: "urls")
    #expect(news("import", news.folder.path("urls")).status == 0)
    var weeks = SimulatedWeeks(waking: sleep.upperBound)
    for run in 0..<Int(SimulatedWeb.days * 86_400 / timer) {
      let now = SimulatedWeb.start + Double(run) * timer
      if sleep.contains(now) { continue }
      let date = Date(timeIntervalSince1970: now)
      let library = try news.store.read()
      let moment = RefreshMoment(date, library.retryTimes)
      let dues = library.subscriptions.compactMap(moment.next)
      guard dues.contains(where: { $0 <= date }) else { continue }
      news.now = now
      server.set(now: now)
      // Keeping stories that their feeds no longer carry would only cost time here.
      let words = ["fetch", "--due", "-q", "--keep", "5"]
      #expect(news.run(words).output.split(separator: "\n").count == 1)
      let feeds = try news.store.read().subscriptions
      weeks.dues += feeds.compactMap { $0.state.nextDue?.timeIntervalSince1970 }
    }
    weeks.log = server.log
    weeks.subscribed = try news.store.read().subscriptions.map(\.url)
    return weeks
  }

  @Test("at most two transfers at once to a host of the internet, four to one of this network")
  func transfersAtOnce() throws {
    let others = 4
    let hosts = ["crowd.example": 2, "192.168.1.5": 4]
    for (host, limit) in hosts {
      let news = try CommandRun()
      let crowd = Crowd()
      let server = try FaultyServer { request in
        let isCrowded = request.target.contains(host)
        return FaultyAnswer([.run { crowd.meet(isCrowded, until: others) }])
          .then(.response(body: Sample.rss("x", ["one"])))
      }
      news.realFetcher = ProxiedFetcher(proxy: server.url(""))
      let urls =
        (0..<8).map { "http://\(host)/\($0)" } + (0..<others).map { "http://o\($0).example/" }
      try news.folder.write(urls.joined(separator: "\n") + "\n", to: "urls")
      #expect(news("import", "--allow-private", news.folder.path("urls")).status == 0)
      _ = news("fetch")
      #expect(server.requests.count == urls.count)
      #expect(crowd.most <= limit, "\(host)")
    }
  }
}

/// Holds each request to the crowded host until all others of the run have come: by then as many as
/// ever were sent to it.
private final class Crowd: Sendable {
  private struct State {
    var others = 0
    var crowded = 0
    var most = 0
  }

  private let state = Monitor(State())

  var most: Int { state.change { $0.most } }

  func meet(_ isCrowded: Bool, until others: Int) {
    state.change { state in
      if isCrowded { state.crowded += 1 } else { state.others += 1 }
      state.most = max(state.most, state.crowded)
    }
    guard isCrowded else { return }
    state.wait { $0.others >= others }
    state.change { $0.crowded -= 1 }
  }
}

private struct ProxiedFetcher: FeedFetcher {
  let proxy: String

  func fetch(_ batch: FetchBatch) {
    var batch = batch
    batch.options.proxies = ProxySettings(proxy)
    SourceFetcher().fetch(batch)
  }
}

extension FaultyAnswer {
  fileprivate func then(_ answer: FaultyAnswer) -> FaultyAnswer {
    FaultyAnswer(steps + answer.steps)
  }
}
