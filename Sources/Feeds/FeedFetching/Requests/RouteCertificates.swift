import FeedModel
import System

/// The certificates of a feed's route (PEM), as they were when its request was made.
struct RouteCertificates: Hashable, Sendable {
  private(set) var authorities: [UInt8] = []
  private(set) var certificate: [UInt8] = []
  private(set) var key: [UInt8] = []

  private static let maximumBytes = 4 << 20

  init() {}

  init(_ route: FeedRoute) throws(FetchError) {
    authorities = try Self.bytes(route.authorities)
    certificate = try Self.bytes(route.certificate)
    key = route.key == nil ? certificate : try Self.bytes(route.key)
  }

  private static func bytes(_ path: String?) throws(FetchError) -> [UInt8] {
    guard let path else { return [] }
    do throws(FileReadingError) {
      return try POSIX.readFile(path, maximumBytes: maximumBytes)
    } catch {
      guard case .system(let code) = error else { throw .certificates(.notReadable) }
      throw .certificates(FileFailure(code))
    }
  }
}

extension FeedRoute {
  /// The proxy for a server; `usual` is that of the environment.
  func proxy(else usual: @autoclosure () -> String?) -> String? {
    proxy.map { $0 == Self.noProxy ? nil : $0 } ?? usual()
  }

  /// Adds the password of the proxy that `~/.netrc` has for its host.
  mutating func useAccount(of netrc: Netrc) {
    guard let proxy, !WebURL.hasPassword(proxy), let host = WebURL.host(of: proxy),
      let entry = netrc.entries(for: host).entry(of: WebURL.user(of: proxy))
    else { return }
    let words = [entry.user, entry.password].map {
      $0.utf8.percentEncoded(unless: \.isUnreservedInURL)
    }
    self.proxy = WebURL.adding(
      account: words.joined(separator: ":"),
      to: WebURL.withoutAccount(proxy),
    )
  }
}

extension FetchBatch {
  /// Reads the files of the requests' routes; a request whose files cannot be read has ended.
  mutating func readCertificates() {
    var known: [FeedRoute: RouteCertificates] = [:]
    var sound: [FetchRequest] = []
    for var request in requests {
      do throws(FetchError) {
        // In the process that reads, the certificates have come, and the route has no files.
        if request.route.hasCertificates {
          if known[request.route] == nil {
            known[request.route] = try RouteCertificates(request.route)
          }
          request.certificates = known[request.route] ?? request.certificates
        }
        sound.append(request)
      } catch {
        completion(request, .failed(error, nil), body(request))
      }
    }
    requests = sound
  }
}

extension RouteCertificates: RecordValue {
  static let blank = RouteCertificates()

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&authorities) { _ in true }
    coder.code(&certificate) { _ in true }
    coder.code(&key) { _ in true }
  }
}
