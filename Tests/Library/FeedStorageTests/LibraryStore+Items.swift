import FeedModel
import FeedStorage

extension LibraryStore {
  func items() throws -> [StoredItem] {
    let table = try read().items
    return try (0..<table.count).map { try table.item(at: $0) }
  }
}

extension StoryID: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text) }
}
