import FeedFetching
import FeedModel

/// What a server answered when a feed was subscribed to, kept until its first refresh.
///
/// A feed is asked without condition once in its life. `subscribe` is that time; the first refresh
/// asks with these validators, and takes the body from here when the server says 304.
struct FirstAnswer: Hashable, Sendable {
  var validators: CacheValidators
  var head: ResponseHead
  var body: [UInt8]

  /// Nil for an answer that a condition cannot be made of, and for files.
  init?(_ document: FetchedDocument) {
    guard let head = document.head, SubscriptionURL.isWeb(document.url), !document.body.isEmpty,
      case .content(let response) = document.outcome, let validators = response.validators,
      case .success(let feed) = document.feed, feed.isComplete
    else { return nil }
    self.head = head
    self.validators = validators
    body = document.body
  }

  private static let magic = "news first answer 1"

  /// A line for each fact, an empty one where there is none, then the body.
  var bytes: [UInt8] {
    let facts = [
      Self.magic, validators.etag ?? "", validators.lastModified ?? "", validators.url, head.url,
      head.contentType ?? "", head.charset ?? "", String(body.count),
    ]
    return Array((facts.joined(separator: "\n") + "\n").utf8) + body
  }

  /// Nil for what `bytes` did not make, or not whole.
  init?(bytes: [UInt8]) {
    let parts = bytes.split(separator: 0x0a, maxSplits: 8, omittingEmptySubsequences: false)
    guard parts.count == 9 else { return nil }
    let facts = parts[..<8].map { String(decoding: $0, as: UTF8.self) }
    guard facts[0] == Self.magic, Int(facts[7]) == parts[8].count else { return nil }
    let optional = facts.map { $0.isEmpty ? nil : $0 }
    validators = CacheValidators(etag: optional[1], lastModified: optional[2], url: facts[3])
    head = ResponseHead(
      status: 200,
      url: facts[4],
      contentType: optional[5],
      charset: optional[6],
    )
    body = Array(parts[8])
  }
}
