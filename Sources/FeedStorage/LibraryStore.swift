package import FeedModel
internal import PropertyLists

/// The folder with everything that is stored (design §3).
///
/// Readers take no lock: a rename gives them one whole version of a file or the other. Writers hold
/// the lock while they read again, change and save.
package struct LibraryStore: Sendable {
  package let home: String

  /// - Parameter home: an absolute path; it need not exist.
  package init(home: String) {
    self.home = home
  }

  package var dataPath: String { path("newsdata.plist") }
  var subscriptionsPath: String { path("feeds.plist") }

  func path(_ name: String) -> String {
    "\(home)/\(name)"
  }

  /// Creates the folder, for this user alone.
  package func prepareHome() throws(StorageError) {
    try SystemCalls.makeFolder(home)
  }

  /// What is stored now; nothing is stored where there are no files.
  ///
  /// With names alone, `hosts` is empty.
  package func read(_ detail: SubscriptionDetail = .whole) throws(StorageError) -> Library {
    let file = SubscriptionsFile(path: subscriptionsPath)
    guard detail == .whole else {
      // The version stands in the subscriptions' file: that first.
      let names = try file.names()
      return Library(items: try readItems(), subscriptions: names, hosts: [:])
    }
    let feeds = try file.read()
    return Library(
      items: try readItems(),
      subscriptions: feeds.subscriptions,
      hosts: feeds.hosts,
    )
  }

  private func readItems() throws(StorageError) -> ItemTable {
    guard let (reader, status) = try Self.reader(dataPath) else { return ItemTable(path: dataPath) }
    return try ItemTable(reader, path: dataPath, status: status)
  }

  /// Larger files are refused: every place in a property list is counted in 32 bits here.
  static let maximumSize = 2 << 30

  /// A property-list file; nil when there is none.
  static func reader(
    _ path: String
  ) throws(StorageError) -> (BinaryPropertyListReader, SystemCalls.Status)? {
    guard let (file, status) = try SystemCalls.openForReading(path) else { return nil }
    guard status.size <= maximumSize else { throw .tooLarge(path: path, limit: maximumSize) }
    let bytes = try SystemCalls.map(file, size: status.size)
    let reader = try ItemTable.reading(path) { () throws(PropertyListError) in
      try PropertyList.reader(bytes)
    }
    return (reader, status)
  }

  /// Runs one change while no other writer can: lock, read again, change, save, unlock.
  ///
  /// The stories are saved before the subscriptions: whoever is stopped in between has new stories
  /// and old validators, and asks once more than needed; the other way round a story could be
  /// missed for ever. A change that changes nothing writes nothing.
  /// - Parameters:
  ///   - limit: how long to wait for another writer.
  ///   - change: is given what is stored now; returns what to change, and anything for the caller.
  /// - Returns: what `change` returned, once it is safe on the disk.
  /// - Throws: `.locked` when another writer took too long, or why nothing was changed.
  package func update<R>(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (Library) throws(StorageError) -> (LibraryChange, R),
  ) throws(StorageError) -> R {
    try locked(waitAtMost: limit) { () throws(StorageError) in
      let library = try read()
      let (change, result) = try change(library)
      if let items = change.items { try save(items, from: change.source, of: library.items) }
      let subscriptions = change.subscriptions ?? library.subscriptions
      let hosts = change.hosts ?? library.hosts
      if subscriptions != library.subscriptions || hosts != library.hosts {
        try SubscriptionsFile(path: subscriptionsPath).save(subscriptions, hosts: hosts)
      }
      return result
    }
  }

  func locked<R>(
    waitAtMost limit: Duration = .seconds(30),
    _ body: () throws(StorageError) -> R,
  ) throws(StorageError) -> R {
    try prepareHome()
    var folders = [home]
    for path in [dataPath, subscriptionsPath] {
      folders.append(FilePath.folder(of: try SystemCalls.resolvingLinks(path)))
    }
    let lock = try FileLock.acquire(path("lock"), folders: folders, waitAtMost: limit)
    defer { lock.forgetHolder() }
    // Nothing of a newer version's store is overwritten.
    _ = try SubscriptionsFile(path: subscriptionsPath).reader()
    return try body()
  }

  private func save(
    _ edits: [ItemEdit],
    from source: StorySource?,
    of table: ItemTable,
  ) throws(StorageError) {
    if edits == [.keep(0..<table.count)] || (edits.isEmpty && table.count == 0) { return }
    try AtomicFile(path: dataPath).replace(madeFrom: table.status) { write throws(StorageError) in
      var builder = DataFileBuilder(table, for: edits, from: source)
      try builder.write(edits, to: write)
    }
  }

  /// Deletes the stories, and forgets what would keep the next refresh from bringing them back.
  ///
  /// The data file goes even if it is damaged.
  package func clearStories() throws(StorageError) {
    try locked { () throws(StorageError) in
      let file = SubscriptionsFile(path: subscriptionsPath)
      let (subscriptions, hosts) = try file.read()
      // Validators first: a stop in between costs one request more, not every story.
      let forgotten = subscriptions.map { $0.forgettingStories() }
      if forgotten != subscriptions { try file.save(forgotten, hosts: hosts) }
      try AtomicFile(path: dataPath).delete()
      try removeListing()
    }
  }
}

extension Subscription {
  /// The same without what the feed's stored stories left behind.
  package func forgettingStories() -> Subscription {
    var copy = self
    copy.state.validators = nil
    copy.state.newestTitle = nil
    copy.state.bodyDigest = nil
    copy.state.lastUnconditional = nil
    copy.state.nextDue = nil
    copy.state.dropped = []
    return copy
  }
}
