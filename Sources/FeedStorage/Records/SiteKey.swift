internal import FeedModel
internal import PropertyLists
internal import System

/// What only a home knows, to prove by which files of a site it has written.
package struct SiteKey: Sendable {
  private let secret: String

  private init(_ secret: String) { self.secret = secret }

  fileprivate static func new() -> SiteKey {
    SiteKey((0..<4).map { _ in UInt64.random(in: 0...UInt64.max).hexadecimal }.joined())
  }

  /// Of a file's name in the site of that id.
  func proof(of name: String, site id: String) -> String {
    SHA256.prefix(joining: [secret, id, name, secret]).hexadecimal
  }

  fileprivate init?(_ value: PropertyListValue) {
    guard let secret = value.dictionary?["key"]?.string, secret.utf8.count == 64 else { return nil }
    self.secret = secret
  }

  fileprivate var value: PropertyListValue { .dictionary(["key": .string(secret)]) }
}

/// The file `sites.plist`: a dictionary with the home's key.
extension LibraryStore {
  private var sitesPath: String { path("sites.plist") }

  /// The home's key; made where there is none.
  package func siteKey() throws(StorageError) -> SiteKey {
    if let key = try storedSiteKey() { return key }
    return try locked { () throws(StorageError) in
      // Another may have made one meanwhile.
      if let key = try storedSiteKey() { return key }
      let key = SiteKey.new()
      try AtomicFile(path: sitesPath).replace(PropertyList.encode(key.value))
      return key
    }
  }

  func storedSiteKey() throws(StorageError) -> SiteKey? {
    guard let (reader, _) = try Self.reader(sitesPath, atMost: 1 << 16) else { return nil }
    let value = try ItemTable.reading(sitesPath) { () throws(PropertyListError) in
      try reader.value(reader.root)
    }
    guard let key = SiteKey(value) else {
      throw .damaged(path: sitesPath, reason: "it has no key")
    }
    return key
  }
}
