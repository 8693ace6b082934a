import FeedFetching

/// How the commands ask servers.
enum Fetching {
  static let userAgent = "news/\(Version.number) (+\(Version.page))"

  static func options(_ context: CommandContext) -> FetchOptions {
    var options = FetchOptions()
    options.userAgent = userAgent
    if let home = context.environment.variable("HOME"), home.hasPrefix("/") {
      options.netrc = home + "/.netrc"
    }
    // libcurl itself reads neither: its command line tool and OpenSSL's programs do.
    options.certificateAuthorities =
      context.environment.variable("CURL_CA_BUNDLE")
      ?? context.environment.variable("SSL_CERT_FILE")
    return options
  }
}
