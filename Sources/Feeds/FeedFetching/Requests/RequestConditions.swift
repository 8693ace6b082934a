import FeedModel

/// The validators that go with a request, and its header lines (RFC 9110 §13.1).
struct RequestConditions: Sendable {
  private(set) var validators: CacheValidators?
  private var file: FileRequest?
  private var acceptsAnyType = false

  init() {}

  /// Takes those validators of `request` that came from the very URL that `chain` has reached, and
  /// are fit to be sent.
  init(_ request: FetchRequest, at chain: RedirectChain, _ concessions: Concessions) {
    (file, acceptsAnyType) = (request.file, concessions.contains(.anyType))
    guard let given = request.validators,
      chain.hops == 0 && given.url == request.url
        || given.url == chain.url.text || given.url == chain.url.publicText
    else { return }
    let fit = CacheValidators(
      etag: given.etag.flatMap { HTTPField.isSafe($0) ? $0 : nil },
      lastModified: given.lastModified.flatMap { HTTPDate.validator($0) == nil ? nil : $0 },
      url: given.url,
      isETagIgnored: given.isETagIgnored,
    )
    validators = fit.etag == nil && fit.lastModified == nil ? nil : fit
  }

  var headerLines: [String] {
    if let file { return file.headerLines }
    let etag = sentETag.map { "If-None-Match: \($0)" }
    let lastModified = validators?.lastModified.map { "If-Modified-Since: \($0)" }
    return [acceptsAnyType ? "Accept: */*" : Self.accept] + [etag, lastModified].compactMap(\.self)
  }

  private var sentETag: String? {
    let isTimeEnough = validators?.isETagIgnored == true && validators?.lastModified != nil
    return isTimeEnough ? nil : validators?.etag
  }

  /// Returns true if a 200 has the very `ETag` that was sent, so that its server is to be asked
  /// with the time alone.
  func isETagIgnored(by headers: ResponseHeaders) -> Bool {
    guard let validators, headers.etag != nil, headers.lastModified != nil else { return false }
    return validators.isETagIgnored || headers.etag == validators.etag
  }

  private static let accept =
    "Accept: application/rss+xml, application/atom+xml, application/feed+json, "
    + "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.8"

  /// Returns the validators for the next request after a 304: its own, and else those that were
  /// sent.
  func refreshed(by headers: ResponseHeaders) -> CacheValidators? {
    validators.map { sent in
      CacheValidators(
        etag: headers.etag ?? sent.etag,
        lastModified: headers.lastModified ?? sent.lastModified,
        url: sent.url,
        isETagIgnored: sent.isETagIgnored,
      )
    }
  }
}
