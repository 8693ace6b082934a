package import FeedModel
internal import PropertyLists

/// The file `places.plist`: an array of dictionaries, what a home synchronizes with.
extension LibraryStore {
  var placesPath: String { path("places.plist") }
  private static let (maximumPlacesSize, maximumPlaces) = (1 << 20, 100)

  package func syncPlaces() throws(StorageError) -> [SyncPlace] {
    guard let (reader, _) = try Self.reader(placesPath, atMost: Self.maximumPlacesSize) else {
      return []
    }
    let value = try ItemTable.reading(placesPath) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    let places = (value.array ?? []).compactMap { $0.dictionary.flatMap { SyncPlace($0) } }
    guard let count = value.array?.count, places.count == count, count <= Self.maximumPlaces else {
      throw .damaged(path: placesPath, reason: "what it says of a place is not understood")
    }
    return places
  }

  /// Changes them under the lock; what `change` throws changes nothing.
  package func changeSyncPlaces(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (inout [SyncPlace]) throws(StorageError) -> Void,
  ) throws(StorageError) {
    try locked(waitAtMost: limit) { () throws(StorageError) in
      let old = try syncPlaces()
      var new = old
      try change(&new)
      guard new != old else { return }
      guard new.count <= Self.maximumPlaces else {
        throw .refused("there may be no more than \(Self.maximumPlaces) places")
      }
      let values = new.map { PropertyListValue.dictionary($0.dictionary) }
      try AtomicFile(path: placesPath).replace(PropertyList.encode(.array(values)))
    }
  }
}

extension SyncPlace {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let name = dictionary["name"]?.string, let way = Way(dictionary, name: name) else {
      return nil
    }
    self.init(name: name, way: way, sharesStories: dictionary["stories"] == .boolean(true))
    (tried, done) = (dictionary["tried"]?.asDate, dictionary["done"]?.asDate)
    failure = dictionary["failure"]?.string
    times = dictionary["times"]?.asCount ?? 0
    sent = dictionary["sent"]?.asCount ?? 0
    taken = dictionary["taken"]?.asCount ?? 0
    told = UInt32(clamping: dictionary["told"]?.asCount ?? 0)
  }

  fileprivate var dictionary: PropertyListDictionary {
    var dictionary: PropertyListDictionary = ["name": .string(name)]
    switch way {
    case .folder(let path): dictionary["folder"] = .string(path)
    case .machine(let host, let home):
      dictionary["host"] = .string(host)
      dictionary["home"] = home.map { .string($0) }
    case .server(let server):
      dictionary["server"] = .string(server.url)
      dictionary["user"] = .string(server.user)
      dictionary["passwordCommand"] = server.passwordCommand.map { .string($0) }
      dictionary["fetches"] = server.fetchesStories ? .boolean(true) : nil
      dictionary["api"] = server.interface.map { .string($0) }
    }
    dictionary["stories"] = sharesStories ? .boolean(true) : nil
    dictionary["tried"] = .date(tried)
    dictionary["done"] = .date(done)
    dictionary["failure"] = failure.map { .string($0) }
    let counts = [("times", times), ("sent", sent), ("taken", taken), ("told", Int(told))]
    for (key, count) in counts where count > 0 {
      dictionary[key] = .integer(Int64(count))
    }
    return dictionary
  }
}

extension SyncPlace.Way {
  fileprivate init?(_ dictionary: PropertyListDictionary, name: String) {
    if let path = dictionary["folder"]?.string {
      self = .folder(path)
    } else if let host = dictionary["host"]?.string {
      self = .machine(host: host, home: dictionary["home"]?.string)
    } else if let url = dictionary["server"]?.string, let user = dictionary["user"]?.string {
      self = .server(
        SyncServer(
          name: name,
          url: url,
          user: user,
          passwordCommand: dictionary["passwordCommand"]?.string,
          fetchesStories: dictionary["fetches"] == .boolean(true),
          interface: dictionary["api"]?.string,
        )
      )
    } else {
      return nil
    }
  }
}
