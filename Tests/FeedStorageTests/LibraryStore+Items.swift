import FeedModel
import FeedStorage

extension LibraryStore {
  /// All stories, as a reader has them now.
  func items() throws -> [StoredItem] {
    let table = try read().items
    return try (0..<table.count).map { try table.item(at: $0) }
  }
}
