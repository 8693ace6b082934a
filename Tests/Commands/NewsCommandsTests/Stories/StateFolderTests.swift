import FeedStorage
import TestSupport
import Testing

@testable import CommandSupport
@testable import System

@Suite("What is no data of a home")
struct StateFolderTests {
  private let news: CommandRun
  private let feed: String

  init() throws {
    news = try CommandRun()
    news.variables = ["HOME": news.folder.path]
    feed = try news.folder.write(Sample.rss("Daily", ["One", "Two"]), to: "feed.xml")
  }

  private var home: String { news.folder.path(".local/share/news") }
  private var state: String { news.folder.path(".local/state/news") }

  private func fill(_ words: String...) {
    news.run(["subscribe", feed] + words)
    news.run(["list"] + words)
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test("lies in the folder for state, where the home is new and at its usual place")
  func newHome() throws {
    fill()
    #expect(isThere(state + "/listings") && !isThere(home + "/listings"))
    #expect(isThere(home + "/lock") && !isThere(state + "/lock"))
    #expect(FileStatus(at: state)?.mode == 0o700)
    try news.contextStore.save(BrowsePlace(source: ["--unread"]))
    #expect(isThere(state + "/browse.plist") && !isThere(home + "/browse.plist"))
    #expect(try news.contextStore.browsePlace()?.source == ["--unread"])
    let doctor = news("doctor", "--offline").output
    #expect(doctor.contains("ok\tstate\t\(state): ") && doctor.contains("ok\tlistings\t2 numbers"))
    #expect(doctor.contains("ok\tbrowse.plist\t74 bytes"))
    #expect(news("clear", "--history").status == 0 && !isThere(state + "/browse.plist"))
    news("clear", "--yes")
    #expect(try namesInFolder(state + "/listings").isEmpty)
  }

  @Test("is found by all processes, whatever names the home for them")
  func agreement() throws {
    fill()
    let stories = try news.contextStore.listing()?.count
    #expect(stories == 2)
    news.variables["NEWS_HOME"] = home
    #expect(try news.contextStore.listing()?.count == 2)
    news("list", "-n", "1")
    news.variables["NEWS_HOME"] = nil
    #expect(try news.contextStore.listing()?.count == 1 && !isThere(home + "/listings"))
    #expect(try news.contextStore.linkedFolders() == [state])
    let unit = news("schedule", "install", "--print", "--home", home).output
    #expect(unit.contains("\nReadWritePaths=\"-\(home)\" \"-\(state)\"\n"))
  }

  @Test("stays in a home that was there before, that has a name, or that another one has it before")
  func otherHomes() throws {
    _ = try Subprocess.run(["mkdir", "-p", home])
    fill()
    #expect(isThere(home + "/listings") && !isThere(state))
    let named = news.folder.path("named")
    fill("--home", named)
    #expect(isThere(named + "/listings") && !isThere(state))
    news.variables["NEWS_HOME"] = news.folder.path("second")
    fill()
    #expect(isThere(news.folder.path("second/listings")) && !isThere(state))
    news.variables["NEWS_HOME"] = nil
    news.variables["XDG_DATA_HOME"] = news.folder.path("third")
    fill()
    #expect(isThere(state + "/listings") && !isThere(news.folder.path("third/news/listings")))
    news.variables["XDG_DATA_HOME"] = news.folder.path("fourth")
    fill()
    #expect(isThere(news.folder.path("fourth/news/listings")))
    #expect(try namesInFolder(state + "/listings").count == 1)
  }

  @Test("stays in the home where the folder cannot be made, and on macOS")
  func noFolder() throws {
    try news.folder.write("", to: "state")
    news.variables["XDG_STATE_HOME"] = news.folder.path("state")
    fill()
    #expect(isThere(home + "/listings"))
    let mac = try CommandRun()
    mac.isMacOS = true
    mac.variables = ["HOME": mac.folder.path]
    mac.run(["subscribe", feed])
    mac("list")
    #expect(isThere(mac.folder.path("Library/Application Support/news/listings")))
    #expect(!isThere(mac.folder.path(".local")))
  }

  @Test("that is lost with its folder is made anew in the home")
  func lost() throws {
    fill()
    removeTree(state)
    #expect(try news.contextStore.listing() == nil)
    news("list")
    #expect(isThere(home + "/listings") && !isThere(state))
  }
}

extension CommandRun {
  /// The store of a command without options.
  fileprivate var contextStore: LibraryStore {
    get throws { try context.store() }
  }
}
