internal import CommandLine
internal import FeedModel
internal import FeedStorage
internal import System

/// The calls for stories and their ids.
extension InterfaceCall {
  /// The most ids, and the most whole stories, of an answer.
  private static let (mostIDs, mostStories) = (100_000, 1_000)
  /// The bytes of stories after which an answer ends; the next page has the others.
  private static let mostBytes = 16 << 20

  func itemIDs() throws(RequestFault) -> HTTPAnswer {
    let query = try StreamQuery(fields, atMost: Self.mostIDs)
    let page = query.page(of: try stories())
    let next = page.hasMore ? page.stories.last?.place.text : nil
    guard form == .json else {
      let refs = page.stories.map { story in
        PrintedJSON.object([("id", .integer(Int(truncatingIfNeeded: story.number)))])
      }
      let list = PrintedJSON.object([("itemRefs", .array(refs))])
      return .xml(list.adding("continuation", next.map(PrintedJSON.string)))
    }
    // PERF: text is written at once: a value for each of 40,000 ids takes five times as long.
    var text = "{\"itemRefs\":["
    text.reserveCapacity(page.stories.count * 32)
    for (index, story) in page.stories.enumerated() {
      if index > 0 { text += "," }
      text += "{\"id\":\"\(Int64(bitPattern: story.number))\"}"
    }
    text += "]"
    if let next { text += ",\"continuation\":\"\(next)\"" }
    return .json(text + "}")
  }

  func itemCount() throws(RequestFault) -> HTTPAnswer {
    var query = try StreamQuery(fields, atMost: .max)
    (query.count, query.last) = (.max, nil)
    let stories = query.matches(of: try stories())
    guard fields["a"] == "true", let newest = stories.map(\.place.arrived).max() else {
      return .text(String(stories.count))
    }
    let date = Date(timeIntervalSince1970: Double(newest) / 1e6)
    return .text("\(stories.count)#\(RFC3339.string(date))")
  }

  /// Returns the named stories in their order, as far as there is room.
  ///
  /// An app that asks by ids asks again for those that are missing: no continuation leads to them.
  func itemContents() throws(RequestFault) -> HTTPAnswer {
    let ids = fields.values("i")
    guard ids.count <= Self.mostStories else {
      throw .badRequest("more than \(Self.mostStories) stories")
    }
    let stories = try stories()
    let found = stories.stories(named: ids)
    return try answer(
      found[...],
      of: stories,
      stream: .readingList,
      title: "",
      next: nil,
      isPaged: false,
    )
  }

  /// Returns the stories of the stream after `stream/contents/` in the path, percent-encoded.
  func streamContents(_ path: Substring) throws(RequestFault) -> HTTPAnswer {
    let named = String(decoding: path.utf8.percentDecoded(), as: UTF8.self)
    let name = named.isEmpty ? fields["s"] ?? StreamID.readingList.text : named
    let query = try StreamQuery(fields, stream: name, atMost: Self.mostStories)
    let stories = try stories()
    let page = query.page(of: stories)
    let title = query.streams.first.map { Self.title($0, stories) } ?? ""
    return try answer(
      page.stories,
      of: stories,
      stream: query.streams[0],
      title: title,
      next: page.hasMore ? page.stories.last?.place : nil,
      isPaged: true,
    )
  }

  private static func title(_ stream: StreamID, _ stories: ServedStories) -> String {
    switch stream {
    case .feed(let name): stories.feeds.feed(named: name)?.displayTitle ?? name
    case .label(let name): name
    default: "news"
    }
  }

  /// Writes each story as it is read.
  ///
  /// PERF: so only one story is in memory at a time.
  private func answer(
    _ page: ArraySlice<ServedStory>,
    of stories: ServedStories,
    stream: StreamID,
    title: String,
    next: StreamPlace?,
    isPaged: Bool,
  ) throws(RequestFault) -> HTTPAnswer {
    let newest = page.map(\.place.arrived).max() ?? 0
    let head = PrintedJSON.object([
      ("id", .string(stream.text)), ("title", .string(title)),
      ("updated", .integer(Int(newest / 1_000_000))),
    ])
    var text = head.description.dropLast() + ",\"items\":["
    var next = next?.text
    do throws(StorageError) {
      let items = ServedItems(interface.library, stories)
      for (index, story) in page.enumerated() {
        if index > 0 { text += "," }
        text += try items.value(story).description
        guard text.utf8.count > Self.mostBytes, index + 1 < page.count else { continue }
        if isPaged { next = story.place.text }
        break
      }
    } catch {
      throw .failed("\(error)")
    }
    text += "]"
    if let next { text += ",\"continuation\":\"\(next)\"" }
    return .json(text + "}")
  }
}

extension ServedStories {
  /// Returns the stories with these ids in their order, each id in one of its forms, without those
  /// that are not stored.
  func stories(named ids: [String]) -> [ServedStory] {
    let numbers = ids.map { Self.numbers($0) }
    let found = stories(Set(numbers.joined()))
    let known = Dictionary(found.map { ($0.number, $0) }, uniquingKeysWith: { one, _ in one })
    return numbers.compactMap { $0.lazy.compactMap { known[$0] }.first }
  }

  /// Returns the numbers that an id may mean: sixteen decimal digits are a hexadecimal number, too.
  private static func numbers(_ id: String) -> [UInt64] {
    let hexadecimal = ItemID.number(of: id.lowercased().utf8)
    return [ServerItemID(id).flatMap { $0.high == 0 ? $0.low : nil }, hexadecimal]
      .compactMap(\.self)
  }
}
