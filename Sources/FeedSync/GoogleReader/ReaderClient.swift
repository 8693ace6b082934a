internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import FeedStorage
internal import FeedUpdating
internal import Synchronization
import System

/// The Google Reader API of a server, as FreshRSS, Miniflux, BazQux and The Old Reader have it
/// (github.com/mihaip/google-reader-api).
///
/// One log-in and at most one token a run, which are kept nowhere.
struct ReaderClient {
  private let context: SyncContext
  private let server: SyncServer
  private let options: FetchOptions
  private let cancellation: FetchCancellation
  /// What stands before `/reader/api/0`; empty before the log-in.
  private(set) var root = ""
  private var authorization = ""
  private var token: String?
  private let wishes = Wishes()

  init(
    _ context: SyncContext,
    _ server: SyncServer,
    _ options: FetchOptions,
    _ cancellation: FetchCancellation,
  ) {
    (self.context, self.server) = (context, server)
    (self.options, self.cancellation) = (options, cancellation)
  }

  typealias Answer = Result<[UInt8], FetchError>
  /// Stories that are named in a request.
  static let mostIDs = 250

  // MARK: Logging in

  /// Finds the interface (`known` is where it was), and says who asks.
  mutating func logIn(known: String?) throws(SyncError) {
    let form = ServiceCall.form([
      ("service", "reader"), ("client", "news"), ("accountType", "HOSTED_OR_GOOGLE"),
      ("Email", server.user),
    ])
    let roots = known.map { [$0] } ?? Self.roots(of: server.url)
    let answers = ask(
      roots.map { root in
        var request = FetchRequest(url: root + "/accounts/ClientLogin")
        request.call = ServiceCall(form: form, user: server.user)
        request.passwordCommand = server.passwordCommand
        return request
      }
    )
    for (root, answer) in zip(roots, answers) {
      guard case .success(let bytes) = answer, let word = Self.authorization(bytes) else {
        continue
      }
      (self.root, authorization) = (root, "GoogleLogin auth=\(word)")
      return
    }
    // What was found once may be elsewhere now.
    let isElsewhere = answers.allSatisfy { $0.failure.map { $0.status == 404 } ?? true }
    guard known != nil, isElsewhere else { throw loginFailure(answers) }
    try logIn(known: nil)
  }

  private func loginFailure(_ answers: [Answer]) -> SyncError {
    if answers.contains(where: \.isRefusal) {
      return failure("the server refuses the user or the password")
    }
    let errors = answers.compactMap(\.failure)
    // Where one place has an interface, the others answer 404.
    let error = errors.first { $0.status == nil } ?? errors.first { $0.status != 404 }
    guard let error else {
      return failure("there is no Google Reader API at \(WebURL.redacted(server.url))")
    }
    return failure(error)
  }

  /// The places where servers have it, below the URL that the reader knows.
  static func roots(of url: String) -> [String] {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    if url.hasSuffix("/greader.php") { return [url] }
    for ending in ["/reader/api/0", "/reader"] where url.hasSuffix(ending) {
      return [String(url.dropLast(ending.count)), url]
    }
    return [url + "/api/greader.php", url]
  }

