import FeedModel
import FeedStorage
import PropertyLists
import TestSupport
import Testing

@testable import System

@Suite("The numbers of a list")
struct ListingTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
    try store.prepareHome()
  }

  private var file: String { "\(TerminalSession.current().name).plist" }
  private var path: String { folder.path("home/listings/\(file)") }
  private var draft: String { folder.path("home/listings/.\(file).draft") }

  private func numbered() throws -> [String] {
    let listing = try #require(try store.listing())
    return try (0..<listing.count).map { number in
      let story = try listing.story(number + 1)
      return "\(story.id) \(story.position)"
    }
  }

  @Test("are kept while another program holds the store's lock")
  func withoutLock() throws {
    let holder = try Subprocess(
      ["flock", "--no-fork", folder.path("home/lock"), "sh", "-c", "echo locked; exec sleep 100"]
    )
    #expect(try holder.readLine() == "locked")
    try store.saveListing(["a", "b"], positions: [3, 4])
    #expect(try numbered() == ["a 3", "b 4"])
  }

  @Test("are whole, whoever writes them at the same time, and nothing is left behind")
  func together() throws {
    let store = store
    let threads = try (0..<4).map { writer in
      try TestThread {
        for round in 0..<50 {
          let count = 1 + (writer * 50 + round) % 40
          let ids = (0..<count).map { _ in StoryID("\(writer)-\(count)") }
          try? store.saveListing(ids, positions: Array(0..<count))
        }
      }
    }
    for _ in 0..<200 {
      guard let listing = try store.listing() else { continue }
      let ids = try (0..<listing.count).map { try listing.story($0 + 1).id }
      #expect(Set(ids).count == 1)
      #expect(ids.first?.hasSuffix("-\(ids.count)") == true)
    }
    for thread in threads { thread.join() }
    #expect(try namesInFolder(folder.path("home")) == ["listings"])
    #expect(try namesInFolder(folder.path("home/listings")) == [file])
  }

  @Test("take over what a killed list left behind, and stand where a link leads")
  func leftBehind() throws {
    mkdir(folder.path("home/listings"), 0o700)
    let half = try folder.write(
      "bplist00 half of it, and more of it than is needed",
      to: "home/x",
    )
    #expect(rename(half, draft) == 0)
    try store.saveListing(["a"], positions: [0])
    #expect(try numbered() == ["a 0"])
    mkdir(folder.path("other"), 0o700)
    #expect(rename(path, folder.path("other/list")) == 0)
    symlink("../../other/list", path)
    try store.saveListing(["b"], positions: [1])
    #expect(try numbered() == ["b 1"])
    #expect(try namesInFolder(folder.path("other")) == ["list"])
  }

  @Test("are not written again while they stay the same")
  func unchanged() throws {
    func inode() throws -> UInt {
      var status = stat()
      try #require(stat(path, &status) == 0)
      return UInt(status.st_ino)
    }
    try store.saveListing(["a", "b"], positions: [0, 1])
    let first = try inode()
    try store.saveListing(["a", "b"], positions: [0, 1])
    #expect(try inode() == first)
    try store.saveListing(["a", "c"], positions: [0, 1])
    #expect(try inode() != first)
    #expect(try numbered() == ["a 0", "c 1"])
  }

  @Test("are refused a folder that everybody may write to, and what is no file")
  func refused() throws {
    try store.saveListing(["a"], positions: [0])
    try makePipe(draft)
    #expect(throws: StorageError.self) { try store.saveListing(["b"], positions: [0]) }
    unlink(draft)
    chmod(store.home, 0o777)
    #expect(
      throws: StorageError.refused(
        "everybody may write to the folder \(store.home): nothing is saved there"
      )
    ) { try store.saveListing(["b"], positions: [0]) }
    #expect(try numbered() == ["a 0"])
  }

  @Test("are read where they stand without places, and where the file is damaged, not believed")
  func otherForms() throws {
    func write(_ value: PropertyListValue) throws {
      try folder.write(PropertyList.encode(value), to: "home/listing.plist")
    }
    try write(.array([.string("a"), .string("b"), .string("c")]))
    #expect(try numbered() == ["a 0", "b 1", "c 2"])
    try write(.array([.string("a")]))
    #expect(try numbered() == ["a 0"])
    try write(.array([]))
    #expect(try numbered() == [])
    try write(.array([.integer(1), .string("b")]))
    #expect(try numbered() == [" 0", "b 1"])
    try write(
      .dictionary(["stories": .array([.integer(1), .integer(.min), .string("b"), .string("x")])])
    )
    #expect(try numbered() == [" 0", "b 0"])
    try write(.string("nothing"))
    #expect(try store.listing() == nil)
    try folder.write("", to: "home/listing.plist")
    #expect(throws: StorageError.self) { try store.listing() }
  }

  @Test("are each terminal session's own; one without any has the last of any session")
  func sessions() throws {
    let (own, other) = (TerminalSession.current(), TerminalSession(leader: 1))
    #expect(own != other && !own.hasEnded && !other.hasEnded)
    let ended = TerminalSession(name: "1-0")
    #expect(ended.hasEnded && TerminalSession(name: "x").hasEnded)
    func first(_ session: TerminalSession) throws -> String? {
      try store.listing(of: session)?.story(1).id
    }
    try store.saveListing(["a"], positions: [0], of: own)
    #expect(try first(other) == "a")
    try store.saveListing(["b"], positions: [0], of: other)
    #expect(try first(own) == "a")
    #expect(try first(ended) == "b")
    try store.saveListing(["c"], positions: [0], of: ended)
    #expect(try [own, other, ended].map(first) == ["a", "b", "c"])
    // A session without a list of its own counts by the last list of any.
    #expect(try first(TerminalSession(name: "2-0")) == "c")
    try store.saveListing(["d"], positions: [0], of: own)
    #expect(try first(TerminalSession(name: "2-0")) == "d")
    // The first list of a session clears away those of sessions that have ended.
    unlink(folder.path("home/listings/\(other.name).plist"))
    try store.saveListing(["e"], positions: [0], of: other)
    #expect(try namesInFolder(folder.path("home/listings")).count == 2)
    #expect(try [own, other, ended].map(first) == ["d", "e", "e"])
  }

  @Test("of an earlier version are read from its one file, until a session lists again")
  func oldFile() throws {
    let (own, other) = (TerminalSession.current(), TerminalSession(leader: 1))
    let old = PropertyListValue.array([.string("a"), .string("b")])
    try folder.write(PropertyList.encode(old), to: "home/listing.plist")
    func first(_ session: TerminalSession) throws -> String? {
      try store.listing(of: session)?.story(1).id
    }
    #expect(try [own, other].map(first) == ["a", "a"])
    try store.saveListing(["c"], positions: [0], of: own)
    #expect(try [own, other].map(first) == ["c", "c"])
    try setModificationTime(of: folder.path("home/listing.plist"), seconds: 1_790_000_000)
    try store.saveListing(["d"], positions: [0], of: other)
    #expect(try namesInFolder(folder.path("home")) == ["listings"])
    try store.forgetListing()
    #expect(try [own, other].map(first) == [nil, nil])
  }

  @Test("are kept for a session that nobody leads any more while somebody is in it")
  func leaderless() throws {
    let script = "setsid sh -c 'echo $$; sleep 100 > /dev/null & echo $!'; echo ended"
    let program = try Subprocess(["sh", "-c", script])
    let leader = try #require(pid_t(try program.readLine()))
    let member = try #require(pid_t(try program.readLine()))
    defer { kill(member, SIGKILL) }
    #expect(try program.readLine() == "ended")
    let session = TerminalSession(leader: leader)
    #expect(session.name == "\(leader)")
    try store.saveListing(["a"], positions: [0], of: session)
    try store.saveListing(["b"], positions: [0])
    #expect(try store.listing(of: session)?.story(1).id == "a")
    let empty = try Subprocess(["true"])
    _ = try empty.wait()
    #expect(!session.hasEnded && TerminalSession(name: "\(empty.pid)").hasEnded)
  }

  @Test("of several sessions are all kept, whoever writes them at the same time")
  func sessionsTogether() throws {
    let store = store
    let sessions = [TerminalSession.current(), TerminalSession(leader: 1)]
    let threads = try sessions.map { session in
      try TestThread {
        for round in 0..<100 {
          try? store.saveListing(["\(session.name) \(round)"], positions: [0], of: session)
        }
      }
    }
    for thread in threads { thread.join() }
    for session in sessions {
      #expect(try store.listing(of: session)?.story(1).id == "\(session.name) 99")
    }
  }

  @Test("have every id as it stands, whoever gave it")
  func ids() throws {
    let ids = [
      "0123456789abcdef", "0000000000000000", "0123456789ABCDEF", "é123456789abcde", "", "1",
    ]
    try store.saveListing(ids.map { StoryID($0) }, positions: Array(ids.indices))
    let listing = try #require(try store.listing())
    #expect(try (1...ids.count).map { try listing.story($0).id } == ids)
  }

  @Test("remember what was seen, and keep it where a list shows less")
  func seen() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    try store.saveListing(["a"], positions: [0], seen: date)
    try store.saveListing(["b"], positions: [0])
    #expect(try store.listing()?.seen == date)
    let other = TerminalSession(leader: 1)
    try store.saveListing(["c"], positions: [0], of: other)
    #expect(try store.listing(of: other)?.seen == date)
  }

  @Test("find a story wherever it went, from any place on")
  func places() throws {
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: (0..<30).map { fullItem($0) })), ())
    }
    let items = try store.read().items
    for index in 0..<30 {
      let id = try items.id(at: index)
      for place in [-5, 0, 7, 29, 30, 1_000, Int.max] {
        #expect(try items.index(ofID: id, near: place) == index)
      }
    }
    #expect(try items.index(ofID: "nobody", near: 3) == nil)
  }
}
