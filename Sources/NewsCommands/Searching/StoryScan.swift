import FeedFetching
import FeedStorage
import Synchronization

/// Goes through the stored stories, newest first, for those that a query wants.
struct StoryScan {
  let items: ItemTable
  let query: StoryQuery
  /// Seconds since 1970; a story dated later counts as of when it was stored.
  let now: Double

  func positions(atMost limit: Int) throws(CommandError) -> [Int] {
    if query.takesAll || limit == 0 { return Array(0..<min(limit, items.count)) }
    let search = ScanSearch(items: items, query: query, now: now, limit: limit)
    // Most lists are full after the first part; threads would only cost time then.
    search.scanPart()
    if !search.isFinished { scanTogether(search) }
    return try reading { try search.positions() }
  }

  private func scanTogether(_ search: ScanSearch) {
    let helpers = min(POSIX.processors, Self.maximumThreads) - 1
    let threads = WorkerThreads((0..<helpers).map { _ in { @Sendable in search.scanAll() } })
    search.scanAll()
    threads.wait(until: nil, orReadable: nil)
  }

  /// More would only wait for memory.
  private static let maximumThreads = 4
}

extension CommandContext {
  func scan(_ items: ItemTable, for query: StoryQuery) -> StoryScan {
    StoryScan(items: items, query: query, now: environment.clock.now())
  }
}

/// One search through the stories, shared by the threads that scan parts of them.
final class ScanSearch: Sendable {
  private let items: ItemTable
  private let query: StoryQuery
  private let now: Double
  private let limit: Int
  private let state = Mutex(State())

  private static let partSize = 8_192

  private struct State {
    var next = 0
    /// What was found, by the beginning of its part.
    var found: [Int: [Int]] = [:]
    var count = 0
    var failure: StorageError?
  }

  init(items: ItemTable, query: StoryQuery, now: Double, limit: Int) {
    self.items = items
    self.query = query
    self.now = now
    self.limit = limit
  }

  /// Whether no part has to be begun any more.
  ///
  /// Parts are begun in order, so that those begun hold the first of all that is to be found.
  var isFinished: Bool {
    state.withLock { isFinished($0) }
  }

  private func isFinished(_ state: State) -> Bool {
    state.next >= items.count || state.count >= limit || state.failure != nil
  }

  func scanAll() {
    guard var filter = StoryFilter(query, items, now: now) else { return }
    while let part = takePart() { scan(part, &filter) }
  }

  func scanPart() {
    guard var filter = StoryFilter(query, items, now: now), let part = takePart() else { return }
    scan(part, &filter)
  }

  func positions() throws(StorageError) -> [Int] {
    let (found, failure) = state.withLock { ($0.found, $0.failure) }
    if let failure { throw failure }
    return Array(found.sorted { $0.key < $1.key }.flatMap(\.value).prefix(limit))
  }

  private func takePart() -> Range<Int>? {
    state.withLock { state in
      guard !isFinished(state) else { return nil }
      let start = state.next
      state.next = min(start + Self.partSize, items.count)
      return start..<state.next
    }
  }

  private func scan(_ part: Range<Int>, _ filter: inout StoryFilter) {
    var found: [Int] = []
    var failure: StorageError?
    do throws(StorageError) {
      for index in part where found.count < limit {
        if try filter.passes(index) { found.append(index) }
      }
    } catch {
      failure = error
    }
    state.withLock { state in
      state.found[part.lowerBound] = found
      state.count += found.count
      state.failure = state.failure ?? failure
    }
  }
}
