import FeedStorage

/// What the last `news list` numbered: the numbers that the user saw (design §2 "Numbers").
enum ListingRecord {
  /// The numbers; nil when nothing was listed since the last refresh.
  static func numbers(_ store: LibraryStore) throws(CommandError) -> ListingTable? {
    do { return try store.listing() } catch {
      throw .failed("\(error); `news list` numbers the stories again")
    }
  }

  /// Keeps the numbers of the stories at `places`.
  ///
  /// A list can be read where nothing can be written, so a failure is told, and is none.
  static func save(
    _ ids: [String],
    places: [Int],
    _ store: LibraryStore,
    _ context: CommandContext,
  ) {
    do { try store.saveListing(ids, places: places) } catch { complain(error, context) }
  }

  /// From now on numbers are places in the data file.
  static func forget(_ store: LibraryStore, _ context: CommandContext) {
    do { try store.forgetListing() } catch { complain(error, context) }
  }

  private static func complain(_ error: StorageError, _ context: CommandContext) {
    context.complain("the numbers of this list are not recorded: \(error)")
  }
}
