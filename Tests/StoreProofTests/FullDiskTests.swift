import FeedStorage
import TestSupport
import Testing

@Suite("A save with every amount of free space", .serialized)
struct FullDiskTests {
  private static let page = 4_096
  private let folder: TemporaryFolder
  private let news: String

  init() throws {
    folder = try TemporaryFolder()
    news = try BuiltProduct.path("news")
  }

  private func fill(_ home: String) throws -> [UInt8] {
    let store = LibraryStore(home: home)
    try store.update { (_) in
      (LibraryChange(StoryChanges(adding: (0..<400).map { ShapedStore.story($0) })), ())
    }
    return try readFile(store.dataPath)
  }

  /// Returns true if the command saved, and the harm of the save, or nil for none.
  private func problem(_ command: [String], home: String, _ old: [UInt8]) throws -> (Bool, String?)
  {
    let result = try Subprocess.run(command, environment: ["HOME": folder.path])
    let now = try readFile("\(home)/newsdata.plist")
    let listed = try Subprocess.run([news, "--home", home, "list"], environment: ["HOME": home])
    let count = listed.text.split(separator: "\n").count
    let extra = try namesInFolder(home).filter { $0.hasPrefix(".") }
    let isSaved = result.status == 0
    if isSaved == (now == old) {
      return (isSaved, "status \(result.status), and the other version")
    }
    if !isSaved, result.errors.isEmpty { return (isSaved, "no message") }
    if count != 400 { return (isSaved, "\(count) of 400 stories") }
    return (isSaved, extra.isEmpty ? nil : "left over: \(extra)")
  }

  @Test(
    "of a small disk keeps the old version or brings the new one",
    .enabled(if: MountedFileSystem.isAllowed, "mounting a small disk needs root"),
  )
  func freeSpace() throws {
    let mount = folder.path("disk")
    let disk = try MountedFileSystem(["-t", "tmpfs", "-o", "size=1m", "tmpfs"], at: mount)
    let home = "\(mount)/home"
    let old = try fill(home)
    let steps = 3 * old.count / Self.page + 1
    var saved = 0
    for step in 0..<steps {
      let space = """
        rm -f "$0/filler"; free=$(($(stat -f -c '%a * %S' "$0")))
        head -c $((free - $1 * 4096)) /dev/zero > "$0/filler"
        """
      _ = try Subprocess.run(["sh", "-c", space, mount, "\(step)"])
      let (isSaved, problem) = try problem([news, "--home", home, "read", "1"], home: home, old)
      #expect(problem == nil, "\(step) pages free")
      saved += isSaved ? 1 : 0
      _ = try Subprocess.run(["rm", "\(mount)/filler"])
      try writeFile("\(home)/newsdata.plist", old)
    }
    print("full disk: \(steps) amounts of free space, \(saved) saved, \(steps - saved) refused")
    #expect(saved > steps / 3 && saved < steps)
    try disk.unmount()
  }

  /// Returns a feed of stories whose texts are longer than a summary, with a word at their ends.
  private static func feed(_ count: Int) -> String {
    let items = (0..<count).map { number in
      let text = String(repeating: "Text of story \(number). ", count: 200)
      return "<item><guid>\(number)</guid><title>\(number)</title><description>\(text)needle"
        + "</description></item>"
    }
    return "<rss version=\"2.0\"><channel><title>Long</title>\(items.joined())</channel></rss>"
  }

  @Test(
    "of a small disk stores stories with their whole texts, or neither, and the next fetch all of them",
    .enabled(if: MountedFileSystem.isAllowed, "mounting a small disk needs root"),
  )
  func texts() throws {
    let mount = folder.path("disk")
    let disk = try MountedFileSystem(["-t", "tmpfs", "-o", "size=4m", "tmpfs"], at: mount)
    let home = "\(mount)/home"
    func run(_ words: String...) throws -> Subprocess.Result {
      try Subprocess.run([news, "--home", home] + words, environment: ["HOME": folder.path])
    }
    func shell(_ line: String) throws {
      _ = try Subprocess.run(["sh", "-c", line, mount])
    }
    /// Returns the numbers of stories, and of those whose whole texts can be read.
    func counts() throws -> [Int] {
      try [run("list"), run("list", "--grep", "needle")].map { result in
        result.text.split(separator: "\n").count
      }
    }
    let path = try folder.write(Self.feed(10), to: "feed.xml")
    #expect(try run("subscribe", path).status == 0)
    try shell("cp -a \"$0/home\" \"$0/before\"")
    try folder.write(Self.feed(50), to: "feed.xml")
    var (saved, refused) = (0, 0)
    for pages in stride(from: 0, to: 160, by: 3) {
      try shell(
        "free=$(($(stat -f -c '%a * %S' \"$0\"))); "
          + "head -c $((free - \(pages) * 4096)) /dev/zero > \"$0/filler\""
      )
      let isSaved = try run("fetch").status == 0
      let found = try counts()
      // The run has failed all the same where there was no room for the subscriptions after the
      // stories.
      #expect(found == [50, 50] || !isSaved && found == [10, 10], "\(pages) pages free")
      (saved, refused) = isSaved ? (saved + 1, refused) : (saved, refused + 1)
      try shell("rm \"$0/filler\"")
      #expect(try run("fetch").status == 0 && counts() == [50, 50], "\(pages) pages free")
      try shell("rm -rf \"$0/home\"; cp -a \"$0/before\" \"$0/home\"")
    }
    print("full disk with texts: \(saved) saved, \(refused) refused")
    #expect(saved > 5 && refused > 5)
    try disk.unmount()
  }

  @Test("as a limit on the size of files keeps the old version or brings the new one")
  func limitedFiles() throws {
    let home = folder.path("home")
    let old = try fill(home)
    let steps = 3 * old.count / Self.page + 1
    var saved = 0
    for step in 0..<steps {
      // sh counts in blocks of 512 bytes.
      let limited = "ulimit -f $1; exec \"$0\" --home \"$2\" read 1"
      let (isSaved, problem) = try problem(
        ["sh", "-c", limited, news, "\(step * Self.page / 512)", home],
        home: home,
        old,
      )
      #expect(problem == nil, "limit of \(step) pages")
      saved += isSaved ? 1 : 0
      try writeFile("\(home)/newsdata.plist", old)
    }
    print("file sizes: \(steps) limits, \(saved) saved, \(steps - saved) refused")
    #expect(saved > steps / 3 && saved < steps)
  }
}