  private static func authorization(_ bytes: [UInt8]) -> String? {
    let lines = String(decoding: bytes.prefix(8_192), as: UTF8.self).split(
      whereSeparator: \.isNewline
    )
    let line = lines.first { $0.hasPrefix("Auth=") }
    return line.map { String($0.dropFirst(5)) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: Asking

  /// Asks for several things at once, each a path below `reader/api/0` with its query.
  func read(_ paths: [String]) -> [Result<JSONValue, SyncError>] {
    zip(paths, ask(paths.map { request($0) })).map { path, answer in
      Result { () throws(SyncError) in
        switch answer {
        case .failure(let error): throw failure(error)
        case .success(let bytes): return try json(bytes, of: path)
        }
      }
    }
  }

  func json(_ bytes: [UInt8], of path: String) throws(SyncError) -> JSONValue {
    let what = path.prefix { $0 != "?" }
    do throws(FeedParsingError) {
      let value = try bytes.withUnsafeBufferPointer { bytes throws(FeedParsingError) in
        try JSONDocument(UnsafeRawBufferPointer(bytes)).value()
      }
      if let value, case .object = value { return value }
    } catch {
      throw failure("the answer to \(what): \(error)")
    }
    throw failure("the answer to \(what) is no JSON, or breaks off")
  }

  /// Posts several forms to one path; a token that the server takes no more is asked for once again.
  mutating func post(_ forms: [String], to path: String) throws(SyncError) -> [Answer] {
    guard !forms.isEmpty else { return [] }
    var answers = ask(try posts(forms, to: path))
    let refused = answers.indices.filter { answers[$0].failure?.status == 401 }
    guard !refused.isEmpty else { return answers }
    token = nil
    let again = ask(try posts(refused.map { forms[$0] }, to: path))
    for (place, answer) in zip(refused, again) { answers[place] = answer }
    return answers
  }

  private mutating func posts(
    _ forms: [String],
    to path: String,
  ) throws(SyncError) -> [FetchRequest] {
    let token = if let token { token } else { try newToken() }
    self.token = token
    return forms.map { request(path, form: $0 + "&" + ServiceCall.form([("T", token)])) }
  }

  private func newToken() throws(SyncError) -> String {
    switch ask([request("token")])[0] {
    case .failure(let error): throw failure(error)
    case .success(let bytes):
      let word = SafeText.line(String(decoding: bytes.prefix(1_024), as: UTF8.self))
      guard !word.isEmpty, !word.contains("<") else {
        throw failure("the server's token is not understood")
      }
      return word
    }
  }

  private func request(_ path: String, form: String? = nil) -> FetchRequest {
    var request = FetchRequest(url: "\(root)/reader/api/0/\(path)")
    request.call = ServiceCall(form: form, authorization: authorization)
    return request
  }

  /// What servers said of being left in peace.
  var holds: [String: ServerHold] { wishes.noted.withLock { $0.holds } }

  private func ask(_ requests: [FetchRequest]) -> [Answer] {
    let answers = Mutex<[Int: Answer]>([:])
    let (wishes, now) = (wishes, context.now())
    let numbered = requests.enumerated().map { place, request in
      var request = request
      request.index = place
      return request
    }
    context.makeFetcher().fetch(
      numbered,
      options: options,
      cancellation: cancellation,
      completion: { request, outcome, body in
        // `FetchOptions.maximumBytes` bounds it.
        let answer = outcome.error.map(Answer.failure) ?? .success(body.withBytes { Array($0) })
        wishes.noted.withLock { $0.note(outcome, to: request.url, now: now) }
        answers.withLock { $0[request.index] = answer }
      },
    )
    return answers.withLock { answers in
      requests.indices.map { answers[$0] ?? .failure(.deadline) }
    }
  }

  // MARK: Failing

  func bytes(_ answer: Answer) throws(SyncError) -> [UInt8] {
    switch answer {
    case .success(let bytes): return bytes
    case .failure(let error): throw failure(error)
    }
  }

  func failure(_ reason: String) -> SyncError { SyncError("\(server.name): \(reason)") }

  func failure(_ error: FetchError) -> SyncError {
    switch error {
    case .status(401), .status(403): failure("the server refuses to answer (\(error.status ?? 0))")
    case .status(let status): failure("server answered \(status)")
    case .hostBusy(let status, _):
      failure("the server wants to be left in peace for a while (\(status))")
    default: failure("\(error)")
    }
  }
}

extension Result where Failure == FetchError {
  var failure: FetchError? {
    if case .failure(let error) = self { error } else { nil }
  }

  fileprivate var isRefusal: Bool {
    failure == .status(401) || failure == .status(403)
  }
}

private final class Wishes: Sendable {
  let noted = Mutex(ServerWishes())
}
