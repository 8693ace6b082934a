import FeedModel
import TestSupport
import Testing

@testable import FeedStorage

@Suite("The folder of whole texts")
struct TextFolderTests {
  private let home: TemporaryFolder
  private let folder: TextFolder

  init() throws {
    home = try TemporaryFolder()
    folder = TextFolder(path: home.path("texts"), owner: nil)
  }

  private static func text(_ words: String, base: String? = nil) -> StoryText {
    StoryText(isHTML: words.hasPrefix("<"), base: base, bytes: Array(words.utf8))
  }

  private func add(_ texts: [(id: String, text: StoryText)], live: [String] = []) throws {
    let stories = SpooledStories([], texts.map(\.text))
    let new = texts.indices.map { NewText(id: texts[$0].id, of: stories, at: $0) }
    try folder.add(new) { ItemIDs(live) }?.finish()
  }

  private func names() throws -> [String] { try namesInFolder(folder.path).sorted() }

  @Test("gives back what was added, the newest of each story")
  func newest() throws {
    #expect(try folder.text(of: "a") == nil)
    try add([("a", Self.text("<p>é🗞")), ("b", Self.text("plain", base: "https://b.example/"))])
    try add([("b", Self.text("<p>new")), ("c", Self.text("<p>")), ("c", Self.text("<p>last"))])
    #expect(try folder.text(of: "a") == Self.text("<p>é🗞"))
    #expect(try folder.text(of: "b") == Self.text("<p>new"))
    #expect(try folder.text(of: "c") == Self.text("<p>last"))
    #expect(try folder.text(of: "d") == nil)
  }

  @Test("is few files, however many runs there were")
  func fewFiles() throws {
    let large = String(repeating: "<p>text", count: 10_000)
    for run in 0..<100 {
      try add([("\(run)", Self.text(large + "\(run)"))], live: (0...run).map { "\($0)" })
    }
    #expect(try names().count <= 7)
    for run in 0..<100 { #expect(try folder.text(of: "\(run)") == Self.text(large + "\(run)")) }
  }

  @Test("forgets what has no story, where that is much of a file")
  func collected() throws {
    try add((0..<100).map { ("\($0)", Self.text("<p>\($0)")) })
    try folder.collect(live: ItemIDs((0..<90).map { "\($0)" }))
    #expect(try folder.text(of: "95") != nil)
    try folder.collect(live: ItemIDs((0..<50).map { "\($0)" }))
    #expect(try folder.text(of: "95") == nil)
    #expect(try folder.text(of: "49") == Self.text("<p>49"))
    #expect(try names() == ["00000001.plist"])
    // A text that a newer file has as well counts as gone.
    let large = String(repeating: "x", count: 400_000)
    try add([("49", Self.text(large))])
    try add([("49", Self.text("<p>new"))])
    try folder.collect(live: ItemIDs(["49"]))
    #expect(try names().count == 1)
    #expect(try folder.text(of: "49") == Self.text("<p>new"))
    try folder.collect(live: ItemIDs())
    #expect(try names() == [])
  }

  @Test("has little of a file in memory while all of it is gone through")
  func memory() throws {
    let large = String(repeating: "<p>text", count: 10_000)
    try add((0..<300).map { ("\($0)", Self.text(large)) })
    let index = folder.index()
    #expect(try residentMegabytes() < 8)
    for number in 0..<300 {
      #expect(try index.text(of: "\(number)") != nil)
      if number % 50 == 0 { #expect(try residentMegabytes() < 8) }
    }
    #expect(try folder.text(of: "300") == nil)
    #expect(try residentMegabytes() < 8)
  }

  private func residentMegabytes() throws -> Int {
    var (isOurs, kilobytes) = (false, 0)
    for line in try readText("/proc/self/smaps").split(separator: "\n") {
      if line.contains("-") { isOurs = line.hasSuffix("plist") && line.contains(folder.path) }
      guard isOurs, line.hasPrefix("Rss:") else { continue }
      kilobytes += line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return kilobytes / 1_024
  }

  @Test("says when it is time to look for what has no story")
  func due() throws {
    let stories = SpooledStories([], [Self.text("<p>")])
    let due = try (0..<64).map { run in
      let text = NewText(id: "\(run)", of: stories, at: 0)
      let added = try folder.add([text]) { ItemIDs((0...run).map { "\($0)" }) }
      added?.finish()
      return added?.isCollectionDue == true
    }
    #expect(due.count { $0 } == 2)
  }

  @Test("is read by other tools")
  func otherTools() throws {
    try add([("a", Self.text("<p>é", base: "https://b.example/")), ("b", Self.text("t"))])
    let file = "\(folder.path)/00000001.plist"
    let xml = try Subprocess.run(["plistutil", "-i", file, "-f", "xml"]).text
    let words = xml.split(whereSeparator: \.isWhitespace).joined()
    let html = "<key>html</key><string>&lt;p&gt;é</string>"
    #expect(words.contains(html + "<key>base</key><string>https://b.example/</string>"))
    #expect(words.contains("<key>b</key><dict><key>text</key><string>t</string></dict>"))
  }

  @Test("takes files of other hands for what they are, and loses nothing of its own")
  func otherHands() throws {
    try add([("a", Self.text("<p>a"))])
    let odd = home.path("texts/00000009.plist")
    let ways: [(String) throws -> Void] = [
      { try writeFile($0, []) }, { try writeFile($0, "no property list".utf8) },
      { _ = try Subprocess.run(["mkdir", $0]) }, { _ = try Subprocess.run(["mkfifo", $0]) },
      { _ = try Subprocess.run(["ln", "-s", "/dev/zero", $0]) },
    ]
    for way in ways {
      try way(odd)
      #expect(throws: StorageError.self) { try folder.text(of: "b") }
      #expect(try folder.text(of: "a") == Self.text("<p>a"))
      #expect(folder.index().failure != nil)
      #expect(try folder.index().text(of: "a") == Self.text("<p>a"))
      try add([("c", Self.text("<p>c"))], live: ["a", "c"])
      #expect(try folder.text(of: "c") == Self.text("<p>c"))
      try folder.collect(live: ItemIDs(["a", "c"]))
      #expect(try names().contains("00000009.plist"))
      removeTree(home.path("texts"))
      try add([("a", Self.text("<p>a"))])
    }
    try home.write(
      "<plist version=\"1.0\"><dict><key>a</key><string>x</string></dict></plist>",
      to: "texts/00000009.plist",
    )
    for name in ["notes.txt", "9223372036854775807.plist", "99999999999999999999.plist"] {
      try home.write("", to: "texts/\(name)")
    }
    #expect(try folder.text(of: "a") == Self.text("<p>a"))
    try add([("d", Self.text("<p>d"))], live: ["a", "d"])
    #expect(try folder.text(of: "d") == Self.text("<p>d"))
  }

  @Test("is whole for readers beside a writer")
  func readers() throws {
    let all = (0..<50).map { (id: "\($0)", text: Self.text("<p>\($0)")) }
    try add(all)
    let (isDone, missing) = (Monitor(false), Monitor(0))
    let folder = folder
    let threads = try (0..<2).map { _ in
      try TestThread {
        while !isDone.change({ $0 }) {
          if (try? folder.text(of: "49")) == .some(nil) { missing.change { $0 += 1 } }
          if (try? folder.index().text(of: "7")) == .some(nil) { missing.change { $0 += 1 } }
        }
      }
    }
    for _ in 0..<300 { try add(all, live: all.map(\.id)) }
    isDone.change { $0 = true }
    for thread in threads { thread.join() }
    #expect(missing.change { $0 } == 0)
  }
}
