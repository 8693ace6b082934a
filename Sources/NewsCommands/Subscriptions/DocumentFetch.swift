import CommandLine
import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage
import FeedUpdating
import Synchronization

/// Asks sources once, and parses what comes.
struct DocumentFetch {
  let context: CommandContext
  /// Its servers that want to be left in peace are.
  var library: Library?
  let keepsBodies: Bool
  var maximumBytes: Int?
  /// Tells that it is at work.
  var line: ProgressLine?

  func documents(_ requests: [FetchRequest]) -> [FetchedDocument] {
    let documents = Mutex<[Int: FetchedDocument]>([:])
    var options = context.fetchOptions(library: library)
    if let maximumBytes { options.maximumBytes = maximumBytes }
    let (keepsBodies, limit) = (keepsBodies, options.maximumBytes)
    let numbered = requests.enumerated().map { place, request in
      var request = request
      request.index = place
      return request
    }
    let (fetcher, cancellation) = (context.makeFetcher(), context.cancellation())
    let fetch = { @Sendable [options] in
      fetcher.fetch(
        numbered,
        options: options,
        cancellation: cancellation,
        receiver: { _ in DocumentReceiver(keepsBody: keepsBodies, limit) },
        completion: { request, outcome, receiver in
          let document = receiver.document(request.url, outcome)
          documents.withLock { $0[request.index] = document }
        },
      )
    }
    guard let line else {
      fetch()
      return documents.withLock { documents in documents.sorted { $0.key < $1.key }.map(\.value) }
    }
    line.show(Self.progress(requests))
    line.during(fetch)
    return documents.withLock { documents in documents.sorted { $0.key < $1.key }.map(\.value) }
  }

  private static func progress(_ requests: [FetchRequest]) -> RefreshProgress {
    let hosts = Set(requests.compactMap { WebURL.host(of: $0.url) }).sorted()
    return RefreshProgress(
      done: 0,
      total: requests.count,
      stories: 0,
      hosts: Array(hosts.prefix(4)),
      seconds: 0,
    )
  }
}

extension CommandOption {
  static let maximumSize = CommandOption(
    "max-size",
    value: "MIB",
    help: "refuse larger feeds, in MiB (32)",
  )
}

extension CommandContext {
  /// What `--max-size` says, in bytes.
  func maximumBytes() throws(CommandError) -> Int? {
    try number("max-size", 1...2047).map { $0 << 20 }
  }
}

/// One source, asked and parsed.
struct FetchedDocument: Sendable {
  let url: String
  let outcome: FetchOutcome
  /// What is known of the answer, when it was content.
  let head: ResponseHead?
  /// The whole body, where it was to be kept.
  let body: [UInt8]
  /// What the body is; nil when there was none.
  let feed: Result<Feed, FeedParsingError>?
}

/// Collects a body, and reads the feed in it.
final class DocumentReceiver: BodyReceiver {
  private let keepsBody: Bool
  private let limits: ParsingLimits
  private let body = ReceivedBody()
  private var head: ResponseHead?

  init(keepsBody: Bool, _ maximumBytes: Int) {
    self.keepsBody = keepsBody
    limits = ParsingLimits(maximumBytes: maximumBytes)
  }

  func begin(_ head: ResponseHead) {
    self.head = head
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    body.append(bytes)
    return true
  }

  /// What came of it all; called once, at the end.
  func document(_ url: String, _ outcome: FetchOutcome) -> FetchedDocument {
    let bytes = keepsBody ? body.withBytes { Array($0) } : []
    let feed = feed(outcome)
    return FetchedDocument(url: url, outcome: outcome, head: head, body: bytes, feed: feed)
  }

  private func feed(_ outcome: FetchOutcome) -> Result<Feed, FeedParsingError>? {
    guard case .content = outcome, let head else { return nil }
    // A file's place says nothing of where its links lead.
    let base = WebURL.isWeb(head.url) ? head.url : nil
    return Result { () throws(FeedParsingError) in
      try body.withBytes { (bytes) throws(FeedParsingError) in
        try FeedParser.feed(bytes, url: base, charset: head.charset, limits: limits)
      }
    }
  }
}
