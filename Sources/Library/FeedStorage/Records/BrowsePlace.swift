package struct BrowsePlace: Hashable, Sendable {
  /// The options of `news list` that select the listed stories.
  package var source: [String] = []
  /// The id of the chosen story; empty if nothing was listed.
  package var story = ""
  package var isReversed = false
  package var isGrouped = false
  package var hidesRead = false
  /// A word for the order of the feeds; empty for the order of the file.
  package var feedOrder = ""
  package var folded: [String] = []
  package var texts = TextPlaces()

  package init(source: [String] = [], story: String = "") {
    (self.source, self.story) = (source, story)
  }

  fileprivate static let table: PropertyListTable<BrowsePlace> = .init(
    BrowsePlace(),
    [
      .init("source", { $1(&$0.source) }, .strings),
      .init("story", { $1(&$0.story) }, .string),
      .init("reversed", { $1(&$0.isReversed) }, .boolean),
      .init("grouped", { $1(&$0.isGrouped) }, .boolean),
      .init("hidesRead", { $1(&$0.hidesRead) }, .boolean),
      .init("feedOrder", { $1(&$0.feedOrder) }, .string),
      .init("folded", { $1(&$0.folded) }, .strings),
      .init("texts", { $1(&$0.texts) }, TextPlaces.coding),
    ],
  )
}

extension LibraryStore {
  var browsePlaceFile: PropertyListFile<BrowsePlace> {
    record(.browse, .dictionary(BrowsePlace.table))
  }

  package func browsePlace() throws -> BrowsePlace? { try browsePlaceFile.read() }

  /// Saves without waiting for the disk or another writer.
  package func save(_ place: BrowsePlace) throws {
    guard try homeFile() != nil else { return }
    try browsePlaceFile.replaceUnsynced(by: place)
  }
}
