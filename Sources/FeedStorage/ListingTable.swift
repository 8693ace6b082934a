internal import PropertyLists
package import System

/// What the last `news list` numbered: a view that decodes only what it is asked for.
///
/// The file is an array of the stories' `id`s, each followed by the place in the data file that it
/// had then. Versions that knew no places skip them, and wrote `id`s alone.
package struct ListingTable: Sendable {
  package let count: Int
  private let reader: BinaryPropertyListReader
  private let path: String
  /// Elements for each number.
  private let width: Int

  /// nil for what is no array.
  init?(_ reader: BinaryPropertyListReader, path: String) throws(StorageError) {
    self.reader = reader
    self.path = path
    let (elements, hasPlaces) = try ItemTable.reading(path) { () throws(PropertyListError) in
      let elements = try reader.arrayCount(reader.root)
      guard let second = try reader.element(reader.root, at: 1) else { return (elements, false) }
      return (elements, try reader.string(second) == nil)
    }
    guard let elements else { return nil }
    width = hasPlaces ? 2 : 1
    count = elements / width
  }

  /// The `id` of the story with a number from 1 to `count`, and where to look for it first.
  package func story(_ number: Int) throws(StorageError) -> (id: String, place: Int) {
    try ItemTable.reading(path) { () throws(PropertyListError) in
      let first = (number - 1) * width
      var id: String?
      if let object = try reader.element(reader.root, at: first) { id = try reader.string(object) }
      guard width > 1, let object = try reader.element(reader.root, at: first + 1) else {
        return (id ?? "", number - 1)
      }
      return (id ?? "", try reader.value(object).asCount ?? 0)
    }
  }
}

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
