import TestSupport
import Testing

@testable import FeedStorage

@Suite("The record of downloads")
struct DownloadRecordTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private var saved: String { folder.path("saved") }

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
  }

  @Test("loses none of sixty downloads of each of six at once")
  func together() throws {
    let (store, saved) = (store, saved)
    let failures = Monitor<[String]>([])
    let threads = try (0..<6).map { thread in
      try TestThread {
        for number in 0..<60 {
          do {
            let name = "\(thread)-\(number)"
            let folder = try DownloadFolder(saved, of: store)
            let url = "https://example.com/\(name)"
            let file = try folder.file(of: name, from: url, name: "\(name).mp3")
            [UInt8(1)].withUnsafeBytes { bytes in try? file.append(bytes) }
            try file.finish()
          } catch {
            failures.change { $0.append("\(error)") }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(failures.change { $0 } == [])
    let sizes = try DownloadFolder(saved, of: store).sizes()
    #expect(sizes.count == 360 && sizes.values.allSatisfy { $0 == 1 })
  }
}
