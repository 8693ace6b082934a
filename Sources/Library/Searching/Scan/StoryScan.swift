package import FeedStorage
internal import Synchronization
internal import System

/// One pass through the stored stories by several threads, each of which takes one part after the
/// other.
package final class StoryScan: Sendable {
  private let items: ItemTable
  private let condition: Condition<StoryCheck>
  private let texts: StoryTextIndex?
  private let now: Double
  private let limit: Int
  private let state = Mutex(State())

  private static let partSize = 8_192
  /// The limit beyond which threads would only wait for memory.
  private static let maximumThreads = 4

  private struct State {
    var next = 0
    var found: [Int: [Int]] = [:]
    var count = 0
    var failure: (any Error)?
  }

  /// Prepares a scan; a story dated after `now` (seconds since 1970) counts as of when it was
  /// stored.
  package init(
    _ items: ItemTable,
    _ condition: Condition<StoryCheck>,
    texts: StoryTextIndex? = nil,
    now: Double,
    limit: Int = .max,
  ) {
    (self.items, self.condition, self.texts) = (items, condition, texts)
    self.now = now
    self.limit = limit
  }

  /// Returns the stories' positions, newest first.
  package func run() throws -> [Int] {
    if condition == .always || limit == 0 { return Array(0..<min(limit, items.count)) }
    // Most lists are full after the first part; threads would only cost time then.
    scan(parts: 1)
    if !state.withLock({ isFinished($0) }) { scanTogether() }
    return try positions()
  }

  func scan(parts: Int = .max) {
    guard let reader = ItemReader(items) else { return }
    var story = StoredFacts(reader: reader, texts: texts)
    var test = StoryTest([condition], now: now)
    for _ in 0..<parts {
      guard let part = takePart() else { return }
      scan(part, &story, &test)
    }
  }

  func positions() throws -> [Int] {
    let (found, failure) = state.withLock { ($0.found, $0.failure) }
    if let failure { throw failure }
    return Array(found.sorted { $0.key < $1.key }.flatMap(\.value).prefix(limit))
  }

  private func scanTogether() {
    let helpers = min(POSIX.processors, Self.maximumThreads) - 1
    let threads = WorkerThreads((0..<helpers).map { _ in { @Sendable in self.scan() } })
    scan()
    threads.wait(until: nil, orReadable: nil)
  }

  /// True once all parts are begun or enough is found; parts are begun in order, so that those
  /// begun hold the first of all finds.
  private func isFinished(_ state: State) -> Bool {
    state.next >= items.count || state.count >= limit || state.failure != nil
  }

  private func takePart() -> Range<Int>? {
    state.withLock { state in
      guard !isFinished(state) else { return nil }
      let start = state.next
      state.next = min(start + Self.partSize, items.count)
      return start..<state.next
    }
  }

  private func scan(_ part: Range<Int>, _ story: inout StoredFacts, _ test: inout StoryTest) {
    var found: [Int] = []
    var failure: (any Error)?
    do {
      for index in part where found.count < limit {
        try story.reader.move(to: index)
        if try test.holds(of: &story) { found.append(index) }
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
