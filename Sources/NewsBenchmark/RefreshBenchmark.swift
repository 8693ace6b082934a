internal import TestSupport

/// Refreshing 500 feeds of 50 KB from nginx on loopback, beside `curl --parallel`.
struct RefreshBenchmark {
  let folder: String
  private static let count = 500

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    let site = try GeneratedSite(feeds: Self.count)
    let home = "\(folder)/refresh"
    let urls = site.urls
    try writeFile("\(folder)/urls", urls.joined(separator: "\n").utf8)
    try writeFile("\(folder)/curl", urls.map { "url = \($0)\n" }.joined().utf8)
    _ = try Subprocess.run([news, "--home", home, "import", "\(folder)/urls"])
    let curl = Contender(name: "curl --parallel") {
      _ = try Subprocess.run(
        ["curl", "-s", "--compressed", "-Z", "--parallel-max", "4", "-K", "\(folder)/curl"])
      withExtendedLifetime(site) {}
    }
    let newsboat = try newsboat()
    let sfeed = try sfeedUpdate(urls)
    return [
      Contest(
        name: "refresh \(Self.count) feeds, empty store",
        budget: nil,
        contenders: [
          curl,
          Contender(name: "news clear") {
            _ = try Subprocess.run([news, "--home", home, "clear", "--yes"])
          },
          Contender(name: "news fetch") {
            try Self.expect("newData", try Subprocess.run([news, "--home", home, "fetch"]))
          },
        ] + newsboat + sfeed,
      ),
      Contest(
        name: "again, nothing new",
        budget: nil,
        contenders: [
          curl,
          Contender(name: "news fetch") {
            try Self.expect("noData", try Subprocess.run([news, "--home", home, "fetch"]))
          },
        ],
      ),
    ]
  }

  /// newsboat with an empty cache, where it is installed.
  private func newsboat() throws -> [Contender] {
    guard try Subprocess.run(["sh", "-c", "command -v newsboat"]).status == 0 else { return [] }
    try writeFile("\(folder)/newsboat", "reload-threads 32\n".utf8)
    return [
      Contender(name: "newsboat -x reload, 32 threads") {
        _ = try Subprocess.run(
          [
            "sh", "-c",
            "rm -f cache.db; newsboat -q -C newsboat -u urls -c cache.db -x reload",
          ],
          folder: folder,
        )
      }
    ]
  }

  private static func expect(_ outcome: String, _ result: Subprocess.Result) throws {
    guard result.text.hasPrefix(outcome) else {
      throw UnexpectedOutput(text: result.text + result.errorText)
    }
  }
}

struct UnexpectedOutput: Error {
  let text: String
}
