package import FeedModel
import Synchronization
import System

package protocol FeedFetcher: Sendable {
  /// Returns when each request has been answered, has failed, or was ended by the deadline or the
  /// cancellation.
  func fetch(_ batch: FetchBatch)
}

/// Requests, and the closures that receive their answers.
///
/// The first requests are asked first; beyond a limit those to one host wait for one another. For
/// each request `body` is called once when its turn comes and `completion` once at its end. The
/// calls come on several threads at the same time, those of one request never.
package struct FetchBatch: Sendable {
  package var requests: [FetchRequest]
  package var options: FetchOptions
  package let cancellation: FetchCancellation
  package let body: @Sendable (FetchRequest) -> ReceivedBody
  /// Called when nothing can be done before something comes from the network, and at the end of each
  /// thread.
  package var beforeWaiting: @Sendable () -> Void = {}
  package var completion: @Sendable (FetchRequest, FetchOutcome, ReceivedBody) -> Void
}

extension FeedFetcher {
  package func fetch(
    _ requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    body: @escaping @Sendable (FetchRequest) -> ReceivedBody = ReceivedBody.init,
    beforeWaiting: @escaping @Sendable () -> Void = {},
    completion: @escaping @Sendable (FetchRequest, FetchOutcome, ReceivedBody) -> Void,
  ) {
    fetch(
      FetchBatch(
        requests: requests,
        options: options,
        cancellation: cancellation,
        body: body,
        beforeWaiting: beforeWaiting,
        completion: completion,
      )
    )
  }

  /// Returns what `make` makes of each answer, in the order of the requests, whose `index` it sets;
  /// nil without an answer.
  ///
  /// `progress` is called with the number of answers so far, never twice at a time.
  package func answers<Answer: Sendable>(
    to requests: [FetchRequest],
    options: FetchOptions,
    cancellation: FetchCancellation,
    body: @escaping @Sendable (FetchRequest) -> ReceivedBody = ReceivedBody.init,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    make: @escaping @Sendable (FetchRequest, FetchOutcome, ReceivedBody) -> Answer,
  ) -> [Answer?] {
    let answers = Mutex<[Int: Answer]>([:])
    fetch(
      requests.numbered,
      options: options,
      cancellation: cancellation,
      body: body,
      completion: { request, outcome, body in
        let answer = make(request, outcome, body)
        answers.withLock { answers in
          answers[request.index] = answer
          progress(answers.count)
        }
      },
    )
    return answers.withLock { answers in requests.indices.map { answers[$0] } }
  }
}

/// Fetches from any source: the web through libcurl, in the process that reads where there is one;
/// files and standard input directly.
package struct SourceFetcher: FeedFetcher {
  package init() {}

  package func fetch(_ batch: FetchBatch) {
    var batch = batch
    batch.keepPasswords()
    batch.readCertificates()
    let jobs = batch.requests.map { FetchJob($0, of: batch) }
    let run = FetchRun(jobs, of: batch)
    let files = jobs.filter { FileSource.isFile($0.request.url) }
    let others = jobs.filter { !FileSource.isFile($0.request.url) }
    run.perform(FileFetcher.workers(for: files, run: run) + Self.workers(for: others, run))
  }

  private static func workers(for jobs: [FetchJob], _ run: FetchRun) -> [@Sendable () -> Void] {
    Starter.current == nil
      ? CurlFetcher.workers(for: jobs, run: run) : RemoteFetch(jobs, run).workers
  }
}

package enum WantedContent: Sendable, CaseIterable {
  case all, text, picture, transcript
  case none

  package func takes(_ head: ResponseHead) -> Bool {
    if self == .none { return false }
    guard let type = head.contentType else { return true }
    return switch self {
    case .all, .none: true
    case .text: type.hasPrefix("text/") || type.contains("html") || type.contains("xml")
    case .picture: type.hasPrefix("image/") || type == "application/octet-stream"
    case .transcript: !["audio/", "video/", "image/"].contains { type.hasPrefix($0) }
    }
  }
}

extension FetchBatch {
  fileprivate mutating func keepPasswords() {
    guard let path = options.netrc else { return }
    let netrc = Netrc(path: path)
    guard !netrc.entries.isEmpty else { return }
    for index in requests.indices {
      let host = (try? HTTPURL(requests[index].url))?.host
      requests[index].kept = host.map(netrc.entries) ?? []
      requests[index].route.useAccount(of: netrc)
    }
  }
}

