package import System

/// What a list shows of a story.
///
/// PERF: read at once; asking `ItemTable` for each field looks at the story's keys as often.
package struct StoredLine: Hashable, Sendable {
  package let id: String
  package let title: String
  package let link: String
  package let pubDate: String
  package let feeds: [String]
  package let date: Date?
  package let stored: Date?
  /// Neither value is nil.
  package let marks: ItemMarks
}

extension ItemTable {
  package func line(at index: Int) throws(StorageError) -> StoredLine {
    let row = try row(at: index)
    return StoredLine(
      id: try row.id(),
      title: try row.string(.title) ?? "",
      link: try row.string(.link) ?? "",
      pubDate: try row.string(.pubDate) ?? "",
      feeds: try row.strings(.feeds),
      date: try row.date(.date),
      stored: try row.date(.stored),
      marks: ItemMarks(isRead: try row.boolean(.read), isStarred: try row.boolean(.starred)),
    )
  }
}
