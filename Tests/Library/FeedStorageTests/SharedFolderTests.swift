import TestSupport
import Testing

@testable import FeedStorage
@testable import System

@Suite("A folder that others write to")
struct SharedFolderTests {
  private let root: TemporaryFolder
  private let folder: SharedFolder
  private var path: String { root.path("shared") }

  init() throws {
    root = try TemporaryFolder()
    try makeFolder(root.path("shared"))
    try root.write("mine", to: "mine")
    try makeFolder(root.path("own"))
    folder = try SharedFolder(root.path("shared"))
  }

  /// Makes files that are not plain, and returns their kinds by name.
  private func makeStrangers() throws -> [String: String] {
    #expect(symlink("../mine", "\(path)/link") == 0)
    #expect(symlink("../new", "\(path)/dangling") == 0)
    #expect(symlink("link", "\(path)/chain") == 0)
    #expect(symlink("../own", "\(path)/linked") == 0)
    try makePipe("\(path)/pipe")
    try makeFolder("\(path)/folder")
    let links = ["link", "dangling", "chain", "linked"].map { ($0, "a symbolic link") }
    return Dictionary(links) { $1 }.merging(["pipe": "a pipe", "folder": "a folder"]) { $1 }
  }

  @Test("gives and takes plain files alone; what is none is refused by name, and stays")
  func strangers() throws {
    for (name, kind) in try makeStrangers() {
      let ways: [() throws -> Void] = [
        { _ = try folder.file(name) }, { _ = try folder.bytes(name, atMost: 9) },
        { _ = try folder.appending(name) }, { try folder.replace(name, by: [1]) },
        { try folder.publish(name, [1], as: ".new") }, { try folder.remove(name) },
      ]
      for (number, way) in ways.enumerated() {
        let error = #expect(throws: StorageError.self, "\(name) \(number)") { try way() }
        #expect("\(error, default: "")" == "\(path)/\(name) is \(kind), not a file", "\(number)")
      }
      #expect(try folder.status(name)?.kind.rawValue == kind)
    }
    #expect(try readText(root.path("mine")) == "mine")
    #expect(FileStatus(at: root.path("new")) == nil)
    #expect(try namesInFolder(root.path("own")) == [])
  }

  @Test("leads into no folder by a link, and out of itself by no name")
  func outside() throws {
    _ = try makeStrangers()
    for name in ["link", "dangling", "linked", "pipe"] {
      for way in [folder.folder, { try folder.makeFolder($0) }] {
        let error = #expect(throws: StorageError.self) { try way(name) }
        #expect("\(error, default: "")".hasSuffix(", not a folder"), "\(name)")
      }
    }
    try root.write("theirs", to: "own/file")
    for name in ["", ".", "..", "../mine", "linked/file", "folder/new", "/etc/passwd", "a\0b"] {
      let ways: [() throws -> Void] = [
        { _ = try folder.file(name) }, { _ = try folder.appending(name) },
        { try folder.replace(name, by: [1]) }, { try folder.remove(name) },
        { _ = try folder.folder(name) }, { _ = try folder.makeFolder(name) },
        { _ = try folder.status(name) },
      ]
      for way in ways { #expect(throws: StorageError.self, "\(name)") { try way() } }
    }
    #expect(try readText(root.path("mine")) == "mine")
    #expect(try readText(root.path("own/file")) == "theirs")
  }

  @Test("is named by the user, by a link as well, and stays the one that was opened")
  func named() throws {
    #expect(symlink(path, root.path("way")) == 0)
    let way = try SharedFolder(root.path("way"))
    try way.replace("a", by: Array("first".utf8))
    try removeFile(root.path("way"))
    #expect(symlink(root.path("own"), root.path("way")) == 0)
    try way.replace("a", by: Array("second".utf8))
    #expect(try readText("\(path)/a") == "second")
    #expect(try namesInFolder(root.path("own")) == [])
    #expect(try way.names().contains("a"))
    let inner = try folder.makeFolder("day")
    try inner.publish("b", [1], as: ".new")
    #expect(try folder.folder("day")?.bytes("b", atMost: 1) == [1])
    #expect(try folder.folder("night") == nil)
  }

  @Test("adds to no file that has a second name elsewhere")
  func hardLinks() throws {
    #expect(link(root.path("mine"), "\(path)/file.part") == 0)
    let error = #expect(throws: StorageError.self) { try folder.appending("file.part") }
    #expect("\(error, default: "")".contains("has a second name"))
    try folder.replace("file.part", by: [1])
    #expect(try readText(root.path("mine")) == "mine")
  }

  @Test("gives a file no name that it has lost to another")
  func exchanged() throws {
    let file = try folder.appending("a.part")
    try removeFile("\(path)/a.part")
    #expect(symlink("../mine", "\(path)/a.part") == 0)
    let error = #expect(throws: StorageError.self) {
      try folder.rename(file, from: "a.part", to: "a")
    }
    #expect("\(error, default: "")" == "\(path)/a.part is another file meanwhile")
  }
}
