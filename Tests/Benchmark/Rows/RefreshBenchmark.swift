internal import TestSupport

struct RefreshBenchmark {
  let feeds: Int
  let folder: String

  /// The number of feeds with budgets of time; only with it the slow tools are measured, too.
  private static let promised = 500

  init(feeds: Int, folder: String) throws {
    self.feeds = feeds
    self.folder = "\(folder)/refresh-\(feeds)"
    try Subprocess.expectSuccess(["mkdir", self.folder])
  }

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    let site = try GeneratedSite(feeds: feeds)
    let home = "\(folder)/home"
    try writeFile("\(folder)/urls", site.urls.joined(separator: "\n").utf8)
    try writeFile("\(folder)/curl", site.urls.map { "url = \($0)\n" }.joined().utf8)
    try Subprocess.expectSuccess([
      news, "--home", home, "import", "--allow-private", "\(folder)/urls",
    ])
    let rounds = feeds > Self.promised ? 3 : Int.max
    return [
      Contest(
        name: "refresh \(feeds) feeds, empty store",
        mostRounds: rounds,
        contenders: [
          curl("curl --parallel", [], of: site),
          Contender(name: "news clear", process: [news, "--home", home, "clear", "--yes"]),
          Contender(
            name: "news fetch",
            process: [news, "--home", home, "fetch"],
            budgets: feeds == Self.promised ? [.ratio(2.8), .megabytes(64)] : [.megabytes(96)],
            expecting: "newData",
          ),
        ] + (try others(site.urls)),
      ),
      Contest(
        name: "again, nothing new in \(feeds) feeds",
        mostRounds: rounds,
        contenders: [
          curl("curl --parallel, all bodies", [], of: site),
          curl("curl --parallel --time-cond", ["--time-cond", GeneratedSite.date], of: site),
          Contender(
            name: "news fetch",
            process: [news, "--home", home, "fetch"],
            budgets: feeds == Self.promised ? [.ratio(0.35)] : [],
            expecting: "noData",
          ),
        ] + (try othersAgain()),
      ),
    ]
  }

  private func curl(_ name: String, _ condition: [String], of site: GeneratedSite) -> Contender {
    let words = [
      "curl", "-s", "--compressed", "-Z", "--parallel-max", "4", "-K", "\(folder)/curl",
    ]
    let contender = Contender(name: name, process: words + condition)
    return contender.keeping(site)
  }

  private func others(_ urls: [String]) throws -> [Contender] {
    guard feeds == Self.promised else { return [] }
    try writeSfeedConfiguration(urls)
    try writeFile("\(folder)/newsboat", "reload-threads 32\n".utf8)
    return try newsboat("rm -f cache.db; ") + sfeedUpdate("rm -rf sfeed && mkdir sfeed && ")
  }

  private func othersAgain() throws -> [Contender] {
    guard feeds == Self.promised else { return [] }
    return try newsboat("") + sfeedUpdate("")
  }

  private func newsboat(_ preparation: String) throws -> [Contender] {
    guard try Subprocess.isInstalled("newsboat") else { return [] }
    let line = preparation + "newsboat -q -C newsboat -u urls -c cache.db -x reload"
    return [
      Contender(
        name: "newsboat -x reload, 32 threads",
        process: ["sh", "-c", line],
        folder: folder,
        expecting: "",
      )
    ]
  }
}
