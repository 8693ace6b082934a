internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// Each kind of work at five sizes, each twice the one before: time, and memory of processes.
struct GrowthBenchmark {
  let rounds: Int
  let folder: String

  /// Measures all, and hands over each row of a table as soon as it's known.
  func run(_ show: ([String]) -> Void) throws -> [Growth] {
    show(Table.growthHead)
    var all: [Growth] = []
    for (name, sizes, contest) in try times() {
      let growth = Growth(
        name: name,
        points: try sizes.map { .init(size: $0, value: try time(contest($0))) },
      )
      show([Table.row(of: growth, showing: Table.time)])
      all.append(growth)
    }
    // What every process takes hides how the rest grows.
    let start = try PeakMemory.bytes(of: [try BuiltProduct.path("news"), "--version"])
    for (name, sizes, command) in try processes() {
      let points = try sizes.map { size in
        Growth.Point(size: size, value: Double(try PeakMemory.bytes(of: command(size)) - start))
      }
      let growth = Growth(name: "memory beyond that of a start, " + name, points: points)
      show([Table.row(of: growth) { Table.fixed($0 / 1e6, 1) + " MB" }])
      all.append(growth)
    }
    return all
  }

  private typealias Series<Work> = (name: String, sizes: [Int], work: (Int) throws -> Work)

  private static func sizes(from smallest: Int) -> [Int] {
    (0..<5).map { smallest << $0 }
  }

  /// The median of the last contender; those before it only prepare.
  private func time(_ contest: Contest) throws -> Double {
    try contest.measure(rounds: rounds).figures.last?.median ?? .nan
  }

  private func times() throws -> [Series<Contest>] {
    let documents = Self.sizes(from: 2_000_000)
    return [
      parsing("parse RSS, bytes", documents) { $0.rss(bytes: $1) },
      parsing("parse broken RSS, bytes", documents) {
        ParsingBenchmark.breaking($0.rss(bytes: $1))
      },
      parsing("parse Atom, bytes", documents) { $0.atom(bytes: $1) },
      parsing("parse JSON Feed, bytes", documents) { $0.jsonFeed(bytes: $1) },
      (
        "save, stories", Self.sizes(from: 12_500),
        { try StoreBenchmark(count: $0, folder: folder).saving() },
      ),
      (
        "merge, stories of feeds of 50", Self.sizes(from: 2_500),
        { try MergeBenchmark(stories: $0, feeds: $0 / 50, folder: folder).contest() },
      ),
      ("merge, stories of one feed", Self.sizes(from: 2_500), mergingOneFeed),
      try listing(),
      try fetching(),
    ]
  }

  private func parsing(
    _ name: String,
    _ sizes: [Int],
    _ document: @escaping (inout Workload, Int) -> [UInt8],
  ) -> Series<Contest> {
    (
      name, sizes,
      { size in
        var workload = Workload(seed: 1)
        let bytes = document(&workload, size)
        return Contest(
          name: name,
          contenders: [Contender(name: "news") { _ = try ParsingBenchmark.parse(bytes) }],
        )
      },
    )
  }

  private func mergingOneFeed(_ stories: Int) throws -> Contest {
    try MergeBenchmark(stories: stories, feeds: 1, folder: folder).contest()
  }

  private func listing() throws -> Series<Contest> {
    let news = try BuiltProduct.path("news")
    return (
      "list all, stories", Self.sizes(from: 6_250),
      { stories in
        let home = try listedHome(stories)
        return Contest(
          name: "list",
          contenders: [
            Contender(name: "news") {
              try Subprocess.expectSuccess([
                "sh", "-c", "\"$0\" --home \"$1\" list > /dev/null", news, home,
              ])
            }
          ],
        )
      },
    )
  }

  private func fetching() throws -> Series<Contest> {
    let news = try BuiltProduct.path("news")
    return (
      "fetch into an empty store, feeds", Self.sizes(from: 50),
      { feeds in
        let (home, site) = try subscribedHome(feeds)
        return Contest(
          name: "fetch",
          contenders: [
            Contender(name: "news clear") {
              try Subprocess.expectSuccess([news, "--home", home, "clear", "--yes"])
            },
            Contender(name: "news fetch") {
              try Subprocess.expectSuccess([news, "--home", home, "fetch"])
              withExtendedLifetime(site) {}
            },
          ],
        )
      },
    )
  }

  private func processes() throws -> [Series<[String]>] {
    let news = try BuiltProduct.path("news")
    // Served until all is measured.
    let site = try GeneratedSite(feeds: 800)
    return [
      (
        "list all, stories", Self.sizes(from: 6_250),
        { [news, "--home", try listedHome($0), "list"] },
      ),
      (
        "fetch into an empty store, feeds", Self.sizes(from: 50),
        { [news, "--home", try home(subscribedTo: Array(site.urls.prefix($0))), "fetch"] },
      ),
      (
        "parse, bytes", Self.sizes(from: 2_000_000),
        { size in
          var workload = Workload(seed: 1)
          try writeFile("\(folder)/growth.xml", workload.rss(bytes: size))
          return ["sh", "-c", "\"$0\" parse \"$1\" > /dev/null", news, "\(folder)/growth.xml"]
        },
      ),
    ]
  }

  private func listedHome(_ stories: Int) throws -> String {
    let home = "\(folder)/growth-list-\(stories)"
    try LibraryStore(home: home).update { (_) throws(StorageError) in
      (LibraryChange(items: StoryWorkload.stories(stories).map { .insert($0) }), ())
    }
    return home
  }

  private func subscribedHome(_ feeds: Int) throws -> (home: String, site: GeneratedSite) {
    let site = try GeneratedSite(feeds: feeds)
    return (try home(subscribedTo: site.urls), site)
  }

  private func home(subscribedTo urls: [String]) throws -> String {
    let home = "\(folder)/growth-fetch-\(urls.count)-\(urls.first?.count ?? 0)"
    // Each site has a port of its own.
    try Subprocess.expectSuccess(["rm", "-rf", home])
    try writeFile("\(folder)/growth-urls", urls.joined(separator: "\n").utf8)
    let news = try BuiltProduct.path("news")
    try Subprocess.expectSuccess([news, "--home", home, "import", "\(folder)/growth-urls"])
    return home
  }
}
