internal import FeedModel
internal import PropertyLists
internal import System

/// What only a home knows, to prove by which files of a site it has written.
package struct SiteKey: Sendable {
  private var secret: String

  private init(_ secret: String) { self.secret = secret }

  fileprivate static func new() -> SiteKey {
    SiteKey((0..<4).map { _ in UInt64.random(in: 0...UInt64.max).hexadecimal }.joined())
  }

  /// Of a file's name in the site of that id.
  func proof(of name: String, site id: String) -> String {
    SHA256.prefix(joining: [secret, id, name, secret]).hexadecimal
  }

  fileprivate static let table: PropertyListTable<SiteKey> = .init(
    SiteKey(""),
    [.init("key", { $1(&$0.secret) }, required: .string.accepting { $0.utf8.count == 64 })],
  )
}

/// The file `sites.plist`: a dictionary with the home's key.
extension LibraryStore {
  private var siteKeyFile: PropertyListFile<SiteKey> {
    PropertyListFile(
      path: path("sites.plist"),
      coding: .dictionary(SiteKey.table),
      maximumSize: 1 << 16,
      damage: "it has no key",
    )
  }

  /// The home's key; made where there is none.
  package func siteKey() throws(StorageError) -> SiteKey {
    if let key = try storedSiteKey() { return key }
    return try locked { () throws(StorageError) in
      // Another may have made one meanwhile.
      if let key = try storedSiteKey() { return key }
      let key = SiteKey.new()
      try siteKeyFile.replace(by: key)
      return key
    }
  }

  func storedSiteKey() throws(StorageError) -> SiteKey? { try siteKeyFile.read() }
}
