import FeedFetching
import FeedModel
import FeedParsing
import FeedUpdating
import System

/// What a server has, as it says it in JSON.
extension ReaderClient {
  /// Bytes, numbers and pages that no honest server comes near.
  private static let (mostFeeds, mostItems, mostPages) = (10_000, 500_000, 2_000)
  /// Stories that are named in a request.
  static let mostIDs = 250
  private static let pageSize = 10_000
  private static let state = "user/-/state/com.google/"

  func lists(since: Date) throws(ServerError) -> ServerReading {
    let list = "stream/items/ids?output=json&n=\(Self.pageSize)&s=\(Self.state)"
    let queries = [
      "\(list)reading-list&xt=\(Self.state)read", "\(list)starred",
      "\(list)reading-list&ot=\(max(Int(since.timeIntervalSince1970), 0))",
    ]
    let about = ["user-info", "tag/list", "subscription/list"].map { $0 + "?output=json" }
    let first = read(about + queries)
    let feeds = try Self.feeds(first[2].get())
    var pages: [JSONValue] = []
    for page in first.dropFirst(about.count) { pages.append(try page.get()) }
    let ids = try all(queries, pages)
    var reading = ServerReading(feeds: feeds, unread: ids[0], starred: ids[1], recent: ids[2])
    reading.user = (try? first[0].get())?["userId"]?.text.map { SafeText.line($0) }
    if let tags = try? first[1].get() { try readLabels(tags, &reading) }
    return reading
  }

  // MARK: Labels

  /// Labels of stories, of as many as there may be requests; FreshRSS tells of none where there are
  /// none yet.
  private static let mostLabels = 100

  private func readLabels(
    _ answer: JSONValue,
    _ reading: inout ServerReading,
  ) throws(ServerError) {
    let tags = answer["tags"]?.elements ?? []
    var names = tags.filter { $0["type"]?.text == "tag" }.compactMap(Self.label)
    guard !names.isEmpty || root.hasSuffix("/greader.php") else { return }
    let others = tags.filter { $0["type"]?.text != "tag" }.compactMap(Self.label)
    // What is one tag here may be two labels there, in large and in small letters.
    let doubles = Dictionary(grouping: names) { $0.lowercased() }.values.filter { $0.count > 1 }
    let unused = others + doubles.joined() + names.dropFirst(Self.mostLabels)
    reading.folders = Set(unused.map { $0.lowercased() })
    names.removeAll { reading.folders.contains($0.lowercased()) }
    let queries = names.map {
      "stream/items/ids?output=json&n=\(Self.pageSize)&s=user/-/label/\(ServiceCall.escaped($0))"
    }
    var pages: [JSONValue] = []
    for page in read(queries) { pages.append(try page.get()) }
    let ids = try all(queries, pages).map { Set($0) }
    reading.labels = ServerLabels(
      Dictionary(zip(names, ids), uniquingKeysWith: { one, _ in one })
    )
  }

  func feeds() throws(ServerError) -> [ServerReading.Feed] {
    try Self.feeds(read(["subscription/list?output=json"])[0].get())
  }

  // MARK: Lists of stories

  private struct List {
    var ids: [ServerItemID] = []
    var seen: Set<ServerItemID> = []
    var next: String?
  }

  /// The lists whose first pages are given, to their ends.
  private func all(
    _ queries: [String],
    _ pages: [JSONValue],
  ) throws(ServerError) -> [[ServerItemID]] {
    var lists = queries.map { _ in List() }
    var open = Array(queries.indices)
    var pages = pages
    for _ in 0..<Self.mostPages {
      for (number, page) in zip(open, pages) { try add(page, to: &lists[number]) }
      open = open.filter { lists[$0].next != nil }
      guard !open.isEmpty else { return lists.map(\.ids) }
      pages = []
      let paths = open.map { "\(queries[$0])&c=\(ServiceCall.escaped(lists[$0].next ?? ""))" }
      for page in read(paths) { pages.append(try page.get()) }
    }
    throw .answer("refused: a list of stories over \(Self.mostPages) pages")
  }

