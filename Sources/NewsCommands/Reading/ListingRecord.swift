import FeedStorage

/// What the last `news list` numbered: the numbers that the user saw (design §2 "Numbers").
enum ListingRecord {
  /// The ids in the order of their numbers; nil when nothing was listed since the last refresh.
  static func ids(_ store: LibraryStore) throws(CommandError) -> [String]? {
    do { return try store.listing() } catch { throw .failed("\(error)") }
  }

  /// Keeps the numbers; nil forgets them: from then on they are places in the data file.
  ///
  /// A list can be read where nothing can be written, so a failure is told, and is none.
  static func save(_ ids: [String]?, _ store: LibraryStore, _ context: CommandContext) {
    do {
      try store.saveListing(ids)
    } catch {
      context.complain("the numbers of this list are not recorded: \(error)")
    }
  }

  /// From now on numbers are places in the data file.
  static func forget(_ store: LibraryStore, _ context: CommandContext) {
    save(nil, store, context)
  }
}
