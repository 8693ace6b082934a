import FeedFetching
import FeedModel
import FeedReading
import System

/// Reads a server's lists of stories page by page, and keeps the ids alone.
struct ReaderLists {
  private let client: ReaderClient

  init(_ client: ReaderClient) { self.client = client }

  /// Limits for all lists together, which no honest server comes near.
  private static let (mostItems, mostPages) = (500_000, 2_000)
  /// The most labels, each of which costs a request, and the most stories in all labels, counted
  /// once for each of their labels.
  static let (mostLabels, mostLabelled) = (100, 100_000)
  private static let mostAtOnce = 4
  private static let pageSize = 10_000
  private static let maximumBytes = 8 << 20
  private static let path = "stream/items/ids"
  private static let state = "user/-/state/com.google/"
  private static let query = "\(path)?output=json&n=\(pageSize)&s="

  func stories(
    since: Date
  ) throws(ServerError) -> (unread: ServerIDs, starred: ServerIDs, recent: ServerIDs) {
    let all = Self.query + Self.state
    let lists = try read(
      [
        "\(all)reading-list&xt=\(Self.state)read", "\(all)starred",
        "\(all)reading-list&ot=\(max(Int(since.timeIntervalSince1970), 0))",
      ],
      atMost: Self.mostItems,
    )
    let ids = lists.compactMap(\.ids)
    guard ids.count == lists.count else {
      throw .answer("refused: a list of over \(Self.mostItems) stories")
    }
    return (ServerIDs(ids[0]), ServerIDs(ids[1]), ServerIDs(ids[2]))
  }

  /// Lists stories by the names of their labels, without the labels that exceed `mostLabelled`.
  func labels(_ names: [String]) throws(ServerError) -> [String: Set<ServerItemID>] {
    var labels: [String: Set<ServerItemID>] = [:]
    var (room, rest) = (Self.mostLabelled, 4 * Self.mostLabelled)
    for names in names[...].batches(of: Self.mostAtOnce) {
      guard rest > 0 else { break }
      let queries = names.map { "\(Self.query)user/-/label/\(ServiceCall.escaped($0))" }
      for (name, list) in zip(names, try read(queries, atMost: room)) {
        rest -= list.count
        guard let ids = list.ids, ids.count <= room else { continue }
        labels[name] = Set(ids)
        room -= ids.count
      }
    }
    return labels
  }

  // MARK: Pages

  private struct List {
    /// The ids, or nil if the list is too long.
    private(set) var ids: [ServerItemID]? = []
    private(set) var count = 0
    private var last: [ServerItemID] = []
    private(set) var next: String?

    mutating func add(_ page: ServerAnswer) throws(ServerError) {
      next = page.next
      count += page.ids.count
      if next != nil, Set(page.ids).isSubset(of: last) {
        throw .answer("a list of stories goes on without end")
      }
      last = page.ids
      ids? += page.ids
    }

    mutating func close() { (ids, last, next) = (nil, [], nil) }
  }

  /// Reads lists to their ends.
  ///
  /// A list that takes all of them beyond `most` ids is read no further, and loses its ids.
  private func read(_ queries: [String], atMost most: Int) throws(ServerError) -> [List] {
    var lists = queries.map { _ in List() }
    var open = Array(queries.indices)
    var paths = queries
    for _ in 0..<Self.mostPages {
      for (number, page) in zip(open, pages(paths, atMost: most)) {
        try lists[number].add(try page.get())
        if lists.reduce(0, { $0 + ($1.ids?.count ?? 0) }) > most { lists[number].close() }
      }
      open = open.filter { lists[$0].next != nil }
      guard !open.isEmpty else { return lists }
      paths = open.map { "\(queries[$0])&c=\(ServiceCall.escaped(lists[$0].next ?? ""))" }
    }
    throw .answer("refused: a list of stories over \(Self.mostPages) pages")
  }

  private func pages(
    _ paths: [String],
    atMost most: Int,
  ) -> [ReaderClient.ListAnswer] {
    let requests = paths.map { client.request($0) }
    return client.read(requests, atMost: Self.maximumBytes, ids: most)
  }
}
