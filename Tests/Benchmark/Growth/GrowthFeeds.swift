internal import FeedModel
internal import FeedStorage
internal import TestSupport

struct GrowthFeeds {
  let news: String
  let folder: String

  private static let largest = 10_000
  private static let largestSite = 1_600

  func works() throws -> [GrowthWork] {
    let listing = [["feeds"], ["export"], ["doctor", "--offline"], ["list", "-n", "20"]]
    // Served until all is measured.
    let site = try GeneratedSite(feeds: Self.largestSite)
    let files = { try Self.files($0, folder: folder) }
    return listing.map(reading) + [
      importing, unsubscribing,
      fetching("fetch of files", Self.largest, files, isAgain: false),
      fetching("fetch of files, nothing new", Self.largest, files, isAgain: true),
      fetching("fetch over HTTP", Self.largestSite, { site.urls.prefix($0) + [] }, isAgain: false),
      fetching(
        "fetch over HTTP, nothing new",
        Self.largestSite,
        { site.urls.prefix($0) + [] },
        isAgain: true,
      ),
    ]
  }

  private func reading(_ words: [String]) -> GrowthWork {
    GrowthWork(name: words.joined(separator: " ") + ", feeds", largest: Self.largest) { size in
      PreparedWork(
        words: [news, "--home", try home(size)] + words,
        mayFail: words.first == "doctor",
      )
    }
  }

  private var importing: GrowthWork {
    GrowthWork(name: "import, feeds", largest: Self.largest) { size in
      let path = "\(folder)/growth-\(size).opml"
      try writeFile(path, Self.outlines(size).utf8)
      let home = "\(folder)/growth-import"
      return PreparedWork(words: [news, "--home", home, "import", path]) {
        try Subprocess.expectSuccess(["rm", "-rf", home])
      }
    }
  }

  private var unsubscribing: GrowthWork {
    GrowthWork(name: "unsubscribe, feeds", largest: Self.largest) { size in
      let base = try home(size)
      let copy = base + "-copy"
      let feed = StoryWorkload.subscription(0).url
      return PreparedWork(words: [news, "--home", copy, "unsubscribe", feed]) {
        try Files.copy(base, to: copy)
      }
    }
  }

  private func fetching(
    _ name: String,
    _ largest: Int,
    _ urls: @escaping (Int) throws -> [String],
    isAgain: Bool,
  ) -> GrowthWork {
    GrowthWork(name: name + ", feeds", largest: largest) { size in
      let base = "\(folder)/growth-" + name.filter(\.isLetter) + "-\(size)"
      let list = "\(folder)/growth-urls"
      try writeFile(list, try urls(size).joined(separator: "\n").utf8)
      try Subprocess.expectSuccess(["rm", "-rf", base])
      try Subprocess.expectSuccess([
        news, "--home", base, "import", "--files", "--allow-private", list,
      ])
      let copy = base + "-copy"
      let words = [news, "--home", copy, "fetch"]
      guard isAgain else { return PreparedWork(words: words) { try Files.copy(base, to: copy) } }
      try Files.copy(base, to: copy)
      try Subprocess.expectSuccess(words)
      return PreparedWork(words: words)
    }
  }

  static func outlines(_ count: Int) -> String {
    let outlines = (0..<count).map { number in
      """
      <outline type="rss" text="Feed \(number)" xmlUrl="https://www.example.org/feed/\(number)"/>
      """
    }
    return "<opml version=\"2.0\"><body>\(outlines.joined(separator: "\n"))</body></opml>"
  }

  static func files(_ count: Int, folder: String) throws -> [String] {
    try (0..<count).map { number in
      let path = "\(folder)/growth-feed-\(number).xml"
      var workload = Workload(seed: UInt64(number))
      try writeFile(path, workload.rss(bytes: 8_000))
      return "file://\(path)"
    }
  }

  /// Creates a store of so many subscriptions and of 100 stories.
  private func home(_ count: Int) throws -> String {
    let home = "\(folder)/growth-feeds-\(count)"
    let store = LibraryStore(home: home)
    guard try store.read().subscriptions.isEmpty else { return home }
    let stories = StoryWorkload.stories(100)
    let subscriptions = (0..<count).map(StoryWorkload.subscription)
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: stories), subscriptions: subscriptions), ())
    }
    return home
  }
}
