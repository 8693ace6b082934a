internal import FeedModel
internal import FeedStorage
internal import PropertyLists
internal import System

struct CodecBenchmark {
  let count: Int
  let folder: String

  func contests() throws -> [Contest] {
    let stories = StoryWorkload.stories(count)
    let entries = stories.map(FoundationStory.init)
    return [
      encoding(entries), try decoding(entries), toDisk(stories, entries),
    ]
  }

  private func encoding(_ entries: [FoundationStory]) -> Contest {
    Contest(
      name: "encode \(count) stories",
      contenders: [
        Contender(name: "Foundation's PropertyListEncoder") { _ = try Self.encoded(entries) },
        Contender(name: "news") { _ = PropertyList.encode(.array(entries.map(\.value))) },
      ],
    )
  }

  private func decoding(_ entries: [FoundationStory]) throws -> Contest {
    let data = try Self.encoded(entries)
    let bytes = PropertyListBytes(Array(data))
    return Contest(
      name: "decode \(count) stories",
      contenders: [
        Contender(name: "Foundation's PropertyListDecoder") {
          _ = try PropertyListDecoder().decode([FoundationStory].self, from: data)
        },
        Contender(name: "news") { _ = try PropertyList.value(bytes) },
      ],
    )
  }

  private func toDisk(_ stories: [StoredItem], _ entries: [FoundationStory]) -> Contest {
    let store = LibraryStore(home: "\(folder)/codec")
    return Contest(
      name: "encode and decode \(count) stories",
      contenders: [
        Contender(name: "Foundation's coders") {
          let data = try Self.encoded(entries)
          _ = try PropertyListDecoder().decode([FoundationStory].self, from: data)
        },
        Contender(name: "news, to the disk and back") {
          try store.clearStories()
          try store.update { (_) in
            (LibraryChange(StoryChanges(adding: stories)), ())
          }
          let table = try store.read().items
          for index in 0..<table.count { _ = try table.item(at: index) }
        },
      ],
    )
  }

  private static func encoded(_ entries: [FoundationStory]) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(entries)
  }
}

private struct FoundationStory: Codable {
  let title: String
  let pubDate: String
  let link: String
  let guid: String?
  let date: Date?
  let stored: Date?
  let feeds: [String]
  let summary: String?
  let id: String

  init(_ story: StoredItem) {
    title = story.item.title
    pubDate = story.item.pubDate
    link = story.item.link
    guid = story.item.guid
    date = story.item.date
    stored = story.stored
    feeds = story.feeds
    summary = story.item.summary
    id = story.id
  }

  var value: PropertyListValue {
    var entry = PropertyListDictionary()
    entry.append("title", .string(title))
    entry.append("pubDate", .string(pubDate))
    entry.append("link", .string(link))
    if let guid { entry.append("guid", .string(guid)) }
    if let date { entry.append("date", .date(date.timeIntervalSinceReferenceDate)) }
    if let stored { entry.append("stored", .date(stored.timeIntervalSinceReferenceDate)) }
    entry.append("feeds", .array(feeds.map { .string($0) }))
    if let summary { entry.append("summary", .string(summary)) }
    entry.append("id", .string(id))
    return .dictionary(entry)
  }
}
