import FeedModel
import FeedStorage
import TestSupport

/// A store to start from, and a command that saves something in it.
struct StoreShape: CustomStringConvertible, Sendable {
  let description: String
  /// The number of stories before; nil for no home at all.
  let stories: Int?
  let isXML: Bool
  let isLink: Bool
  /// The arguments of `news`; `FEED` is a file with a feed of two stories.
  let command: [String]

  init(
    _ description: String,
    stories: Int?,
    isXML: Bool = false,
    isLink: Bool = false,
    command: [String] = ["read", "1"],
  ) {
    self.description = description
    self.stories = stories
    self.isXML = isXML
    self.isLink = isLink
    self.command = command
  }

  init(_ chance: inout Chance) {
    let commands = [["read", "--all"], ["star", "1-3"], ["read", "2"], ["refresh", "FEED"]]
    let (stories, command) = (3 + chance.below(3_000), commands[chance.below(commands.count)])
    let (isXML, isLink) = (chance.below(3) == 0, chance.below(3) == 0)
    self.init(
      "\(stories) stories\(isXML ? ", XML" : "")\(isLink ? ", a link" : ""), \(command[0])",
      stories: stories,
      isXML: isXML,
      isLink: isLink,
      command: command,
    )
  }

  static let oneStory = StoreShape("one story, mark", stories: 1)

  static let all = [
    StoreShape("no store, first refresh", stories: nil, command: ["refresh", "FEED"]),
    StoreShape("an empty store, refresh", stories: 0, command: ["refresh", "FEED"]),
    oneStory,
    StoreShape("300 stories as XML, mark", stories: 300, isXML: true),
    StoreShape("a symbolic link, mark", stories: 20, isLink: true),
    StoreShape("10,000 stories, mark", stories: 10_000),
    StoreShape(
      "three stories, a rule",
      stories: 3,
      command: ["rules", "add", "é", "--grep", "story", "--then", "drop"],
    ),
  ]
}

extension LibraryStore {
  func titlesWithTexts() throws -> [String] {
    let items = try read().items
    var titles: [String] = []
    for place in 0..<items.count {
      let story = try items.item(at: place)
      let text = try text(of: story).map { String(decoding: $0.bytes, as: UTF8.self) }
      titles.append(
        story.item.title + (text ?? (story.item.textNumber == 0 ? "" : ": the text is missing"))
      )
    }
    return titles
  }
}

/// A folder with a store of some shape, which can be put back as it was.
struct ShapedStore {
  let shape: StoreShape
  let folder: TemporaryFolder
  private let program: String

  static let feed = """
    <rss version="2.0"><channel><title>F</title>
    <item><title>A</title><link>https://example.org/a</link><description>&lt;p>A</description></item>
    <item><title>B</title><link>https://example.org/b</link><description>&lt;p>B</description></item>
    </channel></rss>
    """

  init(_ shape: StoreShape) throws {
    self.shape = shape
    folder = try TemporaryFolder()
    program = try BuiltProduct.path("news")
    try folder.write(Self.feed, to: "feed.xml")
    if let stories = shape.stories { try fill(folder.path("original"), stories) }
    try reset()
  }

