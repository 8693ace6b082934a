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
    return options
  }
}
