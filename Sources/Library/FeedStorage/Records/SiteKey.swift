internal import FeedModel
internal import System

/// A secret of a home, with which it proves that it has written a site's files.
package struct SiteKey: Sendable {
  private var secret: String

  fileprivate init(_ secret: String) { self.secret = secret }

  /// Returns 256 random bits in hexadecimal.
  static func newSecret() -> String {
    (0..<4).map { _ in UInt64.random(in: 0...UInt64.max).hexadecimal }.joined()
  }

  func proof(of name: String, site id: String) -> String {
    SHA256.prefix(joining: [secret, id, name, secret]).hexadecimal
  }

  fileprivate static let table: PropertyListTable<SiteKey> = .init(
    SiteKey(""),
    [.init("key", { $1(&$0.secret) }, required: .string.accepting { $0.utf8.count == 64 })],
  )
}

extension LibraryStore {
  private var siteKeyFile: PropertyListFile<SiteKey> {
    PropertyListFile(
      path: path(.sites),
      coding: .dictionary(SiteKey.table),
      maximumSize: 1 << 16,
      damage: "it has no key",
    )
  }

  package func siteKey() throws -> SiteKey {
    if let key = try storedSiteKey() { return key }
    return try locked {
      // Another process may have made one meanwhile.
      if let key = try storedSiteKey() { return key }
      let key = SiteKey(SiteKey.newSecret())
      try siteKeyFile.replace(by: key)
      return key
    }
  }

  func storedSiteKey() throws -> SiteKey? { try siteKeyFile.read() }
}
