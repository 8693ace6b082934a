/// How to fetch: limits, time-outs, and what the servers are told.
package struct FetchOptions: Sendable {
  /// When everything must have ended; what has not is `FetchError.deadline`.
  package var deadline: ContinuousClock.Instant?
  /// Bytes of one body after decompression.
  package var maximumBytes = 32 << 20
  /// Bytes of all header lines of one request, its redirects included.
  package var maximumHeaderBytes = 64 << 10
  package var maximumTransfers = 32
  /// Transfers and connections at once to one host.
  package var maximumTransfersPerHost = 4
  /// The same to one host of the internet.
  package var maximumTransfersPerInternetHost = 2
  /// For looking up the name, connecting and the TLS handshake.
  package var connectTimeout = Duration.seconds(10)
  /// Without a byte, or with fewer than `minimumBytes`, once connected.
  package var stallTimeout = Duration.seconds(15)
  /// After so long without `minimumBytes` a server is slow: such servers hold half of the places
  /// at the most.
  package var slowTime = Duration.seconds(3)
  package var transferTimeout = Duration.seconds(60)
  package var maximumRedirects = 10
  /// Servers that want to be left in peace (`https://example.com:8443`), and why.
  ///
  /// They are not asked, nor is a redirect followed to them. With a server and a space before it, it
  /// is only the redirects of that server that are not followed.
  package var stoppedServers: [String: FetchError] = [:]
  /// `news/VERSION (+URL)`.
  package var userAgent = "news"
  /// A file like `~/.netrc` to take users and passwords from, for https; nil uses none.
  package var netrc: String?
  /// A file of certificates (PEM) to trust in place of the system's.
  package var certificateAuthorities: String?
  /// A directory of certificates (PEM) to trust, named by their hashes.
  package var certificateDirectory: String?
  package var proxies = ProxySettings.none
  /// Threads that transfer and parse; nil is one for each core, at most
  /// `maximumTransfersPerInternetHost`.
  package var workers: Int?

  package init() {}

  /// Of one exchange in `stallTimeout`, as they are sent.
  var minimumBytes: Int {
    Int(Double(Self.minimumBytesPerSecond) * (stallTimeout / .seconds(1)))
  }

  static let minimumBytesPerSecond = 64
}
