/// What a server gave to ask it later whether anything changed (RFC 9110 §8.8).
///
/// They are kept and sent back byte for byte, and only to the URL that sent them.
package struct CacheValidators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?
  /// The URL whose answer carried them.
  package var url: String
  /// The server has sent a whole answer with the very `ETag` that it was asked with: it is asked
  /// with the time alone.
  ///
  /// Apache with `mod_deflate` adds `-gzip` to the tags that it sends, and does not know them again.
  package var isETagIgnored: Bool

  package init(etag: String?, lastModified: String?, url: String, isETagIgnored: Bool = false) {
    self.etag = etag
    self.lastModified = lastModified
    self.url = url
    self.isETagIgnored = isETagIgnored
  }
}
