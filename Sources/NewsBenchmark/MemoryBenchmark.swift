internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// The peak memory of `news`, beside what the design allows.
struct MemoryBenchmark {
  let folder: String

  func figures() throws -> [MemoryReport] {
    let news = try BuiltProduct.path("news")
    let site = try GeneratedSite(feeds: 500)
    let empty = try home("memory-empty", subscribedTo: site.urls, news)
    let full = try home("memory-full", subscribedTo: Array(site.urls.prefix(10)), news)
    let count = 100_000
    try LibraryStore(home: full).update { (_) throws(StorageError) in
      (LibraryChange(items: StoryWorkload.stories(count).map { .insert($0) }), ())
    }
    return [
      try figure("news --version", [news, "--version"]),
      try figure("fetch 500 feeds, empty store", [news, "--home", empty, "fetch"], budget: 40),
      try figure("again, nothing new", [news, "--home", empty, "fetch"]),
      try figure("list all of it", [news, "--home", empty, "list"]),
      try figure("fetch with \(count) stories", [news, "--home", full, "fetch"], budget: 64),
    ]
  }

  private func home(
    _ name: String,
    subscribedTo urls: [String],
    _ news: String,
  ) throws -> String {
    let home = "\(folder)/\(name)"
    try writeFile("\(folder)/\(name)-urls", urls.joined(separator: "\n").utf8)
    _ = try Subprocess.run([news, "--home", home, "import", "\(folder)/\(name)-urls"])
    return home
  }

  private func figure(
    _ name: String,
    _ command: [String],
    budget: Double? = nil,
  ) throws -> MemoryReport {
    let megabytes = Double(try PeakMemory.bytes(of: command)) / 1e6
    return MemoryReport(
      name: name,
      megabytes: megabytes,
      budget: budget,
      holds: budget.map { megabytes <= $0 },
    )
  }
}

/// The peak memory of one command.
struct MemoryReport: Codable, Equatable {
  let name: String
  let megabytes: Double
  /// In megabytes.
  let budget: Double?
  let holds: Bool?
}

extension Table {
  static let memoryHead = ["", "| peak memory | megabytes | budget |", "|---|---|---|"]

  static func row(_ figure: MemoryReport) -> String {
    let verdict = figure.budget.map { budget in
      "\(figure.holds == true ? "holds" : "**missed**"): ≤ \(fixed(budget, 0)) MB"
    }
    return "| \(figure.name) | \(fixed(figure.megabytes, 1)) | \(verdict ?? "") |"
  }
}
