import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@Suite("The store, against what others do to its files")
struct StoreDefenceTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  private func save(_ stories: [StoredItem]) throws {
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: stories)), ())
    }
  }

  private func fill(_ count: Int) throws {
    try save((0..<count).map(fullItem))
  }

  @Test("A file that is cut short while it is read is an error, not the end of the process")
  func cutShort() throws {
    try fill(2_000)
    let items = try store.read().items
    #expect(truncate(store.dataPath, 4_096) == 0)
    #expect(throws: StorageError.self) {
      for index in 0..<items.count { _ = try items.item(at: index) }
    }
  }

  @Test("A file that is cut short, or written in place, while it is saved stays as it was left")
  func changedMeanwhile() throws {
    for cut in [0, 4_096, 100_000] {
      _ = try? store.clearStories()
      try fill(2_000)
      let path = store.dataPath
      let error = #expect(throws: StorageError.self) {
        try store.update { (library) in
          truncate(path, cut)
          return (
            LibraryChange(StoryChanges(adding: [fullItem(9)])), (),
          )
        }
      }
      #expect(error?.description.contains("another program") == true)
      #expect(try readFile(path).count == cut)
      #expect(try namesInFolder(folder.path("home")) == ["lock", "newsdata.plist"])
    }
  }

  @Test("A file that another program replaces while it is saved is left to that program")
  func replacedMeanwhile() throws {
    try fill(3)
    let path = store.dataPath
    let foreign = try folder.write("<plist><array/></plist>", to: "foreign")
    #expect(throws: StorageError.self) {
      try store.update { (library) in
        rename(foreign, path)
        return (LibraryChange(StoryChanges(adding: [fullItem(9)])), ())
      }
    }
    #expect(try readText(path) == "<plist><array/></plist>")
  }

  @Test("A folder that everybody may write to is refused, a sticky one is not")
  func openFolder() throws {
    try fill(1)
    chmod(store.home, 0o777)
    #expect(
      throws: StorageError.refused(
        "everybody may write to the folder \(store.home): nothing is saved there"
      )
    ) { try save([fullItem(2)]) }
    #expect(try store.read().items.count == 1)
    chmod(store.home, 0o1777)
    try save([fullItem(2)])
  }

  @Test("A data file that everybody may write is readable by the same after a save, no more")
  func openFile() throws {
    try fill(1)
    chmod(store.dataPath, 0o666)
    try save([fullItem(2)])
    #expect(try Subprocess.run(["stat", "-c", "%a", store.dataPath]).text == "664\n")
  }

  @Test("Two homes whose links lead to one data file exclude each other")
  func twoHomes() throws {
    let shared = folder.path("shared")
    mkdir(shared, 0o700)
    let stores = ["a", "b"].map { LibraryStore(home: folder.path($0)) }
    for store in stores {
      try store.prepareHome()
      symlink("../shared/data.plist", store.dataPath)
    }
    let threads = try (0..<4).map { writer in
      try TestThread {
        for number in 0..<10 {
          _ = try? stores[writer % 2].update { (library) in
            let item = fullItem(writer * 100 + number)
            return (LibraryChange(StoryChanges(adding: [item])), ())
          }
        }
      }
    }
    for thread in threads { thread.join() }
    let items = try stores[0].read().items
    #expect(items.count == 40)
    #expect(try Set((0..<items.count).map { try items.story(at: $0).string(.link) }).count == 40)
    #expect(try namesInFolder(shared) == ["data.plist"])
  }

  private static let bindSocket =
    "python3 -c 'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' \"$0\""

  @Test(
    "What is no file in the lock's place is refused by name, not waited for and not written to",
    arguments: [
      ("mkfifo \"$0\"", "a pipe"), ("mkdir \"$0\"", "a folder"), (bindSocket, "a socket"),
      ("ln -s newsdata.plist \"$0\"", "a symbolic link"),
      ("ln -s /dev/null \"$0\"", "a symbolic link"),
    ],
  )
  func noFileAsLock(_ command: String, _ kind: String) throws {
    try refuseLock(made: command, kind)
  }

  @Test(
    "A device in the lock's place is refused by name",
    .enabled(if: geteuid() == 0, "making a device needs root"),
  )
  func deviceAsLock() throws {
    try refuseLock(made: "mknod \"$0\" c 1 3", "a device")
  }

  private func refuseLock(made command: String, _ kind: String) throws {
    try fill(1)
    let before = try readFile(store.dataPath)
    let lock = folder.path("home/lock")
    let made = try Subprocess.run(["/bin/sh", "-c", "rm \"$0\" && \(command)", lock])
    #expect(made.status == 0, "\(made.errorText)")
    #expect(try store.homeFile("lock")?.kind == kind)
    let error = #expect(throws: StorageError.notAFile(path: lock, kind: kind)) {
      try save([fullItem(2)])
    }
    #expect(error?.description == "\(lock) is \(kind), not a file")
    #expect(try readFile(store.dataPath) == before)
  }

  @Test("A link whose target is no text is refused, not repaired into another name")
  func brokenName() throws {
    try store.prepareHome()
    let target: [CChar] = [0x61, -1, 0x62, 0]
    symlink(target, store.dataPath)
    #expect(throws: StorageError.self) { try fill(1) }
    #expect(try namesInFolder(store.home) == ["newsdata.plist"])
  }

  @Test("A file larger than 2 GiB is refused before it is looked at")
  func tooLarge() throws {
    try fill(1)
    #expect(truncate(store.dataPath, 3 << 30) == 0)
    #expect(throws: StorageError.tooLarge(path: store.dataPath, limit: 2 << 30)) {
      try store.read()
    }
  }

  @Test("Control characters in the names of files do not get into messages")
  func safeMessages() {
    let error = StorageError.system(action: "open", path: "/tmp/\u{1b}[31mx\ny", reason: "r")
    #expect(error.description == "cannot open /tmp/ [31mx y: r")
  }

  @Test("The greatest and least numbers in the store's files can be calculated with")
  func extremeNumbers() throws {
    try store.prepareHome()
    let extremes: [PropertyListValue] = [.integer(.max), .integer(.min), .unsigned(.max)]
    for number in extremes {
      let hints: PropertyListDictionary = [
        "timeToLive": number, "updateFrequency": number, "updatePeriod": number,
        "skipHours": .array([number]), "updateBase": .date(1e300),
      ]
      let state: PropertyListDictionary = [
        "failures": number, "lastStatus": number, "hints": .dictionary(hints), "rhythm": number,
        "nextDue": .date(-1e300),
        "pendingMove": .dictionary([
          "url": .string("u"), "days": number, "lastSeen": .date(0),
        ]),
      ]
      let feed = PropertyListValue.dictionary(["url": .string("u"), "state": .dictionary(state)])
      try folder.write(
        PropertyList.encode(.dictionary(["feeds": .array([feed])])),
        to: "home/feeds.plist",
      )
      let read = try #require(try store.read().subscriptions.first).state
      #expect(read.failures + 1 > 0)
      #expect(read.nextDue == nil)
      #expect((read.pendingMove?.days ?? 0) + 1 > 0)
      #expect((read.hints.timeToLive ?? 0) * 60 >= 0)
      let run: PropertyListDictionary = [
        "started": .date(0), "outcome": .string("noData"), "asked": number,
        "seconds": .real(.infinity),
      ]
      try folder.write(PropertyList.encode(.array([.dictionary(run)])), to: "home/ledger.plist")
      let record = try #require(try store.ledger().first)
      #expect(record.asked >= 0 && record.seconds == 0)
    }
  }

  @Test("A story of a million keys costs no more than its first ones, and keeps them all")
  func manyKeys() throws {
    var story = PropertyListDictionary()
    story.append("title", .string("T"))
    for number in 0..<100_000 { story.append("k\(number)", .boolean(true)) }
    try store.prepareHome()
    try folder.write(
      PropertyList.encode(.array([.dictionary(story)])),
      to: "home/newsdata.plist",
    )
    try save([fullItem(1)])
    let bytes = PropertyListBytes(try readFile(store.dataPath))
    let stories = try #require(try PropertyList.value(bytes).array)
    #expect(stories[1].dictionary?.entries.count == 100_001)
    #expect(try store.read().items.story(at: 1).string(.title) == "T")
  }

  @Test("Subscriptions that share a dictionary of many keys are not looked through one by one")
  func sharedKeys() throws {
    var writer = BinaryPropertyListWriter()
    var feed: PropertyListDictionary = ["url": .string("https://example.org/feed")]
    for number in 0..<30_000 { feed.append("k\(number)", .boolean(true)) }
    let shared = writer.add(.dictionary(feed))
    let list = writer.add(array: Array(repeating: shared, count: 30_000))
    let root = writer.add(["feeds": .array([])], with: list, as: "feeds")
    try store.prepareHome()
    let path = try folder.write(writer.bytes(root: root), to: "home/feeds.plist")
    let before = try readFile(path)
    #expect(throws: StorageError.self) {
      try store.update { (library) in
        var subscriptions = library.subscriptions
        subscriptions[0].title = "x"
        return (LibraryChange(subscriptions: subscriptions), ())
      }
    }
    #expect(try readFile(path) == before)
  }

  @Test("Objects that overlap are not written out one by one")
  func overlappingObjects() throws {
    // A thousand strings all end where the last one does.
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for number in 0..<1_000 {
      offsets.append(bytes.count)
      let rest = (1_000 - number) * 4 - 4
      bytes += [0x5f, 0x11, UInt8(rest >> 8), UInt8(rest & 0xff)]
    }
    offsets.append(bytes.count)
    bytes += [0xaf, 0x11, 0x03, 0xe8]
    for number in 0..<1_000 { bytes += [UInt8(number >> 8), UInt8(number & 0xff)] }
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xff)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 2]
    for number in [offsets.count, 1_000, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    try store.prepareHome()
    let path = try folder.write(bytes, to: "home/newsdata.plist")
    #expect(throws: StorageError.self) { try save([fullItem(1)]) }
    #expect(try readFile(path) == bytes)
  }

  @Test("a host's date of an earlier version is no hold, and goes with the next save")
  func earlierHosts() throws {
    let feed: PropertyListValue = .dictionary(["url": .string("https://example.org/feed")])
    let root: PropertyListDictionary = [
      "feeds": .array([feed]), "hosts": .dictionary(["example.org": .date(800_000_000)]),
    ]
    try store.prepareHome()
    try folder.write(PropertyList.encode(.dictionary(root)), to: "home/feeds.plist")
    let library = try store.read()
    #expect(library.retryTimes.isEmpty && library.subscriptions.count == 1)
    try store.update { (library) in
      var subscriptions = library.subscriptions
      subscriptions[0].title = "x"
      return (LibraryChange(subscriptions: subscriptions), ())
    }
    let saved = PropertyListBytes(try readFile(folder.path("home/feeds.plist")))
    #expect(try PropertyList.value(saved).dictionary?["hosts"] == nil)
  }
}
