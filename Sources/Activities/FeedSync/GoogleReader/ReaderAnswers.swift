import FeedFetching
import FeedModel
import FeedReading
import System

extension ReaderClient {
  typealias ListAnswer = Result<ServerAnswer, ServerError>

  /// The most bytes of one answer; the answers of one batch of requests are in memory together.
  private static let maximumBytes = 16 << 20
  static let mostIDs = ServerAnswerReading.mostStories

  func lists(since: Date) throws(ServerError) -> ServerReading {
    let answers = ask(["user-info", "tag/list", "subscription/list"])
    var reading = ServerReading(feeds: Self.feeds(try answers[2].get()))
    reading.user = (try? answers[0].get())?.user
    let lists = ReaderLists(self)
    (reading.unread, reading.starred, reading.recent) = try lists.stories(since: since)
    if let tags = try? answers[1].get() { try readLabels(tags, lists, &reading) }
    return reading
  }

  func feeds() throws(ServerError) -> [ServerReading.Feed] {
    Self.feeds(try ask(["subscription/list"])[0].get())
  }

  private static func feeds(_ answer: ServerAnswer) -> [ServerReading.Feed] {
    answer.feeds.distinct(by: \.stream)
  }

  private func ask(_ paths: [String]) -> [ListAnswer] {
    read(paths.map { request($0 + "?output=json") }, atMost: Self.maximumBytes)
  }

  func read(_ requests: [FetchRequest], atMost limit: Int, ids: Int = 0) -> [ListAnswer] {
    let readings = requests.map { request in
      let path = request.url.prefix { $0 != "?" }
      let known = ServerAnswerReading.Request.allCases.first { path.hasSuffix($0.rawValue) }
      return (request, as: ServerAnswerReading(known ?? .user, ids: ids))
    }
    return connection.read(readings, atMost: limit)
  }

  /// Reads the labels of stories.
  ///
  /// FreshRSS lists no label until there is one, so it is asked even then.
  private func readLabels(
    _ tags: ServerAnswer,
    _ lists: ReaderLists,
    _ reading: inout ServerReading,
  ) throws(ServerError) {
    var names = tags.labels
    guard !names.isEmpty || root.hasSuffix("/greader.php") else { return }
    // Labels are compared without case here: two that differ in case alone cannot be told apart.
    let doubles = Dictionary(grouping: names) { $0.lowercased() }.values.filter { $0.count > 1 }
    let unused = tags.folders + doubles.joined() + names.dropFirst(ReaderLists.mostLabels)
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
      let answer = try post([Self.form(ids)], to: path + "?output=json") {
        [self] in read($0, atMost: Self.maximumBytes)
      }[0]
      guard case .failure(.request(let error)) = answer, mayBeOfOneStory(error) else {
        take(ids, try answer.get().stories)
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
      connection.complain(leftOut: error, by: server, atMost: Self.maximumBytes)
      take(ids, [])
    }
  }

  private static let (mostInRow, mostInRun) = (12, 64)

  /// Returns true if the other stories may come once a single one is left out.
  ///
  /// One bad story among 250 is found by eight requests; too many refusals end the search.
  private mutating func mayBeOfOneStory(_ error: FetchError) -> Bool {
    if error.isOfSize { return true }
    guard error.mayBeOfOneStory else { return false }
    refusals = (refusals.inRow + 1, refusals.inRun + 1)
    return refusals.inRow <= Self.mostInRow && refusals.inRun <= Self.mostInRun
  }
}
