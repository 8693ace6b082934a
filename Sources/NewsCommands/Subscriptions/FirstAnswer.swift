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
    guard let head = document.head, WebURL.isWeb(document.url), !document.body.isEmpty,
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
    head = ResponseHead(status: 200, url: facts[4], contentType: optional[5], charset: optional[6])
    body = Array(parts[8])
  }
}

/// The first answers that wait in the home, a file each.
struct FirstAnswers: Sendable {
  private let folder: String

  init(home: String) {
    folder = home + "/subscribed"
  }

  var isEmpty: Bool {
    FileStatus(at: folder)?.kind != .folder
  }

  /// Keeps an answer; without success the first refresh asks without condition once more.
  func keep(_ answer: FirstAnswer, of feed: String) {
    let path = path(feed)
    _ = mkdir(folder, 0o700)
    _ = unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let failure = answer.bytes.withUnsafeBytes { POSIX.writeAll($0, to: file) }
    if close(file) != 0 || failure != 0 { _ = unlink(path) }
  }

  func answer(of feed: String) -> FirstAnswer? {
    // One that cannot be read is none: the feed is asked without condition once more.
    guard let bytes = try? POSIX.readFile(path(feed), maximumBytes: 2048 << 20) else { return nil }
    return FirstAnswer(bytes: bytes)
  }

  /// Forgets an answer, and the folder with the last one.
  func forget(_ feed: String) {
    _ = unlink(path(feed))
    _ = rmdir(folder)
  }

  /// A name without anything that a path could be made of.
  private func path(_ feed: String) -> String {
    folder + "/" + ItemID.id(feed: feed, key: .link(feed))
  }
}

/// A fetcher that knows what subscribed feeds answered at first.
///
/// A feed without validators whose first answer waits is asked with that answer's validators, and
/// at 304 the answer is handed over as if it had come now. Answers of this very process are handed
/// over without asking again.
struct FirstAnswerFetcher: FeedFetcher {
  let base: any FeedFetcher
  let answers: FirstAnswers
  /// The answers that came in this process, by the feed's URL.
  let fresh: [String: FirstAnswer]

  func fetch<R: BodyReceiver>(_ batch: FetchBatch<R>) {
    var others = batch
    others.requests = []
    for request in batch.requests {
      guard let answer = fresh[request.url] else {
        others.requests.append(conditional(request))
        continue
      }
      let target = batch.receiver(request)
      let response = FetchResponse(status: 200, url: answer.head.url)
      batch.completion(request, Self.replay(answer, response, to: target), target)
    }
    others.completion = { request, outcome, target in
      batch.completion(request, completed(request, outcome, target), target)
    }
    base.fetch(others)
  }

  private func conditional(_ request: FetchRequest) -> FetchRequest {
    guard request.validators == nil, let answer = answers.answer(of: request.url) else {
      return request
    }
    var request = request
    request.validators = answer.validators
    return request
  }

  /// A 304 to the validators of a first answer means that answer.
  private func completed(
    _ request: FetchRequest,
    _ outcome: FetchOutcome,
    _ target: some BodyReceiver,
  ) -> FetchOutcome {
    guard case .notModified(let response) = outcome,
      let answer = answers.answer(of: request.url), answer.validators == request.validators
    else { return outcome }
    return Self.replay(answer, response, to: target)
  }

  private static func replay(
    _ answer: FirstAnswer,
    _ response: FetchResponse,
    to target: some BodyReceiver,
  ) -> FetchOutcome {
    var response = response
    response.status = 200
    response.validators = response.validators ?? answer.validators
    response.contentType = answer.head.contentType
    response.charset = answer.head.charset
    response.bytes = answer.body.count
    target.begin(answer.head)
    let isTaken = answer.body.withUnsafeBytes { $0.isEmpty || target.receive($0) }
    return isTaken ? .content(response) : .failed(.stoppedByReceiver, response)
  }
}
