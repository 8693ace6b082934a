import TestSupport
import Testing

@testable import FeedStorage

@Suite("The lock of a file")
struct FileLockTests {
  @Test("goes with its holder, also while a process that is being started has the descriptor")
  func copiedDescriptor() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("lock")
    var holder: OpenFile? = try OpenFile.lock(path)
    #expect(try holder?.tryLock() == true)
    let copy = dup(try #require(holder).number)
    defer { close(copy) }
    let next = try OpenFile.lock(path)
    #expect(try !next.tryLock())
    holder = nil
    #expect(try next.tryLock())
  }
}
