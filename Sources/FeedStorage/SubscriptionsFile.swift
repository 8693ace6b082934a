internal import FeedModel
internal import PropertyLists

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file of subscriptions, `feeds.plist`.
///
/// A dictionary with the version, the subscriptions in the user's order and the hosts that want to
/// be left in peace. Keys that this version does not know are kept.
///
/// The version is that of the whole store: the data file has no place for one that other programs
/// would not take for a story. A program that changes the form of any file raises it here first.
struct SubscriptionsFile {
  let path: String

  /// The version of the store that this program writes; a newer one is refused.
  static let version = 1

  func read() throws(StorageError) -> (subscriptions: [Subscription], hosts: [String: Date]) {
    let root = try dictionary()
    let subscriptions = (root["feeds"]?.array ?? []).compactMap { $0.dictionary }
      .compactMap { Subscription($0) }
    var hosts: [String: Date] = [:]
    for entry in root["hosts"]?.dictionary?.entries ?? [] {
      if let date = entry.value.asDate { hosts[entry.key] = date }
    }
    return (subscriptions, hosts)
  }

  /// Replaces the file after `last`; the caller holds the lock.
  func save(
    _ subscriptions: [Subscription],
    hosts: [String: Date],
    after last: () throws(StorageError) -> Void = {},
  ) throws(StorageError) {
    var root = try dictionary()
    var old: [String: PropertyListDictionary] = [:]
    for dictionary in (root["feeds"]?.array ?? []).compactMap({ $0.dictionary }) {
      if let url = dictionary["url"]?.string { old[url] = dictionary }
    }
    let feeds = subscriptions.map {
      PropertyListValue.dictionary($0.dictionary(over: old[$0.url] ?? PropertyListDictionary()))
    }
    var held = PropertyListDictionary()
    for (host, date) in hosts.sorted(by: { $0.key < $1.key }) {
      held.append(host, .date(date.timeIntervalSinceReferenceDate))
    }
    root["version"] = .integer(Int64(Self.version))
    root["feeds"] = .array(feeds)
    root["hosts"] = held.entries.isEmpty ? nil : .dictionary(held)
    try AtomicFile(path: path).replace(PropertyList.encode(.dictionary(root)), after: last)
  }

  private func dictionary() throws(StorageError) -> PropertyListDictionary {
    guard let reader = try reader() else { return PropertyListDictionary() }
    let value = try ItemTable.reading(path) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    return value.dictionary ?? PropertyListDictionary()
  }

  /// The file, if there is one; one of a newer version is refused.
  func reader() throws(StorageError) -> BinaryPropertyListReader? {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    let version = try ItemTable.reading(path) { () throws(PropertyListError) in
      guard try reader.entries(reader.root) != nil else { return nil as PropertyListValue? }
      guard let version = try reader.value(of: "version", in: reader.root) else {
        return .integer(1)
      }
      return try reader.value(version)
    }
    try check(version)
    return reader
  }

  private func check(_ version: PropertyListValue?) throws(StorageError) {
    switch version {
    case .integer(...Int64(Self.version)): return
    case .integer(let number): throw newer(Int(number))
    case .unsigned: throw newer(.max)
    case nil: throw .damaged(path: path, reason: "the top-level object is not a dictionary")
    default: throw .damaged(path: path, reason: "the version is not a number")
    }
  }

  private func newer(_ version: Int) -> StorageError {
    .newerVersion(path: path, version: version, supported: Self.version)
  }
}
