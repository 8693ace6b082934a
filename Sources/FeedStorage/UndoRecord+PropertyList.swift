internal import FeedModel
internal import PropertyLists
internal import System

extension UndoRecord {
  /// The version that this program reads and, where it must, writes; a newer one is refused.
  ///
  /// Version 1 had in `left` only one feed.
  static let version = 2

  /// nil for a dictionary that says neither which command nor when.
  init?(_ dictionary: PropertyListDictionary) {
    guard let command = dictionary["command"]?.string, let date = dictionary["date"]?.asDate else {
      return nil
    }
    self.init(command: command, date: date)
    marked = dictionary["marked"]?.dictionary.flatMap { MarkedStories($0) }
    subscriptions = (dictionary["subscriptions"]?.array ?? []).compactMap { $0.dictionary }
      .compactMap { Subscription($0) }
    let left = dictionary["left"]?.array ?? dictionary["left"].map { [$0] } ?? []
    self.left = left.compactMap(\.dictionary).compactMap { LeftStories($0) }
    let counts = (dictionary["runs"]?.array ?? []).compactMap(\.asCount)
    let anchors = dictionary["after"]?.asStrings ?? []
    guard counts.count == anchors.count else { return nil }
    runs = zip(counts, anchors).map { ClearedRun(count: $0, after: $1.isEmpty ? nil : $1) }
    dataFile = dictionary["dataFile"]?.dictionary.flatMap { SetAsideFile($0) }
  }

  /// The record without the stories.
  func dictionary() -> PropertyListDictionary {
    var dictionary: PropertyListDictionary = [
      "version": .integer(left.count > 1 ? 2 : 1), "command": .string(command),
      "date": .date(date.timeIntervalSinceReferenceDate),
    ]
    dictionary["marked"] = marked.map { .dictionary($0.dictionary()) }
    if !subscriptions.isEmpty {
      dictionary["subscriptions"] = .array(
        subscriptions.map { .dictionary($0.dictionary(over: PropertyListDictionary())) }
      )
    }
    let left = left.map { PropertyListValue.dictionary($0.dictionary()) }
    if !left.isEmpty { dictionary["left"] = left.count > 1 ? .array(left) : left[0] }
    if !runs.isEmpty {
      dictionary["runs"] = .array(runs.map { .integer(Int64($0.count)) })
      dictionary["after"] = .array(runs.map { .string($0.after ?? "") })
    }
    dictionary["dataFile"] = dataFile.map { .dictionary($0.dictionary()) }
    return dictionary
  }
}

extension MarkedStories {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    let marks = ItemMarks(
      isRead: dictionary["read"]?.boolean,
      isStarred: dictionary["starred"]?.boolean,
    )
    guard marks != ItemMarks() else { return nil }
    self.init(marks: marks, ids: ItemIDs(dictionary))
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = ids.dictionary()
    dictionary["read"] = marks.isRead.map { .boolean($0) }
    dictionary["starred"] = marks.isStarred.map { .boolean($0) }
    return dictionary
  }
}

extension LeftStories {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let feed = dictionary["feed"]?.string else { return nil }
    self.init(feed: feed)
    ids = ItemIDs(dictionary)
    owned = ItemIDs(dictionary["owned"]?.dictionary ?? PropertyListDictionary())
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = ids.dictionary()
    dictionary["feed"] = .string(feed)
    dictionary["owned"] = .dictionary(owned.dictionary())
    return dictionary
  }
}

extension ItemIDs {
  fileprivate init(_ dictionary: PropertyListDictionary) {
    self.init(dictionary["otherIDs"]?.asStrings ?? [])
    for number in dictionary["ids"]?.asHashes ?? [] { insert(number) }
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    dictionary["ids"] = .hashes(numbers.sorted())
    dictionary["otherIDs"] = .strings(others.sorted())
    return dictionary
  }
}

extension SetAsideFile {
  fileprivate init?(_ dictionary: PropertyListDictionary) {
    guard let size = dictionary["size"]?.asInt, let changed = dictionary["changed"]?.asInt else {
      return nil
    }
    self.init(size: size, changed: changed)
  }

  fileprivate func dictionary() -> PropertyListDictionary {
    ["size": .integer(Int64(size)), "changed": .integer(Int64(changed))]
  }
}
