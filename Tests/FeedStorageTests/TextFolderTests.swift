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
    folder = TextFolder(path: home.path("texts"))
  }

  private static func text(_ words: String, base: String? = nil) -> StoryText {
    StoryText(isHTML: words.hasPrefix("<"), base: base, bytes: Array(words.utf8))
  }

  private func add(_ texts: [(id: String, text: StoryText)], live: [String] = []) throws {
    let spooled = StorySpool(folder: nil).add(texts.map(\.text))
    let new = texts.indices.map { NewText(id: texts[$0].id, texts: spooled, index: $0) }
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

  @Test("forgets what has no story, where all becomes one file")
  func collected() throws {
    try add((0..<100).map { ("\($0)", Self.text("<p>\($0)")) })
    try folder.collect(live: ItemIDs((0..<90).map { "\($0)" }))
    #expect(try folder.text(of: "95") != nil)
    try folder.collect(live: ItemIDs((0..<50).map { "\($0)" }))
    #expect(try folder.text(of: "95") == nil)
    #expect(try folder.text(of: "49") == Self.text("<p>49"))
    #expect(try names() == ["00000002.plist"])
    try folder.collect(live: ItemIDs())
    #expect(try names() == [])
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

  @Test("takes files of other hands for what they are")
  func damaged() throws {
    try add([("a", Self.text("<p>a"))])
    for content in ["", "no property list"] {
      try home.write(content, to: "texts/00000009.plist")
      #expect(throws: StorageError.self) { try folder.text(of: "b") }
      #expect(try folder.text(of: "a") == Self.text("<p>a"))
      try add([("c", Self.text("<p>c"))], live: ["a", "c"])
      #expect(try folder.text(of: "c") == Self.text("<p>c"))
      #expect(try names().contains("00000009.plist"))
      removeTree(home.path("texts"))
      try add([("a", Self.text("<p>a"))])
    }
    try home.write(
      "<plist version=\"1.0\"><dict><key>a</key><string>x</string></dict></plist>",
      to: "texts/00000009.plist",
    )
    try home.write("", to: "texts/notes.txt")
    #expect(try folder.text(of: "a") == Self.text("<p>a"))
  }
}
