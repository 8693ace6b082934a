import FeedFetching
import FeedStorage

/// Goes through the stored stories, newest first, for those that a query wants.
struct StoryScan {
  let items: ItemTable
  let query: StoryQuery
  /// Seconds since 1970; a story dated later counts as of when it was stored.
  let now: Double

  /// The positions of the first stories that pass.
  func positions(atMost limit: Int) throws(CommandError) -> [Int] {
    if query.takesAll || limit == 0 { return Array(0..<min(limit, items.count)) }
    let search = ScanSearch(items: items, query: query, now: now, limit: limit)
    // Most lists are full after the first part; threads would only cost time then.
    search.scanPart()
    if !search.isFinished { scanTogether(search) }
    do { return try search.positions() } catch { throw .failed("\(error)") }
  }

  private func scanTogether(_ search: ScanSearch) {
    let helpers = min(SystemCalls.processors, Self.maximumThreads) - 1
    let threads = WorkerThreads((0..<helpers).map { _ in { @Sendable in search.scanAll() } })
    search.scanAll()
    threads.wait(until: nil, orReadable: nil)
  }

  /// More would only wait for memory.
  private static let maximumThreads = 4
}

extension CommandContext {
  /// The search for the stories that a query wants now.
  func scan(_ items: ItemTable, for query: StoryQuery) -> StoryScan {
    StoryScan(items: items, query: query, now: environment.clock.now())
  }
}
