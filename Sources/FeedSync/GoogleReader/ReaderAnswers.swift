import FeedFetching
import FeedModel
import FeedParsing
import FeedUpdating
import System

extension ReaderClient {
  /// Limits that no honest server comes near.
  private static let (mostFeeds, mostTags) = (10_000, 50_000)
  /// The most bytes of one answer; the answers of one batch of requests are in memory together.
  private static let maximumBytes = 16 << 20
  private static let maximumUserBytes = 64 << 10
  static let mostIDs = 250

  func lists(since: Date) throws(ServerError) -> ServerReading {
    let answers = ask(["user-info", "tag/list", "subscription/list"])
    var reading = ServerReading(feeds: try Self.feeds(answers[2]))
    reading.user = Self.user(answers[0])
    let lists = ReaderLists(self)
    (reading.unread, reading.starred, reading.recent) = try lists.stories(since: since)
    if let tags = try? Self.tags(answers[1]) { try readLabels(tags, lists, &reading) }
    return reading
  }

  private static func user(_ answer: Answer) -> String? {
    guard let bytes = try? answer.get(), bytes.count <= maximumUserBytes,
      let user = try? ServerConnection.json(answer, of: "user-info")
    else { return nil }
    return user["userId"]?.text.map { SafeText.line($0) }
  }

  func feeds() throws(ServerError) -> [ServerReading.Feed] {
    try Self.feeds(ask(["subscription/list"])[0])
  }

  private func ask(_ paths: [String]) -> [Answer] {
    connection.ask(paths.map { request($0 + "?output=json") }, atMost: Self.maximumBytes) {
      Array($0)
    }
  }

  /// Reads the labels of stories.
  ///
  /// FreshRSS lists no label until there is one, so it is asked even then.
  private func readLabels(
    _ tags: [Tag],
    _ lists: ReaderLists,
    _ reading: inout ServerReading,
  ) throws(ServerError) {
    var names = tags.filter(\.isOfStories).map(\.name)
    guard !names.isEmpty || root.hasSuffix("/greader.php") else { return }
    let others = tags.filter { !$0.isOfStories }.map(\.name)
    // Labels are compared without case here: two that differ in case alone cannot be told apart.
    let doubles = Dictionary(grouping: names) { $0.lowercased() }.values.filter { $0.count > 1 }
    let unused = others + doubles.joined() + names.dropFirst(ReaderLists.mostLabels)
    reading.folders = Set(unused.map { $0.lowercased() })
    names.removeAll { reading.folders.contains($0.lowercased()) }
    let labels = try lists.labels(names)
    let leftOut = names.filter { labels[$0] == nil }
    reading.folders.formUnion(leftOut.map { $0.lowercased() })
    reading.labels = ServerLabels(labels)
    guard !leftOut.isEmpty else { return }
    reading.omissions.append(
      "\(Count.of(leftOut.count, "label")) left out: together they have more than "
        + "\(ReaderLists.mostLabelled) stories"
    )
  }

  // MARK: Stories

  mutating func stories(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError) {
    for ids in ids.batches(of: Self.mostIDs) { try batch(ids, take) }
  }

  /// Asks for stories, and halves the ids of an answer that is too large or refused, until the
  /// single stories that must be left out are found.
  private mutating func batch(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError) {
    let path = "stream/items/contents"
    var open = [ids]
    var (refused, hasGiven): ([(ArraySlice<ServerItemID>, FetchError)], Bool) = ([], false)
    while let ids = open.popLast() {
      let answer = try post([Self.form(ids)], to: path + "?output=json", atMost: Self.maximumBytes)
      {
        bytes in Result { () throws(ServerError) in try Self.stories(bytes, path) }
      }[0]
      guard case .failure(let error) = answer, mayBeOfOneStory(error) else {
        take(ids, try Self.value(answer))
        (hasGiven, refusals.inRow) = (true, 0)
        continue
      }
      let half = ids.count / 2
      if half > 0 {
        open += [ids.dropFirst(half), ids.prefix(half)]
      } else {
        refused.append((ids, error))
      }
    }
    for (ids, error) in refused {
      // A server that gives no story at all may be in trouble.
      guard hasGiven || error.isOfSize else { throw .request(error) }
      let reason = error.isOfSize ? "it is larger than \(Self.maximumBytes) bytes" : "\(error)"
      connection.complain("\(server.name): a story is left out: \(reason)")
      take(ids, [])
    }
  }

  private static let (mostInRow, mostInRun) = (12, 64)

  /// Returns true if the other stories may come once a single one is left out.
  ///
  /// One bad story among 250 is found by eight requests; too many refusals end the search.
  private mutating func mayBeOfOneStory(_ error: FetchError) -> Bool {
    if error.isOfSize { return true }
    guard !error.isUnasked, let status = error.status, [400, 404, 410, 413, 500].contains(status)
    else { return false }
    refusals = (refusals.inRow + 1, refusals.inRun + 1)
    return refusals.inRow <= Self.mostInRow && refusals.inRun <= Self.mostInRun
  }

