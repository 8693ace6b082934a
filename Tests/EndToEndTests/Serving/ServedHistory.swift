import TestSupport
import Testing

/// Three homes that follow one feed: the first serves, and the others synchronize with it.
///
/// Commands, syncs and the serving process are killed now and then.
struct ServedHistory {
  struct Mark {
    let (set, unset): ([String], [String])
    /// The search that finds the stories with it.
    let search: String
  }

  static let titles = (1...12).map { "s\($0)" }
  private static let marks = [
    Mark(set: ["read"], unset: ["unread"], search: "is:read"),
    Mark(set: ["star"], unset: ["unstar"], search: "is:starred"),
    Mark(set: ["tag", "later"], unset: ["untag", "later"], search: "tag:later"),
  ]

  static var feed: String {
    let items = titles.map {
      "<item><title>\($0)</title><guid>\($0)</guid><link>http://127.0.0.1/\($0)</link></item>"
    }
    return "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
  }

  let homes: [News]
  private(set) var served: ServingHome
  private var chance: Chance
  /// The microseconds that a sync takes which nobody kills.
  private var pace = 0

  init(seed: UInt64) throws {
    let nginx = try Nginx()
    try nginx.serve(Self.feed, as: "feed.xml")
    homes = try (0..<3).map { _ in try News() }
    for home in homes { _ = try home.run("subscribe", nginx.url("/feed.xml")) }
    served = try ServingHome(homes[0])
    chance = Chance(seed: seed)
    for home in homes.dropFirst() {
      let added = try served.add(to: home)
      #expect(added.status == 0, "\(added.errorText)")
      try synchronize(home)
    }
  }

  /// Returns the titles of the stories with each mark.
  func marked(_ news: News) throws -> [Set<String>] {
    try Self.marks.map { mark in
      let list = try news.run("list", "--grep", mark.search, "--format", "{title}").text
      return Set(list.split(separator: "\n").map(String.init))
    }
  }

  // MARK: Marks

  /// Sets or takes a mark by a command that may be killed.
  private mutating func set(
    _ mark: Mark,
    of title: String,
    _ isSet: Bool,
    in news: News,
  ) throws {
    let words = (isSet ? mark.set : mark.unset) + ["--all", "--grep", "title:/^\(title)$/"]
    let command = try news.start(words)
    if chance.below(4) == 0 {
      usleep(UInt32(chance.below(12_000)))
      command.send(SIGKILL)
    }
    _ = try command.wait()
  }

  mutating func changeSome() throws {
    for home in homes where chance.below(3) > 0 {
      for _ in 0..<3 {
        let mark = Self.marks[chance.below(Self.marks.count)]
        let title = Self.titles[chance.below(Self.titles.count)]
        try set(mark, of: title, chance.below(2) == 0, in: home)
      }
    }
    try synchronizeOne()
  }

  /// Changes one mark of each story in one home, between syncs.
  ///
  /// - Returns: the titles that are to have each mark in the end.
  mutating func changeEach() throws -> [Set<String>] {
    var expected = try marked(homes[0])
    for title in Self.titles {
      let (number, home) = (chance.below(Self.marks.count), homes[chance.below(homes.count)])
      let isSet = !expected[number].contains(title)
      // A command that was killed has made its change or not: the list tells.
      while try marked(home)[number].contains(title) != isSet {
        try set(Self.marks[number], of: title, isSet, in: home)
      }
      if isSet { expected[number].insert(title) } else { expected[number].remove(title) }
      if chance.below(2) == 0 { try synchronizeOne() }
    }
    return expected
  }

  // MARK: Syncs

  private mutating func synchronize(_ home: News, _ words: [String] = []) throws {
    let start = ContinuousClock.now
    let result = try home.run(["sync"] + words)
    pace = Int((ContinuousClock.now - start) / .microseconds(1))
    #expect(result.status == 0, "\(result.errorText)")
  }

  /// Synchronizes; the home that does, or the one that serves, may be killed meanwhile.
  private mutating func synchronizeOne() throws {
    let (home, victim) = (homes[1 + chance.below(2)], chance.below(3))
    guard victim > 0 else { return try synchronize(home) }
    let saved = ["\(home.home)/sync-phone.plist", homes[0].dataPath, nil, nil][chance.below(4)]
    let before = saved.flatMap(Self.inode)
    let sync = try home.start(["sync"])
    if let saved {
      // Marks are sent after the first file is saved, and answered after the second.
      while Self.inode(saved) == before, !sync.hasEnded { usleep(100) }
    } else {
      usleep(UInt32(chance.below(pace)))
    }
    if victim == 1 { sync.send(SIGKILL) } else { _ = try served.isEnded(by: SIGKILL) }
    _ = try sync.wait()
    if victim == 2 { served = try ServingHome(again: served) }
  }

  private static func inode(_ path: String) -> ino_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_ino : nil
  }

  /// Synchronizes, and agrees that the server takes away many marks at once.
  mutating func settle() throws {
    // The marks that the last home tells the server are fetched by the one before.
    for home in homes.dropFirst() + homes.dropFirst() {
      try synchronize(home, ["phone", "--accept"])
    }
  }
}
