import FeedModel
import FeedStorage
import PropertyLists
import System
import TestSupport
import Testing

func fullItem(_ number: Int) -> StoredItem {
  var item = Item(
    title: "Story \(number) – café 🗞",
    link: "https://example.org/\(number)",
    pubDate: "Mon, 18 Mar 2019 14:02:11 GMT",
    date: Date(timeIntervalSince1970: 1_552_917_731 - Double(number)),
    guid: "tag:\(number)",
  )
  item.guidIsPermaLink = number % 2 == 0
  item.author = "A. Writer"
  item.summary = "What happened, number \(number)"
  item.categories = ["technology", "news"]
  item.enclosures = [
    Enclosure(
      url: "https://example.org/\(number).mp3",
      type: "audio/mpeg",
      length: 12_345,
      duration: 61,
    ),
    Enclosure(url: "https://example.org/\(number).pdf"),
  ]
  item.related = [
    RelatedFile(
      role: .alternate,
      url: "https://example.org/\(number).mp4",
      type: "video/mp4",
      length: 123,
      language: "en",
    ),
    RelatedFile(role: .transcript, url: "https://example.org/\(number).vtt"),
  ]
  item.comments = "https://example.org/\(number)#comments"
  (item.season, item.episode) = (number % 4 == 0 ? nil : 300, number + 1)
  var stored = StoredItem(
    id: String(repeating: "0", count: 12) + String(1_000 + number % 9_000),
    item: item,
    feeds: ["https://example.org/feed", "https://example.net/feed"],
    stored: Date(timeIntervalSince1970: 1_552_920_000),
  )
  stored.isRead = number % 3 == 0
  stored.isStarred = number % 5 == 0
  return stored
}