  private func add(_ page: JSONValue, to list: inout List) throws(ServerError) {
    let refs: [JSONValue]
    switch page["itemRefs"] {
    case .array(let values): refs = values
    case .null: refs = []
    default: throw .answer("the answer to stream/items/ids is no list of stories")
    }
    let count = list.ids.count
    for ref in refs {
      guard let id = ref["id"]?.text.flatMap({ ServerItemID($0) }) else {
        throw .answer("the answer to stream/items/ids has ids that are not understood")
      }
      if list.seen.insert(id).inserted { list.ids.append(id) }
    }
    guard list.ids.count <= Self.mostItems else {
      throw .answer("refused: a list of over \(Self.mostItems) stories")
    }
    list.next = page["continuation"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    if list.next != nil, list.ids.count == count {
      throw .answer("a list of stories goes on without end")
    }
  }

  // MARK: Feeds

  private static func feeds(_ answer: JSONValue) throws(ServerError) -> [ServerReading.Feed] {
    let values: [JSONValue]
    switch answer["subscriptions"] {
    case .array(let all): values = all
    case .null: values = []
    default: throw .answer("the answer to subscription/list is no list of feeds")
    }
    guard values.count <= mostFeeds else {
      throw .answer("refused: number of feeds over \(mostFeeds)")
    }
    var streams: Set<String> = []
    return values.compactMap { feed(of: $0) }.filter { streams.insert($0.stream).inserted }
  }

  /// nil for what has no URL, such as a search that is followed.
  private static func feed(of value: JSONValue) -> ServerReading.Feed? {
    guard let stream = value["id"]?.text, stream.utf8.count <= SyncKey.maximumText else {
      return nil
    }
    let name = stream.hasPrefix("feed/") ? String(stream.dropFirst(5)) : ""
    guard let url = value["url"]?.text.flatMap({ $0.isEmpty ? nil : $0 }) ?? name.web else {
      return nil
    }
    let labels = (value["categories"]?.elements ?? []).prefix(64).compactMap(label)
    var tags: [String] = []
    for tag in labels where !tags.contains(tag) { tags.append(tag) }
    return ServerReading.Feed(
      stream: stream,
      url: url.web ?? url,
      title: SafeText.prefix(SafeText.line(value["title"]?.text ?? ""), maximumCharacters: 300),
      tags: tags,
    )
  }

  /// The folders of what is in none, in FreshRSS and in Miniflux.
  private static let noFolders: Set<String> = ["Uncategorized", "All"]

  private static func label(_ category: JSONValue) -> String? {
    let id = category["id"]?.text ?? ""
    let name =
      category["label"]?.text ?? id.firstRange(of: "/label/").map { String(id[$0.upperBound...]) }
    let tag = SafeText.prefix(SafeText.line(name ?? ""), maximumCharacters: 100)
    return tag.isEmpty || noFolders.contains(tag) ? nil : tag
  }

  // MARK: Stories

  mutating func stories(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError) {
    let batches = ids.batches(of: Self.mostIDs)
    let path = "stream/items/contents"
    let answers = try post(batches.map { Self.form($0) }, to: path + "?output=json")
    for (ids, answer) in zip(batches, answers) {
      let value = try ServerConnection.json(answer, of: path)
      guard case .array(let items)? = value["items"] else {
        throw .answer("the answer to \(path) is no list of stories")
      }
      take(ids, items.compactMap(Self.story))
    }
  }

  private static func story(_ item: JSONValue) -> ServerStory? {
    guard let id = item["id"]?.text.flatMap({ ServerItemID($0) }) else { return nil }
    let (content, frame) = ReaderExport.story(of: item)
    return ServerStory(
      id: id,
      stream: item["origin"]?["streamId"]?.text ?? "",
      content: content,
      date: item["published"]?.text.flatMap { Double($0) }.flatMap {
        Int(exactly: $0.rounded(.down))
      },
      isRead: frame.isRead,
      isStarred: frame.isStarred,
    )
  }
}

extension String {
  fileprivate var web: String? { WebURL.resolve(self, against: nil) }
}
