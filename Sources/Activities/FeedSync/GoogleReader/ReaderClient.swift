internal import FeedFetching
internal import FeedModel
import System

/// The Google Reader API of FreshRSS, Miniflux, BazQux and The Old Reader
/// (github.com/mihaip/google-reader-api).
///
/// There is one log-in and at most one token a run; neither is stored.
struct ReaderClient: ServerClient {
  let connection: ServerConnection
  let server: SyncServer
  /// The part of the URL before `/reader/api/0`.
  private(set) var root = ""
  private var authorization = ""
  private var token: String?
  var refusals = (inRow: 0, inRun: 0)

  init(_ connection: ServerConnection, _ server: SyncServer) {
    (self.connection, self.server) = (connection, server)
  }

  typealias Answer = Result<[UInt8], ServerError>

  // MARK: Logging in

  mutating func logIn(known: String?) throws(ServerError) {
    let form = ServiceCall.form([
      ("service", "reader"), ("client", "news"), ("accountType", "HOSTED_OR_GOOGLE"),
      ("Email", server.user),
    ])
    let roots = known.map { [$0] } ?? Self.roots(of: server.url)
    let answers = connection.ask(
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
    // A known root may have moved.
    let isElsewhere = answers.allSatisfy { $0.failure.map { $0.status == 404 } ?? true }
    guard known != nil, isElsewhere else { throw loginFailure(answers) }
    try logIn(known: nil)
  }

  private func loginFailure(_ answers: [Answer]) -> ServerError {
    let errors = answers.compactMap(\.failure)
    if let refusal = errors.first(where: { $0.status == 401 || $0.status == 403 }) {
      return .refused(Self.words(ofRefusal: refusal))
    }
    // If one root has the interface, the others answer 404.
    let error = errors.first { $0.status == nil } ?? errors.first { $0.status != 404 }
    return error.map { .request($0) } ?? .absent
  }

  private static let usualRefusals: Set = [
    "error=badauthentication", "unauthorized", "access unauthorized", "forbidden",
    "current user is not logged in",
  ]

  static func words(ofRefusal error: FetchError) -> String {
    let usual = "the server refuses the user or the password"
    guard case .refusedCall(let status, let answer) = error,
      let reason = ServerError.reason(in: answer)
    else { return usual }
    let plain = reason.lowercased().filter { $0 != "!" && $0 != "." }
    return usualRefusals.contains(plain)
      ? usual : "the server refuses the log-in (\(status)): \(reason)"
  }

  /// The URLs at which servers have the interface, of which the first to let the user in counts.
  static func roots(of url: String) -> [String] {
    var url = String(url.prefix { !"?#".contains($0) })
    while url.hasSuffix("/") { url.removeLast() }
    // FreshRSS's page for browsers, and its list of interfaces; a host may have such a name, too.
    for ending in ["/i", "/api"] where url.hasSuffix(ending) && !url.hasSuffix("/\(ending)") {
      return [url.dropLast(ending.count) + "/api/greader.php", url + "/api/greader.php", url]
    }
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

  /// Posts several forms to one path, and asks once more with a new token for those that got 401.
  mutating func post<Value: Sendable>(
    _ forms: [String],
    to path: String,
    _ ask: ([FetchRequest]) -> [Result<Value, ServerError>],
  ) throws(ServerError) -> [Result<Value, ServerError>] {
    guard !forms.isEmpty else { return [] }
    var answers = ask(try posts(forms, to: path))
    let refused = answers.indices.filter { answers[$0].failure?.status == 401 }
    guard !refused.isEmpty else { return answers }
    token = nil
    let again = ask(try posts(refused.map { forms[$0] }, to: path))
    for (index, answer) in zip(refused, again) { answers[index] = answer }
    return answers
  }

  mutating func post(_ forms: [String], to path: String) throws(ServerError) -> [Answer] {
    try post(forms, to: path) { [connection] in connection.ask($0, keeping: 1_024) }
  }

  private mutating func posts(
    _ forms: [String],
    to path: String,
  ) throws(ServerError) -> [FetchRequest] {
    let token = if let token { token } else { try newToken() }
    self.token = token
    return forms.map { request(path, form: $0 + "&" + ServiceCall.form([("T", token)])) }
  }

  private func newToken() throws(ServerError) -> String {
    switch connection.ask([request("token")])[0] {
    case .failure(let error): throw .refused("\(error)")
    case .success(let bytes):
      let word = SafeText.line(String(decoding: bytes.prefix(1_024), as: UTF8.self))
      guard !word.isEmpty, !word.contains("<") else {
        throw .refused("the server's token is not understood")
      }
      return word
    }
  }

  func request(_ path: String, form: String? = nil) -> FetchRequest {
    var request = FetchRequest(url: "\(root)/reader/api/0/\(path)")
    request.call = ServiceCall(form: form, authorization: authorization)
    request.call?.secrets = [authorization, token].compactMap(\.self)
    return request
  }
}

extension Result where Failure == ServerError {
  fileprivate var failure: FetchError? {
    if case .failure(.request(let error)) = self { error } else { nil }
  }
}
