/// The limits and time-outs of a fetch, and the names by which servers know the client.
package struct FetchOptions: Sendable {
  /// The time when everything must have ended; requests under way then fail with
  /// `FetchError.deadline`.
  package var deadline: ContinuousClock.Instant?
  /// The bytes of one body after decompression.
  package var maximumBytes = 32 << 20
  /// The bytes of all header lines of one request, its redirects included.
  package var maximumHeaderBytes = 64 << 10
  package var maximumTransfers = 32
  package var maximumTransfersPerHost = 4
  package var maximumTransfersPerInternetHost = 2
  /// The time for looking up the name, connecting and the TLS handshake.
  package var connectTimeout = Duration.seconds(10)
  /// The time without a byte, or with fewer than `minimumBytes`, once connected.
  package var stallTimeout = Duration.seconds(15)
  /// The time without `minimumBytes` after which a server is slow: such servers hold half of the
  /// places at the most.
  package var slowTime = Duration.seconds(3)
  package var transferTimeout = Duration.seconds(60)
  package var maximumRedirects = 10
  /// The failures of servers that want to be left in peace, by origin (`https://example.com:8443`).
  ///
  /// They are not asked, nor is a redirect followed to them. With another server's origin and a
  /// space before it, only the redirects of that server are not followed.
  package var stoppedServers: [String: FetchError] = [:]
  package var userAgent = "news"
  /// A file like `~/.netrc` to take users and passwords from, for https; nil uses none.
  package var netrc: String?
  /// A file of certificates (PEM) to trust in place of the system's.
  package var certificateAuthorities: String?
  /// A directory of certificates (PEM) to trust, named by their hashes.
  package var certificateDirectory: String?
  package var proxies = ProxySettings.none
  /// The number of threads that transfer and parse; nil is one for each core, at most
  /// `maximumTransfersPerInternetHost`.
  package var workers: Int?

  package init() {}

  /// The least bytes of one exchange in `stallTimeout`, as they are sent.
  var minimumBytes: Int {
    Int(Double(Self.minimumBytesPerSecond) * (stallTimeout / .seconds(1)))
  }

  static let minimumBytesPerSecond = 64
}