package struct FetchRequest: Hashable, Sendable {
  /// An http or https URL (user and password allowed), a `file:` URL, an absolute path, `-` for
  /// standard input, or the URL of a command (`CommandURL`).
  package var url: String
  /// The validators of the last answer; they are sent only to the URL that they came from.
  package var validators: CacheValidators?
  /// The caller's own mark, such as the position of the subscription.
  package var index: Int
  package var trust = RequestTrust.reader
  package internal(set) var isOfSubscription = false
  /// The command that prints the password; its caller sets `password` to that.
  package var passwordCommand: String?
  /// The password of the user in the URL, or without a user a bearer token.
  package var password: String?
  /// The fields that are sent as long as `trust` gives passwords; the caller of their command adds
  /// its output.
  package var headers = RequestHeaders()
  package var route = FeedRoute()
  /// The contents of the route's files; the process that connects opens no file of the reader's.
  var certificates = RouteCertificates()
  /// The command through which the document goes.
  package var filter: String?
  package var userAgent: String?
  /// True to use HTTP/1.1 alone, as the reader says: some sites turn HTTP/2 away.
  package var isHTTP1 = false
  /// The concessions that the server has wanted before.
  package var concessions: Concessions = []
  package var maximumBytes: Int?
  /// The file, or the rest of one, that is asked for in place of a document: nothing of it is
  /// decoded.
  package var file: FileRequest?
  package var call: ServiceCall?
  package var content = WantedContent.all
  /// The job for the process that receives the body; empty for none.
  package var reading: [UInt8] = []
  /// True if the body's bytes are wanted as they come.
  package var isStreamed = false
  /// The users and passwords of `FetchOptions.netrc` for the URL's host.
  var kept: [NetrcEntry] = []

  package var waitsForCommands: Bool { passwordCommand != nil || headers.command != nil }

  package var isOfCommand: Bool { CommandURL.command(of: url) != nil }

  package var runsCommand: Bool { isOfCommand || filter != nil }

  package mutating func forgetSecrets() {
    (passwordCommand, headers, route) = (nil, RequestHeaders(), route.elsewhere)
  }

  package func maximumBytes(_ options: FetchOptions) -> Int {
    maximumBytes ?? options.maximumBytes
  }

  package init(url: String, validators: CacheValidators? = nil, index: Int = 0) {
    self.url = url
    self.validators = validators
    self.index = index
  }

  package init(_ subscription: Subscription, validators: CacheValidators?, index: Int) {
    self.init(url: subscription.url, validators: validators, index: index)
    trust = RequestTrust(subscription)
    isOfSubscription = true
    passwordCommand = subscription.passwordCommand
    (headers, route) = (subscription.headers, subscription.route)
    filter = subscription.filter
    userAgent = subscription.settings.userAgent
    isHTTP1 = subscription.settings.httpVersion == "1.1"
    concessions = subscription.state.concessions.intersection(.all)
    maximumBytes = subscription.settings.maximumBytes
  }
}

extension FetchRequest {
  /// Asks for a URL that a story names, on behalf of its feeds.
  ///
  /// The secrets and the account of a feed on the same site go along.
  package init(part url: String, of story: StoredItem, _ subscriptions: [Subscription]) {
    let feeds = story.feeds.map { feed in subscriptions.first { $0.url == feed } }
    self.init(url: url)
    trust = .part(url, of: feeds)
    userAgent = feeds.first??.settings.userAgent
    isHTTP1 = feeds.first??.settings.httpVersion == "1.1"
    let neighbour = feeds.compactMap(\.self).first { RequestTrust.isOneSite($0.url, url) }
    passwordCommand = neighbour?.passwordCommand
    headers = neighbour?.headers ?? headers
    let proxied = feeds.lazy.compactMap { $0?.route.elsewhere }.first { !$0.isEmpty }
    route = neighbour?.route ?? proxied ?? route
    concessions = neighbour?.state.concessions.intersection(.all) ?? []
    if let neighbour { useAccount(of: neighbour.url) }
  }

  /// Asks as the user whom another URL names, unless this one names one.
  package mutating func useAccount(of other: String) {
    guard let account = WebURL.account(of: other), WebURL.account(of: url) == nil else { return }
    url = WebURL.adding(account: account, to: url)
  }

  package func changed(_ change: (inout FetchRequest) -> Void) -> FetchRequest {
    var request = self
    change(&request)
    return request
  }
}

extension [FetchRequest] {
  /// The requests with their places as indices.
  var numbered: Self {
    enumerated().map { index, request in request.changed { $0.index = index } }
  }
}

/// The facts that are known of an answer before its body.
///
/// `status` is nil for a file; `url` is that after all redirects, without user and password.
/// `contentType` is a media type without parameters, such as `application/rss+xml`, and in lower
/// case like `charset`. `links` are the values of the `Link` fields (RFC 8288).
package struct ResponseHead: Hashable, Sendable {
  package var status: Int?
  package var url: String
  package var contentType: String?
  package var charset: String?
  package var links: [String] = []
  /// The value of the `Refresh` field, which leads on as the `meta` element does.
  package var refresh: String?
  package var file: FileHead?
  /// The bytes of a local file when it was opened.
  package var size: Int?

  package init(status: Int?, url: String, contentType: String? = nil, charset: String? = nil) {
    self.status = status
    self.url = url
    self.contentType = contentType
    self.charset = charset
  }
}
