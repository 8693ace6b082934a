import Aggregation
import FeedFetching
import FeedStorage

/// How the commands ask servers.
enum Fetching {
  static let userAgent = "news/\(Version.number) (+\(Version.page))"

  static func options(_ context: CommandContext, library: Library? = nil) -> FetchOptions {
    var options = FetchOptions()
    options.stoppedServers = RefreshSchedule.stoppedServers(
      library?.holds ?? [:],
      now: context.environment.clock.date,
    )
    options.userAgent = userAgent
    if let home = context.environment.variable("HOME"), home.hasPrefix("/") {
      options.netrc = home + "/.netrc"
    }
    options.proxies = ProxySettings(variable: context.environment.variable)
    // libcurl itself reads none of these: its command line tool and OpenSSL's programs do.
    let named = { name in context.environment.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    options.certificateAuthorities = named("CURL_CA_BUNDLE") ?? named("SSL_CERT_FILE")
    options.certificateDirectory = named("SSL_CERT_DIR")
    return options
  }
}
