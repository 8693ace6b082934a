package import FeedModel
internal import PropertyLists
package import System

/// The folder with everything that is stored; `Files.md` of the documentation lists its files.
///
/// Readers take no lock: a rename gives them one whole version of a file or the other. Writers hold
/// the lock while they read again, change and save.
package struct LibraryStore: Sendable {
  package let home: String
  private let state: StateFolder?
  /// Words that the user typed for this command, which may be stored and run.
  package var typed = OwnWords()
  /// Tells the user of what was found and mended.
  package var notice: @Sendable (String) -> Void = { _ in }

  /// - Parameters:
  ///   - home: an absolute path; it need not exist.
  ///   - state: the folder for what is no data, if that is this home's.
  package init(home: String, state: StateFolder? = nil) {
    (self.home, self.state) = (home, state)
  }

  package var dataPath: String { path(.stories) }
  var subscriptionsPath: String { path(.feeds) }

  /// Returns the path of a file of the home, which may lie in the folder for what is no data.
  package func path(_ name: String) -> String {
    let isState = StoreFile.ofState.contains { $0.name == name }
    return "\(isState ? stateFolder ?? home : home)/\(name)"
  }

  package func path(_ file: StoreFile) -> String { path(file.name) }

  /// The folder for what is no data; nil where the home has that, too.
  package var stateFolder: String? {
    state.flatMap { $0.belongs(to: home) ? $0.path : nil }
  }

  package func prepareHome() throws {
    state?.take(for: home)
    try OpenFile.makeFolder(home)
  }

  /// Reads the store, which is empty without files.
  ///
  /// With names alone, `retryTimes` is empty.
  package func read(_ detail: SubscriptionDetail = .whole) throws -> Library {
    let file = SubscriptionsFile(path: subscriptionsPath)
    guard detail == .whole else {
      // The subscriptions' file has the version, so it is read first.
      let names = try file.names()
      let feeds = FollowedFeeds(subscriptions: names.subscriptions, formerNames: names.former)
      return Library(items: try readItems(), feeds: feeds)
    }
    var feeds = try file.read()
    feeds.subscriptions = withoutUnmade(feeds.subscriptions)
    var library = Library(items: try readItems(), feeds: feeds)
    if library.items.count < feeds.savedStories { library.forgetWhatIsGone() }
    return library
  }

  package func readOutlines() throws -> OutlineDocument {
    try outlines.read() ?? OutlineDocument()
  }

  func readItems() throws -> ItemTable {
    guard let (reader, status) = try Self.reader(dataPath) else { return ItemTable(path: dataPath) }
    return try ItemTable(reader, path: dataPath, status: status)
  }

  /// The most bytes of a file: every offset in a property list has 32 bits here.
  static let maximumSize = BinaryPropertyListWriter.maximumSize

  static func reader(
    _ path: String,
    atMost limit: Int = maximumSize,
  ) throws -> (BinaryPropertyListReader, FileStatus)? {
    guard let (file, status) = try OpenFile.reading(path) else { return nil }
    guard status.size <= limit else { throw StorageError.tooLarge(path: path, limit: limit) }
    let bytes = try file.mapped(size: status.size)
    let reader = try StorageError.translating(path) {
      try PropertyList.reader(bytes)
    }
    return (reader, status)
  }

  /// Runs one change while no other writer can: lock, read again, change, save, unlock.
  ///
  /// A change that changes nothing writes nothing.
  ///
  /// - Parameters:
  ///   - limit: the time to wait for another writer.
  ///   - change: gets the stored library; returns the change, and a value for the caller.
  /// - Returns: the value from `change`, once the change is safe on the disk.
  /// - Throws: `.locked` when another writer took too long, or the reason why nothing was changed.
  package func update<R>(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (Library) throws -> (LibraryChange, R),
  ) throws -> R {
    try locked(waitAtMost: limit) {
      let library = try read()
      let (change, result) = try change(library)
      try save(change, of: library)
      return result
    }
  }

  func locked<R>(waitAtMost limit: Duration = .seconds(30), _ body: () throws -> R) throws -> R {
    try prepareHome()
    var folders = [home]
    for path in [dataPath, subscriptionsPath] {
      folders.append(FilePath.folder(of: try OpenFile.resolvingLinks(path)))
    }
    let lock = try FileLock.acquire(path(.lock), folders: folders, waitAtMost: limit)
    defer { lock.forgetHolder() }
    // Nothing of a newer version's store is overwritten.
    let isFormer = try SubscriptionsFile(path: subscriptionsPath).isFormer()
    try dropUnmade()
    if isFormer { try renewFormer() }
    return try body()
  }
}