  private func fill(_ home: String, _ count: Int) throws {
    let store = LibraryStore(home: home)
    try store.prepareHome()
    // Another program leaves an empty list: `news` makes no file without a story.
    try writeFile(store.dataPath, HostileList([HostileList.array([])]).bytes)
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: (0..<count).map { Self.story($0) })), ())
    }
    let shell = """
      cd "$0"
      [ "$1" = false ] || plutil -convert xml1 newsdata.plist
      [ "$2" = false ] || { mkdir target; mv newsdata.plist target/data; \
      ln -s target/data newsdata.plist; }
      """
    try Shell.run(shell, [home, "\(shape.isXML)", "\(shape.isLink)"])
  }

  static func story(_ number: Int) -> StoredItem {
    let item = Item(
      title: "Story \(number) – é",
      link: "https://example.org/stories/\(number)",
      pubDate: "Mon, 18 Mar 2019 14:02:11 GMT",
      guid: "tag:\(number)",
    )
    let digits = String(UInt64(bitPattern: Int64(number)), radix: 16)
    let id = String(repeating: "0", count: 16 - digits.count) + digits
    return StoredItem(id: id, item: item, feeds: ["https://example.org/feed"], stored: nil)
  }

  var home: String { folder.path("home") }
  var dataPath: String { shape.isLink ? "\(home)/target/data" : "\(home)/newsdata.plist" }

  func reset() throws {
    removeTree(home)
    guard shape.stories != nil else { return }
    _ = try Subprocess.run(["cp", "-a", folder.path("original"), home])
  }

  func run(_ environment: [String: String?] = [:]) throws -> Subprocess.Result {
    let words = shape.command.map { $0 == "FEED" ? folder.path("feed.xml") : $0 }
    return try Subprocess.run(
      [program, "--home", home] + words,
      environment: environment.merging(["HOME": folder.path, "TZ": "UTC"]) { $1 },
    )
  }

  /// Returns what this second process reads of the store: all stories, or the error.
  func contents() throws -> Contents {
    if shape.command[0] == "rules" {
      return Contents(bytes: (try? readFile("\(home)/rules.plist")) ?? [])
    }
    // A mark changes nothing else, so that the bytes tell all.
    guard shape.command[0] == "refresh" else { return Contents(bytes: try readFile(dataPath)) }
    let titles: [String]
    do {
      titles = try LibraryStore(home: home).titlesWithTexts()
    } catch {
      return Contents(bytes: Array("\(error)".utf8))
    }
    return Contents(bytes: Array(titles.joined(separator: "\n").utf8))
  }

  /// Bytes that are compared as a whole: a debug build takes its time for a megabyte of elements.
  struct Contents: Hashable {
    let bytes: [UInt8]

    static func == (one: Contents, other: Contents) -> Bool {
      one.bytes.count == other.bytes.count
        && memcmp(one.bytes, other.bytes, one.bytes.count) == 0
    }

    func hash(into hasher: inout Hasher) {
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }

  /// Returns every file of the home: a link by its target, any other by its bytes.
  func files() throws -> Files {
    var files: Files = [:]
    let target = shape.isLink ? try namesInFolder("\(home)/target").map { "target/\($0)" } : []
    let texts = ((try? namesInFolder("\(home)/texts")) ?? []).map { "texts/\($0)" }
    let folders = ["target", "texts", "listings"]
    for name in ((try? namesInFolder(home)) ?? []) + target + texts where !folders.contains(name) {
      let isLink = name == "newsdata.plist" && shape.isLink
      let bytes = isLink ? Array(try linked().utf8) : try readFile("\(home)/\(name)")
      files[name] = Contents(bytes: bytes)
    }
    return files
  }

  typealias Files = [String: Contents]

  /// Returns files that are none of the store's; a draft of numbers waits for the next list, which
  /// takes it over.
  func litter() throws -> [String] {
    let known = [
      "feeds.plist", "newsdata.plist", "ledger.plist", "runs.plist", "listings", "history.plist",
      "rules.plist",
      "lock",
      "fetch.lock",
      "target",
      "data", "texts", "00000001.plist", "00000002.plist",
    ]
    var names = try namesInFolder(home) + ((try? namesInFolder("\(home)/texts")) ?? [])
    if shape.isLink { names += try namesInFolder("\(home)/target") }
    return names.filter { !known.contains($0) }
  }

  /// Returns true if the data file is the link that it was.
  func linkIsKept() throws -> Bool {
    guard shape.isLink else { return true }
    return try linked() == "target/data\n"
  }

  private func linked() throws -> String {
    try Subprocess.run(["readlink", "\(home)/newsdata.plist"]).text
  }
}
