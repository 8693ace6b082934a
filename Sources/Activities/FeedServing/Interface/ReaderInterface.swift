package import FeedStorage
internal import Synchronization
package import System

/// The Google Reader API of a home (github.com/mihaip/google-reader-api), as the apps of FreshRSS,
/// Miniflux and others expect it.
package final class ReaderInterface: Sendable {
  let library: ServedLibrary
  let options: Options
  let actions: ServedActions
  private let logIns = Mutex(LogInLimits())
  /// The feeds and lists that are being asked for and read for apps, and the most of them.
  private let asking = Atomic(0)
  private static let mostAsking = 4

  package struct Options: Sendable {
    let store: LibraryStore
    /// True if requests come from a proxy, which names their senders.
    let isBehindProxy: Bool
    let hasTLS: Bool
    let now: @Sendable () -> Date
    /// Prints a message for the user who serves, in a line.
    let tell: @Sendable (String) -> Void

    package init(
      store: LibraryStore,
      isBehindProxy: Bool,
      hasTLS: Bool = false,
      now: @escaping @Sendable () -> Date,
      tell: @escaping @Sendable (String) -> Void,
    ) {
      (self.store, self.now, self.tell) = (store, now, tell)
      (self.isBehindProxy, self.hasTLS) = (isBehindProxy, hasTLS)
    }
  }

  package init(_ options: Options, _ actions: ServedActions) {
    (self.options, self.actions) = (options, actions)
    library = ServedLibrary(options.store)
  }

  private static let root: Substring = "/reader/api/0/"
  private static let logInPath: Substring = "/accounts/ClientLogin"
  /// The path at which FreshRSS has the interface, and its apps look for it.
  private static let otherRoot = "/api/greader.php"
  /// The answers of FreshRSS to apps that look at an address before they log in.
  private static let looks: [Substring: String] = [
    root.dropLast(): "OK", "/check/compatibility": "PASS",
  ]
  /// The path before a stream's feed in the interface's first version.
  private static let feedRoot = "/reader/atom/"
  /// The most bytes of a form with the ids of many stories, of a list of feeds, and of a log-in.
  private static let (mostOfForm, mostOfList, mostOfLogIn) = (2 << 20, 8 << 20, 4 << 10)
  /// The most bytes of a form that alone names its sender.
  private static let mostOfStrangers = 64 << 10

  package var service: HTTPService {
    HTTPService(
      maximumBody: { request in
        switch Self.path(of: request) {
        case Self.logInPath: Self.mostOfLogIn
        case let path where !path.hasPrefix(Self.root): 0
        case _ where Self.provesItselfLater(request): Self.mostOfStrangers
        case "/reader/api/0/subscription/import": Self.mostOfList
        default: Self.mostOfForm
        }
      },
      isKnown: { self.token(of: $0) != nil },
      refusal: refusal,
      answer: answer,
    )
  }

  /// Returns the path without the root that apps of FreshRSS put before it, and without slashes too
  /// many but for those in a stream's name.
  private static func path(of request: HTTPRequest) -> Substring {
    var path = withoutSlashes(request.path)
    if path.hasPrefix("/api//") { path = "/api" + withoutSlashes(path.dropFirst(4)) }
    if path == otherRoot || path.hasPrefix("\(otherRoot)/") {
      path = withoutSlashes(path.dropFirst(otherRoot.count))
      if path.count <= 1 { return root.dropLast() }
    }
    let isStream = path.hasPrefix(feedRoot) || path.hasPrefix("\(root)stream/contents/")
    if path.count > 1, path.hasSuffix("/"), !isStream { path.removeLast() }
    if path.hasPrefix("\(root)/") {
      path = root + withoutSlashes(path.dropFirst(root.count)).dropFirst()
    }
    return path.hasPrefix(feedRoot) ? "\(root)atom/\(path.dropFirst(feedRoot.count))" : path
  }

  private static func withoutSlashes(_ path: Substring) -> Substring {
    path.dropFirst(max(0, path.prefix { $0 == "/" }.count - 1))
  }

  /// Returns the refusal of a request for its head alone: of a web page, for an unknown path, or of
  /// a client that has not logged in.
  private func refusal(_ request: HTTPRequest) -> HTTPAnswer? {
    switch Self.path(of: request) {
    case _ where Self.isOfWebPage(request): .text("not for web pages", 403)
    case "/": nil
    case let path where Self.looks[path] != nil || path.hasPrefix(ServedIcons.root): nil
    case let path where path != Self.logInPath && !path.hasPrefix(Self.root):
      RequestFault.notFound.answer
    case Self.logInPath: nil
    case _ where token(of: request) == nil && !Self.provesItselfLater(request):
      RequestFault.badToken.answer
    default: nil
    }
  }

  /// Returns true for a request from a web page, even from one whose name was made to lead here.
  ///
  /// An app that is a page inside, such as Fluent Reader, says another scheme (`file://`, `app://`),
  /// which no page of the web can have. `null` can be any page.
  private static func isOfWebPage(_ request: HTTPRequest) -> Bool {
    guard let origin = request.headers["origin"]?.lowercased() else { return false }
    return origin.hasPrefix("http") || !origin.contains("://")
  }

  /// Returns true if the body may have the token: Liferea 1.14 asks for stories so.
  private static func provesItselfLater(_ request: HTTPRequest) -> Bool {
    request.method == "POST" && request.headers["authorization"] == nil
  }

  private func answer(_ request: HTTPRequest) -> HTTPAnswer {
    do throws(RequestFault) {
      let path = Self.path(of: request)
      if let look = Self.looks[path] { return .text(look) }
      switch path {
      case "/": return FrontPage.answer
      case _ where path.hasPrefix(ServedIcons.root):
        return try ServedIcons(self, request).answer(path.dropFirst(ServedIcons.root.count))
      case Self.logInPath: return try logIn(request)
      case _ where token(of: request) == nil: throw .badToken
      default: return try InterfaceCall(self, request, path.dropFirst(Self.root.count)).answer()
      }
    } catch {
      return error.answer
    }
  }

  /// Has a feed or a list read, which takes some processes, unless too many are read already.
  func ask(_ body: () throws -> Void) throws {
    defer { asking.wrappingSubtract(1, ordering: .relaxed) }
    let count = asking.wrappingAdd(1, ordering: .relaxed).newValue
    guard count <= Self.mostAsking else { throw RequestFault.busy }
    try body()
  }

  // MARK: Logging in

  /// Returns the token of a user who has logged in; nil for a foreign or ended one.
  func token(of request: HTTPRequest) -> String? {
    let text = Self.provesItselfLater(request) ? request.fields["T"] : Self.authorization(request)
    return text.flatMap { isValid($0) ? $0 : nil }
  }

  func isValid(_ token: String) -> Bool {
    account.map { AccessTokens(secret: $0.secret).isValid(token, at: options.now()) } ?? false
  }

  private static func authorization(_ request: HTTPRequest) -> String? {
    guard let text = request.headers["authorization"],
      text.prefix(17).lowercased() == "googlelogin auth="
    else { return nil }
    return String(text.dropFirst(17).drop { $0 == " " })
  }

  var account: ServingAccount? {
    // An account that cannot be read lets nobody in; `news doctor` names the fault.
    try? options.store.servingAccount()
  }

  private func logIn(_ request: HTTPRequest) throws(RequestFault) -> HTTPAnswer {
    guard request.method == "POST" else { throw .mustBePosted }
    let now = options.now()
    let source = address(of: request)
    guard logIns.withLock({ $0.noteTry(source, at: now) }) else {
      return .text("Error=TooManyAttempts", 403)
    }
    let fields = request.fields
    guard let account, let password = fields["Passwd"],
      ServingPassword.isRight(password, hash: account.hash)
    else { return refuse(source, now) }
    logIns.withLock { $0.noteSuccess(source) }
    var change = ServedChange(.noteLogIn)
    change.text = account.secret
    do { try actions.make(change) } catch {
      options.tell("a log-in is not counted: \(error)")
    }
    let token = AccessTokens(secret: account.secret).new(at: now)
    guard fields["output"] == "json" else {
      return .text("SID=\(token)\nLSID=null\nAuth=\(token)\n")
    }
    return .json("{\"SID\":\"\(token)\",\"LSID\":\"\(token)\",\"Auth\":\"\(token)\"}")
  }

  private func refuse(_ source: NetworkAddress?, _ now: Date) -> HTTPAnswer {
    let isHeard = logIns.withLock { $0.hears(source, at: now) }
    let rest = isHeard ? "" : "; it is not heard for \(LogInLimits.period / 60) minutes"
    let place = source?.text ?? "an unknown address"
    options.tell("log-in refused: wrong password from \(place)\(rest)")
    // Google answered 403; apps of FreshRSS and Miniflux know a wrong password by 401.
    return .text("Error=BadAuthentication", 401)
  }

  /// Returns the address of the sender: the last one named by a proxy of this network, or the
  /// peer's; nil for a name that is not understood.
  private func address(of request: HTTPRequest) -> NetworkAddress? {
    guard options.isBehindProxy, request.peer?.isPrivate == true,
      let last = request.headers.last("x-forwarded-for")
    else { return request.peer }
    return NetworkAddress(forwarded: last)
  }
}
