internal import FeedStorage
internal import System

/// The icons of feeds at addresses that apps ask without their log-in.
///
/// Each address has a proof of this home, so that nobody learns by guessing what is followed.
struct ServedIcons {
  static let root = "/icons/"

  private let store: LibraryStore
  private let secret: String?
  /// The scheme and host by which the app has reached this server; nil for a name that is none.
  private let origin: String?

  init(_ interface: ReaderInterface, _ request: HTTPRequest) {
    store = interface.options.store
    secret = interface.account?.secret
    let options = interface.options
    let forwarded = options.isBehindProxy ? request.headers.last("x-forwarded-proto") : nil
    let isSecure = options.hasTLS || options.isBehindProxy && forwarded?.lowercased() != "http"
    origin = request.headers["host"].flatMap { host in
      let isPlain = host.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-.:[]".utf8.contains($0) }
      return isPlain && !host.isEmpty ? "\(isSecure ? "https" : "http")://\(host)" : nil
    }
  }

  /// Returns the address of a feed's icon, empty without one.
  func address(of feed: String) -> String {
    let name = LibraryStore.iconName(of: feed)
    guard let origin, let secret, store.iconPath(named: name) != nil else { return "" }
    return "\(origin)\(Self.root)\(name)-\(Self.proof(of: name, secret))"
  }

  func answer(_ path: Substring) throws(RequestFault) -> HTTPAnswer {
    let parts = path.split(separator: "-").map(String.init)
    guard parts.count == 2, let secret,
      ServingPassword.areEqual(parts[1], Self.proof(of: parts[0], secret)),
      let icon = store.icon(named: parts[0])
    else { throw .notFound }
    return HTTPAnswer(type: icon.type, icon.bytes, caching: "private, max-age=604800")
      .adding("Content-Security-Policy", "default-src 'none'; sandbox")
  }

  private static func proof(of name: String, _ secret: String) -> String {
    AccessTokens.proof(of: name, for: "icon", secret)
  }
}
