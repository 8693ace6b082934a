internal import FeedModel
internal import PropertyLists

/// What the file of subscriptions holds; a subscription is decoded when it is asked for.
struct SubscriptionsContents {
  /// All but the subscriptions.
  let root: PropertyListDictionary
  /// The objects that are the subscriptions.
  let feeds: [Int]
  private let path: String
  private let reader: BinaryPropertyListReader?

  /// - Parameters:
  ///   - reader: the file; nil, where there is none, is nothing.
  ///   - path: for messages.
  /// - Throws: `.damaged` where the file cannot be read.
  init(_ reader: BinaryPropertyListReader?, path: String) throws(StorageError) {
    self.path = path
    self.reader = reader
    guard let reader else {
      (root, feeds) = (PropertyListDictionary(), [])
      return
    }
    let parts = try ItemTable.reading(path) { () throws(PropertyListError) in
      try Self.parts(of: reader)
    }
    guard let parts else {
      throw .damaged(path: path, reason: "the top-level object is not a dictionary")
    }
    (root, feeds) = parts
  }

  /// What may come of all subscriptions, each decoded once.
  var budget: Int { reader?.expansionBudget ?? 0 }

  /// A subscription; nil for an element that is no dictionary.
  func feed(_ object: Int, budget: inout Int) throws(StorageError) -> PropertyListDictionary? {
    guard let reader else { return nil }
    var rest = budget
    defer { budget = rest }
    return try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(object, budget: &rest).dictionary
    }
  }

  /// The last subscription of each URL; one that has moved also by the URL it was listed with.
  func feedsByURL() throws(StorageError) -> [String: Int] {
    guard let reader else { return [:] }
    return try ItemTable.reading(path) { () throws(PropertyListError) in
      var objects: [String: Int] = [:]
      var listed: [String: Int] = [:]
      for feed in feeds {
        _ = try reader.forEachEntry(feed) { (key, value) throws(PropertyListError) in
          if try reader.isString(key, "url") {
            if let url = try reader.string(value) { objects[url] = feed }
          } else if try reader.isString(key, "listedURL"), let url = try reader.string(value) {
            listed[url] = feed
          }
        }
      }
      return objects.merging(listed) { url, _ in url }
    }
  }

  private static func parts(
    of reader: BinaryPropertyListReader
  ) throws(PropertyListError) -> (PropertyListDictionary, [Int])? {
    var root = PropertyListDictionary()
    var feeds: [Int] = []
    var budget = reader.expansionBudget
    let isDictionary = try reader.forEachEntry(reader.root) {
      (key, value) throws(PropertyListError) in
      guard let name = try reader.string(key) else {
        throw .damaged("a key is not a string", offset: 0)
      }
      if name == "feeds" {
        feeds = try reader.elements(value) ?? []
      } else {
        root.append(name, try reader.value(value, budget: &budget))
      }
    }
    return isDictionary ? (root, feeds) : nil
  }
}
