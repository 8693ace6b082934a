import CommandSupport
import FeedModel
import FeedStorage
import Searching

// MARK: The list of the source and the filter

extension Browser {
  /// Lists what the source and the filter ask for.
  ///
  /// A list that cannot be made is empty, lest keys mean stories of the one before; while a filter is
  /// being typed, that one stays, and says so in its title.
  mutating func list(_ context: CommandContext, isAgain: Bool = false) throws {
    do {
      let asked = try query()
      let found = try found(asked, in: stories.library, context)
      if isAgain {
        try stories.listAgain(found, isReversed: isReversed, rows: layout.paneRows)
      } else {
        stories.list(found, isReversed: isReversed)
      }
      drawn = (asked, filter)
    } catch {
      if case .filter = question?.kind { throw error }
      stories.list(FoundStories([]), isReversed: isReversed)
      (drawn, isAllRead) = (nil, false)
      throw error
    }
  }

  /// Lists by the filter that was typed, or goes on asking for it where it cannot be understood.
  mutating func settle(_ context: CommandContext, before: String) throws {
    question = BrowserQuestion(.filter(before: before), filter)
    try list(context)
    question = nil
  }

  /// Lists the same in another version of the store; a filter that is being typed may be unfinished.
  mutating func listAnew(in library: Library, _ context: CommandContext) throws {
    let asked = try drawn.map { drawn in (try? query()) ?? drawn.query } ?? query()
    try update(to: library, try found(asked, in: library, context))
  }

  private mutating func found(
    _ query: StoryQuery,
    in library: Library,
    _ context: CommandContext,
  ) throws -> FoundStories {
    let positions = try positions(of: query, in: library, context)
    isAllRead =
      try positions.isEmpty && query.asksForUnread
      && !context.positions(of: query.withRead, in: library, atMost: 1).isEmpty
    return try similar.rows(context, of: positions, in: library, if: isGrouped)
  }

  private func positions(
    of query: StoryQuery,
    in library: Library,
    _ context: CommandContext,
  ) throws -> [Int] {
    let positions = try context.listed(query, in: library, settling: stories.reach)
    guard query.asksForUnread, !readHere.isEmpty else { return positions }
    let all = query.withRead
    let read = try library.items.positions(of: ItemIDs(readHere))
    let shown = Set(positions + read)
    return try context.listed(all, in: library, settling: stories.reach).filter(shown.contains)
  }

  func query() throws -> StoryQuery {
    var query = source.query
    if hidesRead { query.isUnread = true }
    guard !filter.isEmpty else { return query }
    try query.search.add(StorySearch(filter))
    return query
  }
}
