import TestSupport
import Testing

@testable import System

@Suite("A file names a program only where nobody else decides what it says")
struct FileTrustTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a/b/c/file")
    for name in ["a", "a/b", "a/b/c"] { try #require(mkdir(folder.path(name), 0o755) == 0) }
    try writeFile(path, [])
    try #require(chmod(path, 0o600) == 0)
  }

  @Test("its own folders and those of the system are no obstacle, nor is what is not there")
  func trusted() {
    #expect(FileTrust.refusal(path) == nil)
    #expect(FileTrust.refusal("/etc/passwd") == nil)
    #expect(FileTrust.refusal(folder.path("a/none")) == nil)
    #expect(FileTrust.refusal(folder.path("none/none")) == nil)
  }

  @Test(
    "others can write to it, or to any folder above it",
    arguments: ["a", "a/b", "a/b/c", "a/b/c/file"],
    [0o777, 0o775, 0o702],
  )
  func writable(_ name: String, _ mode: mode_t) throws {
    try #require(chmod(folder.path(name), mode) == 0)
    #expect(
      FileTrust.refusal(path) == "others can write to \(folder.path(name)) (chmod go-w)"
    )
  }

  @Test("the sticky bit keeps what is in a folder above, but not what is yet to be made beside it")
  func sticky() throws {
    try #require(chmod(folder.path("a"), 0o1777) == 0)
    #expect(FileTrust.refusal(path) == nil)
    try #require(chmod(folder.path("a/b/c"), 0o1777) == 0)
    #expect(
      FileTrust.refusal(path)?.contains("others can write to \(folder.path("a/b/c"))") == true
    )
  }

  @Test("links lead on, and where they lead through counts")
  func links() throws {
    let (link, away) = (folder.path("a/link"), folder.path("away"))
    try #require(symlink("b/../b/c/file", link) == 0)
    #expect(FileTrust.refusal(link) == nil)
    try #require(symlink(folder.path("a/b"), folder.path("short")) == 0)
    #expect(FileTrust.refusal(folder.path("short/c/file")) == nil)
    try #require(mkdir(away, 0o755) == 0 && symlink(path, away + "/file") == 0)
    try #require(chmod(away, 0o777) == 0)
    #expect(FileTrust.refusal(away + "/file") == "others can write to \(away) (chmod go-w)")
    try #require(chmod(folder.path("a/b"), 0o777) == 0)
    for path in [link, folder.path("short/c/file")] {
      #expect(
        FileTrust.refusal(path) == "others can write to \(folder.path("a/b")) (chmod go-w)"
      )
    }
    try #require(symlink("circle", folder.path("circle")) == 0)
    #expect(FileTrust.refusal(folder.path("circle/x"))?.contains("leads nowhere") == true)
  }

  @Test(
    "what belongs to somebody else is not trusted, links and folders above neither",
    .enabled(if: geteuid() == 0, "giving files away needs root"),
    arguments: ["a", "a/b/c", "a/b/c/file"],
  )
  func foreign(_ name: String) throws {
    try #require(chown(folder.path(name), 4242, 4242) == 0)
    #expect(FileTrust.refusal(path) == "\(folder.path(name)) belongs to another user")
    try #require(chown(folder.path(name), 0, 0) == 0)
    let link = folder.path("link")
    try #require(symlink(path, link) == 0 && lchown(link, 4242, 4242) == 0)
    #expect(FileTrust.refusal(link) == "\(link) belongs to another user")
  }
}
