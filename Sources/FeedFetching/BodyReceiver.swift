/// Takes a body as it arrives.
///
/// Made for one request, and called on one thread at a time.
package protocol BodyReceiver: AnyObject, SendableMetatype {
  /// The content has begun: called once, before its first byte.
  ///
  /// Only for an answer that is content (status 200, or a file): neither a redirect's body nor an
  /// error page comes here. Called for an empty body too.
  func begin(_ head: ResponseHead)

  /// The next bytes, decoded (no gzip, no chunks), in pieces of any size that is not zero.
  ///
  /// - Parameter bytes: valid during the call only.
  /// - Returns: false to stop this transfer; the receiver keeps its own reason, and the outcome is
  ///   `FetchError.stoppedByReceiver`.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// What is known of an answer before its body.
package struct ResponseHead: Hashable, Sendable {
  /// The HTTP status; nil for a file.
  package var status: Int?
  /// Where the bytes come from after all redirects, without user and password.
  package var url: String
  /// The media type in lower case without parameters, such as `application/rss+xml`.
  package var contentType: String?
  /// The `charset` parameter of the media type, in lower case.
  package var charset: String?

  package init(status: Int?, url: String, contentType: String? = nil, charset: String? = nil) {
    self.status = status
    self.url = url
    self.contentType = contentType
    self.charset = charset
  }
}
