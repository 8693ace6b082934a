internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// The peak memory of `news`, beside what the design allows.
struct MemoryBenchmark {
  let folder: String

  /// A table of its own.
  func rows() throws -> [String] {
    let news = try BuiltProduct.path("news")
    let site = try GeneratedSite(feeds: 500)
    let empty = try home("memory-empty", subscribedTo: site.urls, news)
    let full = try home("memory-full", subscribedTo: Array(site.urls.prefix(10)), news)
    let count = 100_000
    try LibraryStore(home: full).update { (_) throws(StorageError) in
      (LibraryChange(items: StoryWorkload.stories(count).map { .insert($0) }), ())
    }
    return [
      "",
      "| peak memory | megabytes | budget |",
      "|---|---|---|",
      try row("news --version", [news, "--version"]),
      try row("fetch 500 feeds, empty store", [news, "--home", empty, "fetch"], budget: 40),
      try row("again, nothing new", [news, "--home", empty, "fetch"]),
      try row("list all of it", [news, "--home", empty, "list"]),
      try row("fetch with \(count) stories", [news, "--home", full, "fetch"], budget: 64),
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

  private func row(_ name: String, _ command: [String], budget: Int? = nil) throws -> String {
    let peak = Double(try PeakMemory.bytes(of: command)) / 1e6
    let verdict = budget.map { "\(peak <= Double($0) ? "holds" : "**missed**"): ≤ \($0) MB" } ?? ""
    return "| \(name) | \(Table.fixed(peak, 1)) | \(verdict) |"
  }
}
