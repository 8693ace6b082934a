internal import CommandLine
internal import FeedModel
internal import System

/// The calls for stories and their ids.
extension InterfaceCall {
  /// The most ids, and the most whole stories, of an answer.
  private static let (mostIDs, mostStories) = (100_000, 1_000)
  /// The bytes of stories after which an answer's page ends, or its stories lose their whole texts.
  private static let mostBytes = 16 << 20

  func itemIDs() throws(RequestFault) -> HTTPAnswer {
    let query = try StreamQuery(fields, count: Self.mostIDs, atMost: Self.mostIDs)
    let page = query.page(of: try stories())
    let next = page.next?.text
    // Readrops and Twine do not say which form they want, and read JSON.
    guard fields["output"] != "xml" else {
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
    return .json(text + listEnd(next: next))
  }

  func itemCount() throws(RequestFault) -> HTTPAnswer {
    var query = try StreamQuery(fields, count: .max, atMost: .max)
    (query.count, query.last) = (.max, nil)
    let stories = query.matches(of: try stories())
    guard fields["a"] == "true", let newest = stories.map(\.place.arrived).max() else {
      return .text(String(stories.count))
    }
    let date = Date(timeIntervalSince1970: Double(newest) / 1e6)
    return .text("\(stories.count)#\(RFC3339.string(date))")
  }

  /// Returns the named stories in their order; of more than one answer has, RSS Guard alone, which
  /// names 9,999, asks for the others.
  ///
  /// Other apps take what comes for all of it, so stories without room have only their summaries.
  func itemContents() throws(RequestFault) -> HTTPAnswer {
    let ids = fields.values("i")
    let start = try StreamQuery.number(fields["c"]) ?? 0
    let stories = try stories()
    let found = stories.stories(named: ids.dropFirst(start).prefix(Self.mostStories))
    var text = listHead(.readingList, title: "", found[...])
    _ = try write(found[...], of: stories, to: &text, separator: ",", isPaged: false) {
      (items, story, isWhole) in
      try items.value(story, isWhole: isWhole).description
    }
    let hasMore = ids.count - Self.mostStories > start
    return .json(text + listEnd(next: hasMore ? String(start + Self.mostStories) : nil))
  }

  /// Returns the stories of the stream after `stream/contents/` in the path, percent-encoded.
  func streamContents(_ path: Substring) throws(RequestFault) -> HTTPAnswer {
    let query = try query(path)
    let stories = try stories()
    let page = query.page(of: stories)
    var text = listHead(
      query.streams[0],
      title: Self.title(query.streams[0], stories),
      page.stories,
    )
    let cut = try write(page.stories, of: stories, to: &text, separator: ",", isPaged: true) {
      (items, story, isWhole) in
      try items.value(story, isWhole: isWhole).description
    }
    return .json(text + listEnd(next: (cut ?? page.next)?.text))
  }

  /// Returns the stories of the stream after `/reader/atom/` in the path as a feed (Atom), which the
  /// interface's first version had, and newsboat asks for.
  func streamFeed(_ path: Substring) throws(RequestFault) -> HTTPAnswer {
    let query = try query(path)
    let stories = try stories()
    let page = query.page(of: stories)
    let stream = query.streams[0]
    var text = StoryFeed.head(stream, title: Self.title(stream, stories), page.stories.newest)
    let cut = try write(page.stories, of: stories, to: &text, separator: "", isPaged: true) {
      (items, story, isWhole) in
      try items.entry(story, isWhole: isWhole)
    }
    text += StoryFeed.end(next: cut ?? page.next)
    return HTTPAnswer(type: "application/atom+xml; charset=utf-8", Array(text.utf8))
  }

  private func query(_ path: Substring) throws(RequestFault) -> StreamQuery {
    let named = String(decoding: path.utf8.percentDecoded(), as: UTF8.self)
    let name = named.isEmpty ? fields["s"] ?? StreamID.readingList.text : named
    return try StreamQuery(fields, stream: name, count: 20, atMost: Self.mostStories)
  }

  private static func title(_ stream: StreamID, _ stories: ServedStories) -> String {
    switch stream {
    case .feed(let name): stories.feeds.feed(named: name)?.servedTitle ?? name
    case .label(let name): name
    default: "news"
    }
  }

  private func listHead(
    _ stream: StreamID,
    title: String,
    _ stories: ArraySlice<ServedStory>,
  ) -> String {
    let head = PrintedJSON.object([
      ("id", .string(stream.text)), ("title", .string(title)),
      ("updated", .integer(Int(stories.newest / 1_000_000))),
    ])
    return head.description.dropLast() + ",\"items\":["
  }

  private func listEnd(next: String?) -> String {
    "]" + (next.map { ",\"continuation\":\"\($0)\"" } ?? "") + "}"
  }

  /// Writes each story as it is read, and returns the last one's place if a page had no room for all.
  ///
  /// PERF: so only one story is in memory at a time.
  private func write(
    _ page: ArraySlice<ServedStory>,
    of stories: ServedStories,
    to text: inout String,
    separator: String,
    isPaged: Bool,
    _ written: (ServedItems, ServedStory, _ isWhole: Bool) throws -> String,
  ) throws(RequestFault) -> StreamPlace? {
    do {
      let items = ServedItems(interface.library, stories)
      var last: StreamPlace?
      for story in page {
        let hasRoom = text.utf8.count <= Self.mostBytes
        if !hasRoom, isPaged { return last }
        if last != nil { text += separator }
        text += try written(items, story, hasRoom)
        last = story.place
      }
      return nil
    } catch {
      throw .failed("\(error)")
    }
  }
}

extension ArraySlice<ServedStory> {
  /// The time at which the newest came, in microseconds since 1970; 0 without one.
  fileprivate var newest: Int64 { map(\.place.arrived).max() ?? 0 }
}

extension ServedStories {
  /// Returns the stories with these ids in their order, each id in one of its forms, without those
  /// that are not stored.
  func stories(named ids: some Sequence<String>) -> [ServedStory] {
    let numbers = ids.map { Self.numbers($0) }
    let found = stories(Set(numbers.joined()))
    let known = Dictionary(found.map { ($0.number, $0) }, uniquingKeysWith: { one, _ in one })
    return numbers.compactMap { $0.lazy.compactMap { known[$0] }.first }
  }

  /// Returns true for an id that a story could have.
  static func isID(_ id: String) -> Bool { !numbers(id).isEmpty }

  /// Returns the numbers that an id may mean: sixteen decimal digits are a hexadecimal number, too.
  private static func numbers(_ id: String) -> [UInt64] {
    // FeedReader's ids are `-/` and a hexadecimal number.
    if id.hasPrefix("-/") { return numbers(ServerItemID.prefix + id.dropFirst(2)) }
    let hexadecimal = ItemID.number(of: id.lowercased().utf8)
    return [ServerItemID(id).flatMap { $0.high == 0 ? $0.low : nil }, hexadecimal]
      .compactMap(\.self).map(ServedStory.number)
  }
}
