package import FeedModel

/// What an answer said beside its body.
package struct FetchResponse: Hashable, Sendable {
  /// The HTTP status of the last answer; nil for a file.
  package var status: Int?
  /// Where the answer came from after all redirects, without user and password.
  package var url: String
  /// Where an unbroken chain of 301 and 308 from the request led; nil when there was none.
  ///
  /// It keeps the request's user and password where they belong to that place too.
  package var permanentURL: String?
  /// What to send next time: of a 200 its own, of a 304 its own or else those that were sent.
  ///
  /// Only to be kept when the body proved to be whole.
  package var validators: CacheValidators?
  package var freshness = Freshness()
  package var retryAfter: RetryAfter?
  /// The media type in lower case without parameters.
  package var contentType: String?
  package var charset: String?
  /// Whether the server that was asked first is one of the internet; nil where nobody can say.
  package var isOnInternet: Bool?
  /// What may be done for the sake of the answer, such as asking for the feed that it announces.
  package var trust = RequestTrust.reader
  /// Bytes of the body after decompression.
  package var bytes = 0
  /// From the first attempt to connect to the last byte.
  package var duration = Duration.zero

  package init(status: Int?, url: String) {
    self.status = status
    self.url = url
  }
}
