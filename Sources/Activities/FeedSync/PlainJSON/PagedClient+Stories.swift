internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import FeedReading
import System

extension PagedClient {
  private struct Page {
    let stories: [ServerStory]
    /// The lowest id that the page tells of; 0 on the last page.
    let end: UInt64
  }

  mutating func lists(since: Date) throws(ServerError) -> ServerReading {
    let feeds = try feeds()
    var marks: [ServerItemID: (isRead: Bool, isStarred: Bool)] = [:]
    for (query, end) in Interface.lists(since: since) {
      var (below, pages): (UInt64, Int) = (0, 0)
      repeat {
        let page = try page(query, below: below)
        for story in page.stories {
          marks[story.id] = (story.content.isRead, story.content.isStarred)
          keep(story)
        }
        let oldest = page.stories.compactMap(\.changed).min()
        let isOver = if let end, let oldest { oldest < end } else { false }
        below = isOver ? 0 : page.end
        pages += 1
        guard pages <= PageLimits.pages else {
          throw .answer("refused: a list of stories over \(PageLimits.pages) pages")
        }
      } while below > 0
    }
    let ids = marks.keys.sorted(by: >)
    var reading = ServerReading(
      feeds: feeds,
      unread: ids.filter { marks[$0]?.isRead == false },
      starred: ids.filter { marks[$0]?.isStarred == true },
      recent: ids,
    )
    reading.user = user
    return reading
  }

  private mutating func keep(_ story: ServerStory) {
    var story = story
    if !server.fetchesStories { story.content.html = nil }
    let bytes = kept.bytes + 512 + (story.content.html?.utf8.count ?? 0)
    guard bytes <= PageLimits.keptBytes else { return }
    kept.bytes = bytes
    kept.stories[story.id] = story
  }

  mutating func stories(
    _ ids: ArraySlice<ServerItemID>,
    _ take: (ArraySlice<ServerItemID>, [ServerStory]) -> Void,
  ) throws(ServerError) {
    let known = ids.filter { kept.stories[$0] != nil }
    if !known.isEmpty { take(known[...], known.compactMap { kept.stories[$0] }) }
    var rest = ids.filter { kept.stories[$0] == nil }.sorted(by: >)[...]
    while let first = rest.first {
      // Stories far below would come with many that nobody wants.
      let near = rest.prefix { first.low - $0.low < 4 * UInt64(PageLimits.storiesOnPage) }
      let page = try page(Interface.all, below: first.low + 1, atMost: near.count)
      let asked = rest.prefix { $0.low >= page.end }
      take(asked, page.stories)
      rest = rest.dropFirst(asked.count)
    }
  }

  // MARK: Pages

  /// Asks for a page, and halves one that is too large or refused, until the single stories that
  /// must be left out are found.
  private mutating func page(
    _ query: String,
    below: UInt64,
    atMost most: Int = PageLimits.storiesOnPage,
  ) throws(ServerError) -> Page {
    var below = below
    while true {
      let size = min(size, most)
      let answer = read(query, below: below, size)
      guard case .failure(.request(let error)) = answer, mayBeOfOneStory(error) else {
        let stories = try answer.get().stories
        let end = stories.count < size ? 0 : stories.map(\.id.low).min() ?? 0
        guard below == 0 || end < below else {
          throw .answer("a list of stories goes on without end")
        }
        self.size = min(self.size * 2, PageLimits.storiesOnPage)
        return Page(stories: stories, end: end)
      }
      refusals += 1
      self.size = max(size / 2, 1)
      if size == 1 { below = try leaveOut(query, below: below, error) }
    }
  }

  private func read(
    _ query: String,
    below: UInt64,
    _ size: Int,
  ) -> Result<ServerAnswer, ServerError> {
    var reading = Interface.stories
    reading.most = size
    let path = "\(reading.path)?\(query)&\(Interface.page(below: below, size: size))"
    return connection.read(
      [(request(PlainCall(path, by: .get)), as: reading)],
      atMost: PageLimits.bytes,
    )[0]
  }

  private func mayBeOfOneStory(_ error: FetchError) -> Bool {
    error.isOfSize || error.mayBeOfOneStory && refusals < PageLimits.refusals
  }

  /// Returns the id of the first story below an id, which the server cannot give: pages that begin
  /// above it fail, and those that begin below it come.
  private func leaveOut(
    _ query: String,
    below: UInt64,
    _ error: FetchError,
  ) throws(ServerError) -> UInt64 {
    var (good, bad): (UInt64, UInt64) = (1, below == 0 ? 1 << 40 : below)
    var step: UInt64 = 1
    // A server that does not even give nothing is in trouble.
    if case .failure(.request(let error)) = read(query, below: good, 1) { throw .request(error) }
    while bad - good > 1 {
      let next = good == 1 && step < bad / 2 ? bad - step : (good + bad) / 2
      step *= 2
      if case .failure(.request(let error)) = read(query, below: next, 1) {
        guard mayBeOfOneStory(error) else { throw .request(error) }
        bad = next
      } else {
        good = next
      }
    }
    connection.complain(leftOut: error, by: server, atMost: PageLimits.bytes)
    return good
  }

  // MARK: Marks

  mutating func send(
    _ marks: [ServerEdit: [ServerItemID]],
    _ done: (ServerEdit, ArraySlice<ServerItemID>, ServerError?) -> Void,
  ) throws(ServerError) {
    for edit in marks.keys.sorted() {
      let ids = marks[edit] ?? []
      guard let first = ids.first else { continue }
      let size = Interface.call(edit, of: [Int(first.low)]).isToggle ? 1 : 250
      for ids in ids[...].batches(of: size) {
        do throws(ServerError) {
          try send(edit, ids)
          done(edit, ids, nil)
        } catch {
          refusals += 1
          guard error.isAboutMarks, size > 1 || refusals < PageLimits.refusals else { throw error }
          done(edit, ids, error)
        }
      }
    }
  }

  /// Sets or takes back a mark.
  ///
  /// The state of one that a call would take back is read before: the answer to an earlier call may
  /// have been lost, and the user may have marked the story there meanwhile.
  private mutating func send(
    _ edit: ServerEdit,
    _ ids: ArraySlice<ServerItemID>,
  ) throws(ServerError) {
    let call = Interface.call(edit, of: ids.map { Int($0.low) })
    if call.isToggle, let id = ids.first {
      let stories = try read(Interface.all, below: id.low + 1, 1).get().stories
      guard let story = stories.first(where: { $0.id == id }) else { throw .request(.status(404)) }
      guard story.content.isStarred != edit.isSet else { return }
    }
    try carryOut(call)
  }
}