  private static func stories(
    _ bytes: UnsafeRawBufferPointer,
    _ path: String,
  ) throws(ServerError) -> [ServerStory] {
    var stories: [ServerStory] = []
    let rest = try ServerConnection.forEachElement(of: "items", in: bytes, path) { item in
      if stories.count < mostIDs, let story = story(item) { stories.append(story) }
    }
    guard case .array? = rest["items"] else {
      throw .answer("the answer to \(path) is no list of stories")
    }
    return stories
  }

  private static func story(_ item: JSONValue) -> ServerStory? {
    guard let id = item["id"]?.text.flatMap({ ServerItemID($0) }) else { return nil }
    let (content, original) = ReaderImport.story(of: item)
    return ServerStory(
      id: id,
      stream: item["origin"]?["streamId"]?.text ?? "",
      content: content,
      date: item["published"]?.text.flatMap { Double($0) }.flatMap {
        Int(exactly: $0.rounded(.down))
      },
      isRead: original.isRead,
      isStarred: original.isStarred,
      arrived: item["crawlTimeMsec"]?.text.flatMap { Double($0) }.map {
        Date(timeIntervalSince1970: $0 / 1_000)
      },
    )
  }

  static func value<Value>(
    _ answer: Result<Result<Value, ServerError>, FetchError>
  ) throws(ServerError) -> Value {
    switch answer {
    case .success(let value): try value.get()
    case .failure(let error): throw .request(error)
    }
  }
}

// MARK: Feeds and labels

extension ReaderClient {
  private struct Tag {
    let name: String
    let isOfStories: Bool
  }

  private static func tags(_ answer: Answer) throws(ServerError) -> [Tag] {
    var tags: [Tag] = []
    _ = try elements("tags", of: answer, "tag/list") { value in
      guard tags.count < mostTags, let name = label(value) else { return }
      tags.append(Tag(name: name, isOfStories: value["type"]?.text == "tag"))
    }
    return tags
  }

  private static func feeds(_ answer: Answer) throws(ServerError) -> [ServerReading.Feed] {
    var (feeds, streams): ([ServerReading.Feed], Set<String>) = ([], [])
    var count = 0
    let rest = try elements("subscriptions", of: answer, "subscription/list") { value in
      count += 1
      guard count <= mostFeeds, let feed = feed(of: value) else { return }
      if streams.insert(feed.stream).inserted { feeds.append(feed) }
    }
    switch rest["subscriptions"] {
    case .array, .null: break
    default: throw .answer("the answer to subscription/list is no list of feeds")
    }
    guard count <= mostFeeds else {
      throw .answer("refused: number of feeds over \(mostFeeds)")
    }
    return feeds
  }

  private static func elements(
    _ name: String,
    of answer: Answer,
    _ request: String,
    _ body: (JSONValue) -> Void,
  ) throws(ServerError) -> JSONValue {
    try ServerConnection.bytes(answer).withUnsafeBufferPointer { bytes throws(ServerError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      return try ServerConnection.forEachElement(of: name, in: bytes, request, body)
    }
  }

  /// Returns nil for an entry without a URL, such as a saved search, or another home's command.
  private static func feed(of value: JSONValue) -> ServerReading.Feed? {
    guard let stream = value["id"]?.text, stream.utf8.count <= SyncKey.maximumText else {
      return nil
    }
    let name = stream.hasPrefix("feed/") ? String(stream.dropFirst(5)) : ""
    let given = value["url"]?.text ?? ""
    guard given != stream, let url = given.isEmpty ? name.web : given else {
      return nil
    }
    let labels = (value["categories"]?.elements ?? []).prefix(64).compactMap(label)
    var tags: [String] = []
    for tag in labels where !tags.contains(tag) { tags.append(tag) }
    return ServerReading.Feed(
      stream: stream,
      url: url.web ?? SafeText.prefix(url, maximumCharacters: WebURL.maximumLength),
      title: SafeText.prefix(SafeText.line(value["title"]?.text ?? ""), maximumCharacters: 300),
      tags: tags,
    )
  }

  /// The folder of feeds that have no folder: in FreshRSS and in Miniflux.
  private static let noFolders: Set<String> = ["Uncategorized", "All"]

  private static func label(_ category: JSONValue) -> String? {
    let id = category["id"]?.text ?? ""
    let name =
      category["label"]?.text ?? id.firstRange(of: "/label/").map { String(id[$0.upperBound...]) }
    let tag = SafeText.prefix(SafeText.line(name ?? ""), maximumCharacters: 100)
    return tag.isEmpty || noFolders.contains(tag) ? nil : tag
  }
}

extension String {
  fileprivate var web: String? { WebURL.resolve(self, against: nil) }
}

extension FetchError {
  fileprivate var isOfSize: Bool { if case .bodyTooLarge = self { true } else { false } }
}
