internal import FeedModel
internal import PropertyLists

/// What the lists of stories need of `feeds.plist`.
extension SubscriptionsFile {
  /// The subscriptions with their URLs, titles and tags, and nothing of what fetches left behind.
  func names() throws(StorageError) -> [Subscription] {
    guard let reader = try reader() else { return [] }
    return try ItemTable.reading(path) { () throws(PropertyListError) in
      guard let feeds = try reader.value(of: "feeds", in: reader.root),
        let elements = try reader.elements(feeds)
      else { return [] }
      var subscriptions: [Subscription] = []
      subscriptions.reserveCapacity(elements.count)
      for feed in elements {
        if let subscription = try Self.name(feed, in: reader) {
          subscriptions.append(subscription)
        }
      }
      return subscriptions
    }
  }

  /// nil for a dictionary without a URL.
  private static func name(
    _ feed: Int,
    in reader: BinaryPropertyListReader,
  ) throws(PropertyListError) -> Subscription? {
    guard let url = try reader.string(of: "url", in: feed), !url.isEmpty else { return nil }
    var subscription = Subscription(url: url, title: try reader.string(of: "title", in: feed))
    if let state = try reader.value(of: "state", in: feed) {
      subscription.state.title = try reader.string(of: "title", in: state)
    }
    guard let tags = try reader.value(of: "tags", in: feed) else { return subscription }
    for tag in try reader.elements(tags) ?? [] {
      if let text = try reader.string(tag) { subscription.tags.append(text) }
    }
    return subscription
  }
}

extension BinaryPropertyListReader {
  /// The object that a dictionary has for a key, the last one where it has it twice.
  func value(of key: StaticString, in object: Int) throws(PropertyListError) -> Int? {
    var found: Int?
    _ = try forEachEntry(object) { (name, value) throws(PropertyListError) in
      if try isString(name, key) { found = value }
    }
    return found
  }

  fileprivate func string(
    of key: StaticString,
    in object: Int,
  ) throws(PropertyListError) -> String? {
    guard let value = try value(of: key, in: object) else { return nil }
    return try string(value)
  }
}
