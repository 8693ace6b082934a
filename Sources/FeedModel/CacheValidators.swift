/// What a server gave to ask it later whether anything changed (RFC 9110 §8.8).
///
/// Both are kept and sent back byte for byte, and only to the URL that sent them.
package struct CacheValidators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The URL whose answer carried them.
  package var url: String

  package init(etag: String?, lastModified: String?, url: String) {
    self.etag = etag
    self.lastModified = lastModified
    self.url = url
  }
}
