/// How to fetch: limits, time-outs, and what the servers are told.
package struct FetchOptions: Sendable {
  /// When everything must have ended; what has not is `FetchError.deadline`.
  package var deadline: ContinuousClock.Instant?
  /// Bytes of one body after decompression.
  package var maximumBytes = 32 << 20
  /// Bytes of all header lines of one request, its redirects included.
  package var maximumHeaderBytes = 64 << 10
  /// Transfers at once.
  package var maximumTransfers = 32
  /// Transfers and connections at once to one host.
  package var maximumTransfersPerHost = 4
  /// For looking up the name, connecting and the TLS handshake.
  package var connectTimeout = Duration.seconds(10)
  /// Without a byte, once connected.
  package var stallTimeout = Duration.seconds(15)
  /// For one request with all its redirects: ends those who drip a byte a second.
  package var transferTimeout = Duration.seconds(60)
  package var maximumRedirects = 10
  /// `news/VERSION (+URL)`.
  package var userAgent = "news"
  /// A file like `~/.netrc` to take users and passwords from; nil uses none.
  package var netrc: String?
  /// A file of certificates (PEM) to trust in place of the system's.
  package var certificateAuthorities: String?
  /// A proxy's URL; nil takes `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` from the
  /// process's environment, as libcurl does; the empty string uses none.
  package var proxy: String?
  /// Threads that transfer and parse; nil is one for each core, at most four.
  package var workers: Int?

  package init() {}
}