@Suite("The store")
struct LibraryStoreTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  private func save(_ changes: StoryChanges) throws {
    try store.update { (_) in (LibraryChange(changes), ()) }
  }

  private func save(_ stories: [StoredItem]) throws { try save(StoryChanges(adding: stories)) }

  @Test("is empty where there is no home")
  func empty() throws {
    let library = try store.read()
    #expect(library.items.count == 0)
    #expect(library.subscriptions == [])
    #expect(try store.listing() == nil)
    #expect(try store.ledger() == [])
  }

  @Test("a mark changes nothing else of a story")
  func marks() throws {
    let stories = (0..<12).map(fullItem)
    try save(stories)
    func marking(_ positions: Range<Int>, _ marks: ItemMarks, _ changes: inout StoryChanges) {
      for position in positions { changes.adjusted[position] = ItemAdjustment(marks: marks) }
    }
    var some = StoryChanges()
    marking(1..<5, [.read: true], &some)
    marking(5..<8, [.starred: false], &some)
    marking(8..<11, [.read: false, .starred: true], &some)
    try save(some)
    var expected = stories
    for number in 1..<5 { expected[number].isRead = true }
    for number in 5..<8 { expected[number].isStarred = false }
    for number in 8..<11 { (expected[number].isRead, expected[number].isStarred) = (false, true) }
    #expect(try store.items() == expected)
    var all = StoryChanges(adding: [fullItem(12)], before: 12)
    marking(0..<12, [.read: true], &all)
    try save(all)
    for number in 0..<12 { expected[number].isRead = true }
    #expect(try store.items() == expected + [fullItem(12)])
  }

  @Test("gives back every property of a story")
  func roundTrip() throws {
    let stories =
      (0..<40).map(fullItem) + [StoredItem(id: "1", item: Item(), feeds: [], stored: nil)]
    try save(stories)
    #expect(try store.items() == stories)
  }

  @Test("keeps, replaces, inserts and drops by place")
  func edits() throws {
    let stories = (0..<10).map(fullItem)
    try save(stories)
    var changes = StoryChanges(adding: [fullItem(90)], removing: [4])
    changes.replaced[5] = fullItem(95)
    try save(changes)
    #expect(
      try store.items() == [fullItem(90)] + stories[0..<4] + [fullItem(95)] + stories[6..<10]
    )
  }

  @Test("finds a story by the id that it is known by, where another program gave it a longer one")
  func longID() throws {
    let long = String(repeating: "x", count: 5_000)
    try save([fullItem(1), StoredItem(id: long, item: Item(title: "T"), feeds: [], stored: nil)])
    let table = try store.read().items
    let id = try table.id(at: 1)
    #expect(id.utf8.count == 16)
    #expect(try table.index(ofID: id) == 1)
  }

  @Test("keeps what another program put into a story")
  func unknownKeys() throws {
    try save([])
    try folder.write(
      """
      <?xml version="1.0"?><plist version="1.0"><array>
      <dict><key>title</key><string>A &amp; B</string><key>pubDate</key><string/>
      <key>link</key><string>https://example.org/a</string>
      <key>rating</key><integer>5</integer>
      <key>more</key><dict><key>x</key><array><real>1.5</real></array></dict></dict>
      <dict><key>more</key><integer>7</integer></dict></array></plist>
      """,
      to: "home/newsdata.plist",
    )
    let table = try store.read().items
    #expect(table.count == 2)
    var story = try table.item(at: 0)
    #expect(story.item.title == "A & B")
    #expect(story.id.count == 16)
    #expect(try table.item(at: 1).item == Item())
    story.isRead = true
    var changes = StoryChanges(adding: [fullItem(1)])
    changes.replaced[0] = story
    try save(changes)
    let json = try Subprocess.run(
      [
        "python3", "-c",
        "import plistlib,sys;l=plistlib.load(open(sys.argv[1],'rb'));print(l[1]['rating'],l[1]['more'],l[1]['read'],l[2])",
        folder.path("home/newsdata.plist"),
      ])
    #expect(json.text == "5 {'x': [1.5]} True {'more': 7}\n")
    #expect(try store.items()[1] == story)
  }

  @Test("takes of files beside a story what it knows, and does without them")
  func relatedFiles() throws {
    try save([])
    try folder.write(
      """
      <?xml version="1.0"?><plist version="1.0"><array>
      <dict><key>title</key><string>before there were any</string></dict>
      <dict><key>related</key><string>no list</string></dict>
      <dict><key>related</key><array><integer>1</integer>
      <dict><key>role</key><string>hologram</string><key>url</key><string>https://a/1</string></dict>
      <dict><key>role</key><string>chapters</string></dict>
      <dict><key>role</key><string>chapters</string><key>url</key><string>https://a/2</string>
      <key>length</key><string>7</string></dict></array></dict></array></plist>
      """,
      to: "home/newsdata.plist",
    )
    let items = try store.items()
    #expect(items.map(\.item.related).prefix(2) == [[], []])
    #expect(items[2].item.related == [RelatedFile(role: .chapters, url: "https://a/2")])
  }

  @Test("is read by plutil, plistutil and plistlib", arguments: [0, 1, 14, 15, 300])
  func otherReaders(count: Int) throws {
    try save((0..<count).map(fullItem) + [fullItem(7)])
    let path = folder.path("home/newsdata.plist")
    #expect(try Subprocess.run(["plutil", "-lint", path]).status == 0)
    #expect(try Subprocess.run(["plistutil", "-i", path, "-o", folder.path("x")]).status == 0)
    let titles = try Subprocess.run(
      [
        "python3", "-c",
        "import plistlib,sys;l=plistlib.load(open(sys.argv[1],'rb'));print(len(l),l[-1]['title'],l[-1]['date'],len(l[-1]['enclosures']))",
        path,
      ],
      environment: ["PYTHONIOENCODING": "utf-8"],
    )
    #expect(titles.text == "\(count + 1) Story 7 – café 🗞 2019-03-18 14:02:04 2\n")
  }

  @Test("writes its files for this user alone, whatever the umask")
  func modes() throws {
    try save([fullItem(1)])
    let modes = try Subprocess.run(
      ["stat", "-c", "%a", folder.path("home"), folder.path("home/newsdata.plist")])
    #expect(modes.text == "700\n600\n")
  }

  @Test("keeps the mode of a data file, and a symbolic link in its place")
  func linkAndMode() throws {
    try save([fullItem(1)])
    let shell = """
      cd "$0" && mkdir elsewhere && mv home/newsdata.plist elsewhere/data &&
      chmod 640 elsewhere/data && ln -s ../elsewhere/data home/newsdata.plist
      """
    #expect(try Subprocess.run(["sh", "-c", shell, folder.path]).status == 0)
    try save([fullItem(2)])
    let after = try Subprocess.run(
      ["sh", "-c", "stat -c %a elsewhere/data; readlink home/newsdata.plist; ls -A elsewhere"],
      folder: folder.path,
    )
    #expect(after.text == "640\n../elsewhere/data\ndata\n")
    #expect(try store.items().count == 2)
  }

  @Test("leaves a damaged data file as it is and says what is wrong with it")
  func damaged() throws {
    try save([fullItem(1)])
    for (bytes, reason) in [
      ("", "the file is empty"), ("<html></html>", "not a property list"),
      ("bplist00", "the property list is cut off"), ("{\"a\":1}", "not a property list"),
    ] {
      let path = try folder.write(bytes, to: "home/newsdata.plist")
      let error = StorageError.damaged(path: path, reason: reason)
      #expect(throws: error) { try store.read() }
      #expect(throws: error) { try save([fullItem(2)]) }
      #expect(try readText(path) == bytes)
    }
  }

  @Test("refuses a folder and a pipe in place of the data file, without waiting")
  func notAFile() throws {
    try store.prepareHome()
    for (command, kind) in [("mkdir", "a folder"), ("mkfifo", "a pipe")] {
      let path = folder.path("home/newsdata.plist")
      _ = try Subprocess.run([command, path])
      #expect(throws: StorageError.notAFile(path: path, kind: kind)) { try store.read() }
      #expect(throws: StorageError.notAFile(path: path, kind: kind)) {
        try save([fullItem(1)])
      }
      _ = try Subprocess.run(["rm", "-r", path])
    }
  }

  @Test("refuses subscriptions of a newer version, and keeps what it does not know in old ones")
  func versions() throws {
    try store.prepareHome()
    func write(version: Int) throws {
      try folder.write(
        """
        <plist><dict><key>version</key><integer>\(version)</integer><key>theme</key><true/>
        <key>feeds</key><array><dict><key>url</key><string>https://a.example/</string>
        <key>colour</key><string>red</string>
        <key>state</key><dict><key>mood</key><string>fair</string></dict></dict></array></dict></plist>
        """,
        to: "home/feeds.plist",
      )
    }
    try write(version: 99)
    #expect(
      throws: StorageError.newerVersion(
        path: folder.path("home/feeds.plist"),
        version: 99,
        supported: 2,
      )
    ) { try store.read() }
    try write(version: 1)
    try store.update { (library) in
      var subscriptions = library.subscriptions
      subscriptions[0].state.failures = 3
      return (LibraryChange(subscriptions: subscriptions), ())
    }
    let text = try Subprocess.run(
      [
        "python3", "-c",
        "import plistlib,sys;d=plistlib.load(open(sys.argv[1],'rb'));print(d['theme'],d['feeds'][0]['colour'],d['feeds'][0]['state'])",
        folder.path("home/feeds.plist"),
      ])
    #expect(text.text == "True red {'mood': 'fair', 'failures': 3}\n")
  }

  @Test("writes nothing when nothing changes")
  func unchanged() throws {
    try save([fullItem(1)])
    let path = folder.path("home/newsdata.plist")
    let before = try Subprocess.run(["stat", "-c", "%i", path]).text
    try save([])
    try store.update { (_) in (LibraryChange(), ()) }
    #expect(try Subprocess.run(["stat", "-c", "%i", path]).text == before)
  }

  @Test("forgets validators with the stories, keeps the subscriptions")
  func clear() throws {
    var subscription = Subscription(url: "https://example.org/feed", title: "Mine")
    subscription.state.validators = CacheValidators(etag: "\"1\"", lastModified: nil, url: "u")
    subscription.state.bodyDigest = "T"
    subscription.state.failures = 2
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: [fullItem(1)]), subscriptions: [subscription]), ())
    }
    try store.saveListing(["1"], positions: [0])
    try store.clearStories()
    let library = try store.read()
    #expect(library.items.count == 0)
    #expect(library.subscriptions[0].state.validators == nil)
    #expect(library.subscriptions[0].state.bodyDigest == nil)
    #expect(library.subscriptions[0].title == "Mine")
    #expect(library.subscriptions[0].state.failures == 2)
    #expect(try store.listing() == nil)
  }

  @Test("gives back every property of a subscription")
  func subscriptions() throws {
    var subscription = Subscription(url: "https://example.org/feed", title: "Mine")
    subscription.tags = ["a", "b/c"]
    subscription.move(to: "https://example.org/moved")
    var state = FeedState()
    state.title = "T"
    state.link = "https://example.org/"
    state.validators = CacheValidators(
      etag: "W/\"1\"",
      lastModified: "yesterday",
      url: "u",
      isETagIgnored: true,
    )
    state.bodyDigest = "d"
    state.concessions = [.noCoding, .anyType]
    state.bodyBytes = 1_234
    state.lastAsked = Date(timeIntervalSince1970: 1_700_000_000)
    state.lastSucceeded = Date(timeIntervalSince1970: 1_700_000_001)
    state.lastOutcome = .noData
    state.lastError = "e"
    state.lastStatus = 304
    state.failures = 4
    state.isUnreachable = true
    state.unreachedSince = Date(timeIntervalSince1970: 1_700_000_009)
    state.nextDue = Date(timeIntervalSince1970: 1_700_000_002)
    state.lastUnconditional = Date(timeIntervalSince1970: 1_700_000_003)
    state.isGone = true
    state.pendingMove = PendingMove(
      url: "https://example.org/new",
      days: 2,
      lastSeen: Date(timeIntervalSince1970: 1_700_000_004),
      firstSeen: Date(timeIntervalSince1970: 1_700_000_000),
    )
    state.hints.timeToLive = 60
    state.hints.skipHours = [1, 2]
    state.hints.skipDays = [0]
    state.hints.updatePeriod = .seconds(3_600)
    state.hints.updateFrequency = 2
    state.hints.updateBase = Date(timeIntervalSince1970: 1_700_000_005)
    state.rhythm = .seconds(900)
    state.evicted = [1, .max]
    state.cleared = [.max - 1, 0]
    state.formerURLs = ["https://example.org/old"]
    subscription.state = state
    let hold = RetryTime(
      server: "https://example.org",
      status: 503,
      since: Date(timeIntervalSince1970: 1_700_000_005),
      until: Date(timeIntervalSince1970: 1_700_000_006),
    )
    let holds = [hold.server: hold, "https://example.net/feed": hold]
    try store.update { (_) in
      var change = LibraryChange(subscriptions: [subscription])
      change.feeds.retryTimes = holds
      return (change, ())
    }
    #expect(try store.read().subscriptions == [subscription])
    #expect(try store.read().retryTimes == holds)
  }

  @Test("remembers a listing and a record of runs")
  func records() throws {
    try store.saveListing(["b", "a"], positions: [7, 0])
    let listing = try #require(try store.listing())
    #expect(listing.count == 2)
    #expect(try listing.story(1) == ("b", 7))
    #expect(try listing.story(2) == ("a", 0))
    try store.forgetListing()
    #expect(try store.listing() == nil)
    var run = RunRecord(
      started: Date(timeIntervalSince1970: 1),
      command: "fetch",
      outcome: .newData,
    )
    run.asked = 3
    run.seconds = 0.25
    (run.isOnlyDue, run.requests, run.bytes) = (true, 4, 51_333)
    (run.unchanged, run.savedBytes) = (3, 40_000)
    try store.append(run)
    try store.append(run)
    #expect(try store.ledger() == [run, run])
  }

  @Test("forgets the oldest run of ten thousand for a new one")
  func manyRuns() throws {
    let runs = (0..<10_000).map { number in
      PropertyListValue.dictionary([
        "started": .date(Double(number)), "command": .string("fetch"),
        "outcome": .string("noData"),
      ])
    }
    try store.prepareHome()
    try folder.write(PropertyList.encode(.array(runs)), to: "home/ledger.plist")
    let last = RunRecord(started: .distantPast, command: "refresh", outcome: .newData)
    try store.append(last)
    let ledger = try store.ledger()
    #expect(ledger.count == 10_000 && ledger.last == last)
    #expect(ledger.first?.started == Date(timeIntervalSinceReferenceDate: 1))
    // Earlier versions did not count what a 304 saves.
    #expect(ledger.first?.unchanged == 0 && ledger.first?.savedBytes == 0)
  }

  @Test("writes the large record of runs seldom, and none of it twice where it was stopped")
  func foldedRuns() throws {
    let runs = (0..<130).map { number in
      RunRecord(
        started: Date(timeIntervalSince1970: Double(number)),
        command: "fetch",
        outcome: .noData,
      )
    }
    var sizes: Set<Int> = []
    for (number, run) in runs.enumerated() {
      // A run was stopped between the two files: the last runs are in both.
      let recent = folder.path("home/runs.plist")
      let before = number == 64 ? try readFile(recent) : nil
      try store.append(run)
      if let before {
        try writeFile(recent, before)
        #expect(try store.ledger() == Array(runs[..<64]))
        try store.append(run)
      }
      #expect(try store.ledger() == Array(runs[...number]))
      if let bytes = try? readFile(folder.path("home/ledger.plist")) { sizes.insert(bytes.count) }
      #expect(try readFile(recent).count < 16_384)
    }
    #expect(sizes.count == 2)
  }

  @Test("waits for another writer and then says who it is")
  func locked() throws {
    try store.prepareHome()
    let holder = try Subprocess(
      ["flock", "--no-fork", folder.path("home/lock"), "sh", "-c", "echo locked; exec sleep 100"])
    #expect(try holder.readLine() == "locked")
    let error = #expect(throws: StorageError.self) {
      try store.update(waitAtMost: .milliseconds(20)) { (_) in
        (LibraryChange(StoryChanges(adding: [fullItem(1)])), ())
      }
    }
    let lock = folder.path("home/lock")
    let unknown = "another news is writing (an unknown process): waited 0 s for \(lock)"
    #expect(error?.description == unknown)
    // A writer leaves its number; the number of one that was killed names nobody.
    for (number, name) in [(holder.pid, "process \(holder.pid)"), (.max, "an unknown process")] {
      try writeFile(lock, "process \(number)".utf8)
      #expect(
        throws: StorageError.locked(path: lock, holder: name, seconds: 0)
      ) {
        let run = RunRecord(started: .distantPast, command: "fetch", outcome: .noData)
        try store.append(run, waitAtMost: .milliseconds(20))
      }
    }
  }

  @Test("leaves no name in the lock once it is free")
  func freeLock() throws {
    try save([fullItem(1)])
    #expect(try readFile(folder.path("home/lock")) == [])
  }
}
