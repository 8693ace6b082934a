package import FeedModel
import Synchronization
import System

/// Asks for feeds.
package protocol FeedFetcher: Sendable {
  /// Asks for all at once, and returns when each has answered, failed, or run into the deadline
  /// or the cancellation.
  func fetch(_ batch: FetchBatch)
}

/// Requests, and what is to become of their answers.
///
/// The first requests are asked first; those of one host wait for one another. For each request
/// `body` is called once when its turn comes and `completion` once at its end. The calls come on
/// several threads at the same time, those of one request never.
package struct FetchBatch: Sendable {
  package var requests: [FetchRequest]
  /// Limits and time-outs; the deadline is kept within 100 ms.
  package var options: FetchOptions
  /// Ends the fetch as the deadline does.
  package let cancellation: FetchCancellation
  /// Makes what takes the body.
  package let body: @Sendable (FetchRequest) -> ReceivedBody
  /// Is told that nothing can be done before the network has something.
  package var beforeWaiting: @Sendable () -> Void = {}
  /// Is told the outcome, with the body.
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

  /// What is made of each answer, in the order of the requests, which are numbered by it; nil where
  /// there was none.
  ///
  /// `progress` is called with how many have come, never twice at a time.
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
      requests.enumerated().map { index, request in
        var request = request
        request.index = index
        return request
      },
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

/// Fetches whatever a feed's source may be: the web through libcurl, in the process that reads where
/// there is one; files and standard input directly.
package struct SourceFetcher: FeedFetcher {
  package init() {}

  package func fetch(_ batch: FetchBatch) {
    var batch = batch
    batch.keepPasswords()
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

/// Kinds of content that a request can be about.
package enum WantedContent: Sendable, CaseIterable {
  case all, text, picture, transcript
  /// The answer alone is of interest.
  case none

  /// Returns whether an answer can be of this kind by what its server says, or leaves open.
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
  /// Gives each request what the reader keeps for its host.
  fileprivate mutating func keepPasswords() {
    guard let path = options.netrc else { return }
    let netrc = Netrc(path: path)
    guard !netrc.entries.isEmpty else { return }
    for index in requests.indices {
      let host = (try? HTTPURL(requests[index].url))?.host
      requests[index].kept = host.map(netrc.entries) ?? []
    }
  }
}

/// One thing to ask for.
package struct FetchRequest: Hashable, Sendable {
  /// An http or https URL (user and password allowed), a `file:` URL, an absolute path, `-` for
  /// standard input, or what `CommandURL` has of a command.
  package var url: String
  /// Sent only to the URL that they came from; nil asks without condition.
  package var validators: CacheValidators?
  /// The caller's own mark, such as the position of the subscription.
  package var index: Int
  package var trust = RequestTrust.reader
  /// It asks for what a subscription follows.
  package internal(set) var isOfSubscription = false
  /// The command that says the password; whoever runs it puts `password` in its place.
  package var passwordCommand: String?
  /// The password of the user in the URL, or without one a bearer token.
  package var password: String?
  /// Sent as long as `trust` gives passwords; whoever runs their command puts what it says here.
  package var headers = RequestHeaders()
  /// The command through which the document goes.
  package var filter: String?
  /// In place of those of `FetchOptions`.
  package var userAgent: String?
  /// No newer version of HTTP is used: some sites turn HTTP/2 away.
  package var isHTTP1 = false
  package var maximumBytes: Int?
  /// The file, in place of a document: nothing of it is decoded.
  package var file: FileRequest?
  package var call: ServiceCall?
  /// Of what kind the answer has to be: of others no byte is wanted.
  package var content = WantedContent.all
  /// The job that is to be done with the body where it is received; empty for none.
  package var reading: [UInt8] = []
  /// The body's bytes are wanted as they come.
  package var isStreamed = false
  /// The users and passwords of `FetchOptions.netrc` for its host.
  var kept: [NetrcEntry] = []

  /// Whether commands are to say something that it lacks.
  package var waitsForCommands: Bool { passwordCommand != nil || headers.command != nil }

  /// Whether a command prints its document.
  package var isOfCommand: Bool { CommandURL.command(of: url) != nil }

  /// Whether a command prints its document, or changes it.
  package var runsCommand: Bool { isOfCommand || filter != nil }

  /// For whoever may not be given what the reader keeps for a site.
  package mutating func forgetSecrets() {
    (passwordCommand, headers) = (nil, RequestHeaders())
  }

  /// Bytes of the body after decompression.
  package func maximumBytes(_ options: FetchOptions) -> Int {
    maximumBytes ?? options.maximumBytes
  }

  package init(url: String, validators: CacheValidators? = nil, index: Int = 0) {
    self.url = url
    self.validators = validators
    self.index = index
  }

  /// Asks for what a subscription follows.
  package init(_ subscription: Subscription, validators: CacheValidators?, index: Int) {
    self.init(url: subscription.url, validators: validators, index: index)
    trust = RequestTrust(subscription)
    isOfSubscription = true
    passwordCommand = subscription.passwordCommand
    headers = subscription.headers
    filter = subscription.filter
    userAgent = subscription.settings.userAgent
    isHTTP1 = subscription.settings.httpVersion == "1.1"
    maximumBytes = subscription.settings.maximumBytes
  }
}

extension FetchRequest {
  /// Asks for what a story names, on behalf of its feeds; with the account in the URL of one on the
  /// same site.
  package init(part url: String, of story: StoredItem, _ subscriptions: [Subscription]) {
    let feeds = story.feeds.map { feed in subscriptions.first { $0.url == feed } }
    self.init(url: url)
    trust = .part(url, of: feeds)
    userAgent = feeds.first??.settings.userAgent
    isHTTP1 = feeds.first??.settings.httpVersion == "1.1"
    let neighbour = feeds.compactMap(\.self).first { RequestTrust.isOneSite($0.url, url) }
    passwordCommand = neighbour?.passwordCommand
    headers = neighbour?.headers ?? headers
    if let account = neighbour.flatMap({ WebURL.account(of: $0.url) }),
      WebURL.account(of: url) == nil
    {
      self.url = WebURL.adding(account: account, to: url)
    }
  }
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
  /// The values of the `Link` fields (RFC 8288).
  package var links: [String] = []
  /// Of an answer to a `FileRequest`.
  package var file: FileHead?
  /// Bytes of a local file when it was opened.
  var size: Int?

  package init(status: Int?, url: String, contentType: String? = nil, charset: String? = nil) {
    self.status = status
    self.url = url
    self.contentType = contentType
    self.charset = charset
  }
}
