import TestSupport

/// The requests that the servers of the simulated web have logged, and the times that the store
/// held.
struct SimulatedWeeks {
  var log: [LoggingServer.Entry] = []
  /// Every time at which a feed was due, in seconds since 1970.
  var dues: [Double] = []
  var subscribed: [String] = []
  let waking: Double

  init(waking: Double) {
    self.waking = waking
  }

  func requests(_ name: String) -> [LoggingServer.Entry] {
    log.filter { $0.host == "\(name).example" }
  }

  func pauses(_ name: String) -> [Double] {
    let times = requests(name).map(\.time)
    return zip(times, times.dropFirst()).map { $1 - $0 }
  }
}

struct PolitenessCriteria {
  struct Criterion {
    let name: String
    let isMet: Bool
    let evidence: String
  }

  let weeks: SimulatedWeeks
  private typealias Web = SimulatedWeb

  var all: [Criterion] {
    conditions + intervals + wishes + failures + moves + manners
  }

  // MARK: Conditional requests

  /// The feeds that never fail or move, and have validators.
  private static let steady = ["steady", "silent", "maxage", "expires", "ttl", "sy", "cookie"]

  private var conditions: [Criterion] {
    let all = Self.steady.flatMap(weeks.requests)
    let asked = all.filter(\.isConditional)
    let unconditional = Self.steady.map { name in
      weeks.requests(name).filter { !$0.isConditional }.map(\.time)
    }
    let probes = unconditional.flatMap { $0.dropFirst() }
    let isProbe = unconditional.allSatisfy { times in
      zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 8 * Web.day }
    }
    let silent = weeks.requests("silent").dropFirst().filter(\.isConditional)
    let apache = weeks.requests("apache")
    // The first repeated request shows that the server does not recognize its own tag.
    let again = zip(apache, apache.dropFirst())
      .filter { Web.apacheVersion($0.time) == Web.apacheVersion($1.time) }.map(\.1)
    return [
      Criterion(
        name: "validators come back together, byte for byte",
        isMet: !asked.isEmpty && asked.allSatisfy(areValidatorsWhole),
        evidence: "\(asked.count) conditional requests",
      ),
      Criterion(
        name: "one unconditional request in a feed's life, and a probe after eight days of 304",
        isMet: unconditional.allSatisfy { !$0.isEmpty } && isProbe && probes.count <= 2,
        evidence: "\(Self.steady.count) feeds, \(probes.count) probes",
      ),
      Criterion(
        name: "what has not changed is not sent again",
        isMet: !silent.isEmpty && silent.allSatisfy { $0.status == 304 },
        evidence: "\(silent.count { $0.status == 304 }) of \(silent.count) are 304",
      ),
      Criterion(
        name: "Apache's tag of a compressed answer does not keep it from 304",
        isMet: again.count > 2 && again.dropFirst().allSatisfy { $0.status == 304 },
        evidence: "\(again.count { $0.status == 304 }) of \(again.count) unchanged ones are 304",
      ),
      Criterion(
        name: "an answer that is compressed is asked for",
        isMet: weeks.log.allSatisfy {
          $0.request.header("Accept-Encoding")?.contains("gzip") ?? false
        },
        evidence: "\(weeks.log.count) requests",
      ),
    ]
  }

  private func areValidatorsWhole(_ entry: LoggingServer.Entry) -> Bool {
    guard let etag = entry.request.header("If-None-Match"),
      let lastModified = entry.request.header("If-Modified-Since"),
      let version = etag.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return false }
    return (etag, lastModified) == Web.validators(entry.host, version)
  }

  // MARK: Intervals

  private var intervals: [Criterion] {
    let least = Set(weeks.log.map(\.url)).map { url -> Double in
      let times = weeks.log.filter { $0.url == url }.map(\.time)
      return zip(times, times.dropFirst()).map { $1 - $0 }.min() ?? .infinity
    }
    let silent = weeks.requests("silent").count
    let stories = weeks.pauses("steady")
    return [
      notSooner("no URL is asked twice within 15 minutes", least, 900),
      notSooner("nor within an hour without validators", weeks.pauses("bare"), 3600),
      notSooner("Cache-Control: max-age", weeks.pauses("maxage"), 7200),
      notSooner("Expires", weeks.pauses("expires"), 3 * 3600),
      notSooner("ttl", weeks.pauses("ttl"), 3 * 3600),
      notSooner("sy:updatePeriod and sy:updateFrequency", weeks.pauses("sy"), 6 * 3600),
      Criterion(
        name:
          "a feed that was silent for a month is asked about once a day, in spite of max-age=900",
        isMet: (7...20).contains(silent),
        evidence: "\(silent) requests in two weeks",
      ),
      Criterion(
        name: "a feed that posts every six hours is asked in time",
        isMet: stories.count > 40 && stories.sorted().dropLast().allSatisfy { $0 <= 6 * 3600 },
        evidence: "\(stories.count + 1) requests in two weeks, two days of sleep among them",
      ),
    ]
  }

  private func notSooner(_ name: String, _ pauses: [Double], _ least: Double) -> Criterion {
    let shortest = pauses.min() ?? 0
    return Criterion(
      name: name,
      isMet: pauses.count > 1 && shortest >= least,
      evidence: "\(pauses.count) pauses, the shortest \(Int(shortest)) s",
    )
  }

  // MARK: What servers and feeds ask for

  private var wishes: [Criterion] {
    let skip = weeks.requests("skip").dropFirst()
    let hours = skip.count { Int($0.time / 3600) % 24 < 6 }
    let weekend = skip.count { [6, 0].contains((Int($0.time / Web.day) + 4) % 7) }
    return [
      Criterion(
        name: "skipHours",
        isMet: !skip.isEmpty && hours == 0,
        evidence: "\(hours) of \(skip.count) requests within them",
      ),
      Criterion(
        name: "skipDays",
        isMet: !skip.isEmpty && weekend == 0,
        evidence: "\(weekend) of \(skip.count) requests within them",
      ),
      held("Retry-After in seconds, on 429, by all feeds of the server", "busy", 429) {
        $0 + Web.day
      },
      held("Retry-After as a date, on 503, by all feeds of the server", "later", 503) { _ in
        Web.start + 7 * Web.day
      },
      held("Retry-After on a challenge page (403)", "challenge", 403) { $0 + Web.day / 2 },
      hopper,
    ]
  }

  /// Expects that nobody asks the host from the first refusal until the time that it said.
  private func held(
    _ name: String,
    _ host: String,
    _ status: Int,
    until end: (Double) -> Double,
  ) -> Criterion {
    let requests = weeks.requests(host)
    guard let refusal = requests.first(where: { $0.status == status }) else {
      return Criterion(name: name, isMet: false, evidence: "there was no \(status)")
    }
    let until = end(refusal.time)
    let during = requests.count { $0.time > refusal.time && $0.time < until }
    let again = requests.count { $0.status == status && $0.time == refusal.time }
    let after = requests.contains { $0.time >= until }
    return Criterion(
      name: name,
      // Two requests may be under way when the server refuses the first.
      isMet: during == 0 && again <= 2 && after,
      evidence: "\(during) requests in \(Int((until - refusal.time) / 3600)) h",
    )
  }

  private var hopper: Criterion {
    let refusal = weeks.requests("busy").first { $0.status == 429 }?.time ?? .infinity
    let wait = refusal..<(refusal + Web.day)
    let asked = weeks.requests("hopper").count { $0.status == 302 && wait.contains($0.time) }
    let followed = weeks.log.count { $0.url.hasSuffix("/h") && wait.contains($0.time) }
    return Criterion(
      name: "no redirect is followed to a server that is to be left in peace",
      isMet: refusal < .infinity && asked >= 1 && followed == 0,
      evidence: "\(followed) of \(asked) redirects",
    )
  }

  // MARK: Failures

  private var failures: [Criterion] {
    let down = weeks.requests("down").filter { $0.status == 500 }.map(\.time)
    let waits = zip(down, down.dropFirst()).map { $1 - $0 }
    let isDoubling = zip(waits, waits.dropFirst()).allSatisfy { $1 >= 1.4 * $0 || $1 >= Web.day }
    let gone = weeks.requests("gone").count { $0.status == 410 }
    return [
      Criterion(
        name: "the wait doubles with each failure",
        isMet: waits.count > 4 && isDoubling,
        evidence: "after \(waits.map { "\(Int($0 / 60))" }.joined(separator: ", ")) min",
      ),
      Criterion(
        name: "a feed that is gone (410) is not asked again",
        isMet: gone == 1,
        evidence: "\(gone) request",
      ),
    ]
  }

  // MARK: Redirects

  private var moves: [Criterion] {
    let old = weeks.requests("moved").count { $0.status == 301 }
    let hasMoved = weeks.subscribed.contains("http://new.example/feed")
    let stolen = weeks.requests("stolen").filter { $0.status == 301 }.map { Int($0.time / Web.day) }
    let days = Set(stolen).count
    return [
      Criterion(
        name: "a permanent redirect to the same stories is followed at once",
        isMet: old == 1 && hasMoved,
        evidence: "\(old) request to the old place",
      ),
      Criterion(
        name: "one to other stories is believed on the third day, however often it is seen",
        isMet: days == 3 && stolen.count > 4
          && weeks.subscribed.contains("http://stranger.example/feed"),
        evidence: "\(stolen.count) redirects on \(days) days",
      ),
    ]
  }

  // MARK: Manners

  private var manners: [Criterion] {
    let secrets = ["Cookie", "Referer", "Authorization", "From"]
    let told = weeks.log.count { entry in secrets.contains { entry.request.header($0) != nil } }
    let agents = Set(weeks.log.map { $0.request.header("User-Agent") ?? "" })
    let crowded = weeks.dues.count { abs($0 - ($0 / 1800).rounded() * 1800) < 60 }
    let morning = weeks.log.filter { $0.time == weeks.waking }
    let most = Set(morning.map(\.url)).map { url in morning.count { $0.url == url } }.max() ?? 0
    let later = Set(weeks.log.filter { $0.time > weeks.waking }.prefix(40).map(\.time)).count
    return [
      Criterion(
        name: "no cookie, no referrer, no password",
        isMet: told == 0 && !weeks.requests("cookie").isEmpty,
        evidence: "\(told) of \(weeks.log.count) requests",
      ),
      Criterion(
        name: "the client says what it is",
        isMet: agents.count == 1
          && agents.allSatisfy { $0.hasPrefix("news/") && $0.contains(" (") },
        evidence: agents.sorted().joined(separator: ", "),
      ),
      Criterion(
        name: "no feed is due within a minute of a full or half hour",
        isMet: weeks.dues.count > 1000 && crowded == 0,
        evidence: "\(crowded) of \(weeks.dues.count) times",
      ),
      Criterion(
        name: "after two days of sleep each URL is asked once, and then at times of its own",
        isMet: morning.count > 10 && most == 1 && later >= 10,
        evidence:
          "\(morning.count) requests, at most \(most) to one URL; the next 40 in \(later) runs",
      ),
    ]
  }
}
