internal import CommandLine
internal import FeedParsing
internal import FeedReading
package import FeedUpdating

/// The database of another reader: newsboat's cache `cache.db` (newsboat.org), or the `DB.sqlite3` of
/// an account of NetNewsWire.
package struct ReaderDatabase: ImportSource {
  package static let signature = Array("SQLite format 3\0".utf8)
  private static let mostAtOnce = 1_000

  private let (path, name): (String, String)

  package init(_ path: String, name: String) {
    (self.path, self.name) = (path, name)
  }

  package func index(_ note: (ImportedFeed?, _ key: Int?) throws -> Void) throws -> Bool {
    var first: Int? = .max
    while let start = first {
      let part = try part(DatabaseReading(path, from: start))
      for row in part.rows {
        let url = part.isNewsboat ? NewsboatURLs.withShell(row.feed) : row.feed
        try note(ImportedFeed(url: url, ownTitle: row.title, link: row.link), row.key)
      }
      first = part.next
    }
    return true
  }

  package func stories(_ keys: [Int], of feed: String) throws -> StoryBatch {
    var foreign = ForeignStories()
    var rest = keys[...]
    while !rest.isEmpty {
      let part = try part(DatabaseReading(path, storiesAt: rest.prefix(Self.mostAtOnce)))
      for story in part.stories.compactMap(\.self) { foreign.add(story) }
      try StoryBatch.check(foreign.size, of: feed)
      rest = rest.dropFirst(part.stories.count)
    }
    return try foreign.batch(of: feed, in: name)
  }

  private func part(_ reading: DatabaseReading) throws -> DatabasePart {
    let part: DatabasePart
    do throws(FeedParsingError) {
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      part = try reading.value(of: ForeignBytes(nothing, DatabaseReading.head))
    } catch {
      throw Failure("\(name): \(error)")
    }
    if let fault = part.fault { throw Failure("\(name): \(fault)") }
    guard reading.isSound(part) else { throw Failure("\(name): \(FeedParsingError.readerEnded)") }
    return part
  }
}
