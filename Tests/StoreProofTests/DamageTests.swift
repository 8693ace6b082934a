import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("A file in the store that is cut off anywhere, or has any bit flipped")
struct DamageTests {
  @Test(
    "is an error or a value in 50 MB, and is not touched by what cannot read it",
    arguments: [
      "newsdata.plist", "feeds.plist", "ledger.plist", "runs.plist", "listing.plist",
      "outlines.plist",
      "history.plist", "newsdata.plist.cleared-1", "rules.plist",
    ],
    ["binary1", "xml1"],
  )
  func everyPlace(name: String, form: String) throws {
    let folder = try TemporaryFolder()
    let store = LibraryStore(home: folder.path("home"))
    try Self.fill(store, form == "saved" ? 8 : 1)
    switch name {
    case "history.plist": try Self.clearOne(store)
    case "newsdata.plist.cleared-1": try Self.clearAll(store, as: form)
    default: break
    }
    let probe = try BuiltProduct.path("StoreProbe")
    let base = try #require(
      BoundedRun([probe, "list", store.home], seconds: 60, in: folder).memory
    )
    if name != "newsdata.plist.cleared-1" { try Self.convert("\(store.home)/\(name)", to: form) }
    let run = try BoundedRun(
      [probe, "damage", store.home, name, "\(2_000 * ProofScale.factor)"],
      data: base.data + 50 << 20,
      // The limit ends endless work: the work itself takes a few seconds of a debug build.
      seconds: 300 * ProofScale.factor,
      in: folder,
      // Thousands of saves would wait for the disk, which other tests prove.
      leavingOut: "fsync-file,fsync-folder",
    )
    try #require(run.result.status == 0, "\(run.result.errorText.prefix(500))")
    let memory = try #require(run.memory).resident - base.resident
    print("damage: \(name), \(form): \(run.result.text.dropLast()), \(memory >> 20) MB")
    #expect(memory < 50 << 20)
  }

  @Test("is so too where the next save keeps its objects as they are")
  func keptObjects() throws {
    try everyPlace(name: "newsdata.plist", form: "saved")
  }

  private static func fill(_ store: LibraryStore, _ count: Int = 1) throws {
    var item = Item(title: "A – é", link: "https://example.org/a", pubDate: "Mon, 18 Mar 2019")
    item.summary = "S"
    item.categories = ["c"]
    item.enclosures = [Enclosure(url: "https://example.org/a.mp3", type: "audio/mpeg", length: 7)]
    var story = StoredItem(id: "0123456789abcde0", item: item, feeds: ["u"], stored: .distantPast)
    story.isRead = true
    story.tags = ["t", "é"]
    var feed = Subscription(url: "https://example.org/feed", title: "F")
    feed.tags = ["t"]
    feed.state.validators = CacheValidators(etag: "\"1\"", lastModified: nil, url: "u")
    feed.state.evicted = [1]
    let stories = StoryChanges(adding: [story] + (1...count).map { ShapedStore.story($0) })
    try store.update { (_) in
      var change = LibraryChange(stories, subscriptions: [feed])
      change.outlines = outlines
      change.rules = rules
      return (change, ())
    }
    // The store is as it was after many runs, with the numbers of an earlier version.
    try store.append(RunRecord(started: .distantPast, command: "refresh", outcome: .newData))
    try rename("runs.plist", to: "ledger.plist", in: store.home)
    try store.append(RunRecord(started: .distantPast, command: "fetch", outcome: .newData))
    try store.saveListing(["0123456789abcde0", "é"].map(StoryID.init), positions: [0, 1])
    for list in try namesInFolder("\(store.home)/listings") {
      try rename("listings/\(list)", to: "listing.plist", in: store.home)
    }
  }

  private static var rules: [StoryRule] {
    var (rule, search) = (StoryRule(name: "é"), StoryRule(name: "s"))
    rule.feeds = ["https://example.org/feed", "tag:t"]
    rule.actions = [.read, .tag("x")]
    search.grep = ["a", "/b/"]
    search.isUnread = true
    return [rule, search]
  }

  private static func rename(_ old: String, to new: String, in home: String) throws {
    try Shell.run("mv \"$0\" \"$1\"", ["\(home)/\(old)", "\(home)/\(new)"])
  }

  private static func convert(_ path: String, to form: String) throws {
    guard form != "saved" else { return }
    try Shell.run("plutil -convert \"$0\" \"$1\"", [form, path])
  }

  private static var outlines: OutlineDocument {
    var document = OutlineDocument()
    document.attributes = [OutlineAttribute("xmlns:x", "https://example.org/x")]
    document.head = [OutlineElement(name: "title", text: "My – list")]
    document.body = [
      OutlineElement(
        attributes: [OutlineAttribute("text", "Folder")],
        children: [OutlineElement(feed: "https://example.org/feed")],
      )
    ]
    return document
  }

  private static func clearOne(_ store: LibraryStore) throws {
    try store.update { (library) in
      var change = LibraryChange(StoryChanges(adding: [], removing: [0]))
      change.stories.adjusted[1] = ItemAdjustment(feeds: ["https://example.org/other"])
      change.feeds.subscriptions = library.subscriptions.map { $0.forgettingStories() }
      change.origin = ChangeOrigin(command: "clear --feed", date: .distantPast)
      return (change, ())
    }
  }

  /// Sets the data file aside, and stores one story that was in it and a new one.
  private static func clearAll(_ store: LibraryStore, as form: String) throws {
    let path = store.dataPath
    try convert(path, to: form)
    try setModificationTime(of: path, seconds: 1_790_000_000)
    try store.clearStories(by: ChangeOrigin(command: "clear", date: .distantPast))
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: [ShapedStore.story(1)])), ())
    }
  }
}
