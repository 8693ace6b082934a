import Aggregation
import FeedModel

/// What to do about a feed that failed, for the one who follows it.
struct FailureAdvice: Hashable, Sendable {
  /// A sentence without a full stop.
  let words: String
  /// Commands to copy.
  var commands: [String] = []

  /// The advice in one line.
  var line: String {
    commands.isEmpty
      ? words : "\(words): " + commands.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Nil where there is nothing to do but wait for the next try, or the reason itself says it.
  static func about(_ feed: FeedReport) -> FailureAdvice? {
    switch feed.remedy {
    case nil, .heedReason: nil
    case .wait: feed.nextTry == nil ? FailureAdvice(words: "it is asked again next time") : nil
    case .findAddress, .follow, .leave, .readInBrowser, .checkFile, .raiseLimit,
      .allowPrivate:
      withCommands(feed)
    case .giveCredentials: credentials(feed)
    case .tellOwner: FailureAdvice(words: "only its owner can repair that; tell them")
    case .installLibcurl: FailureAdvice(words: "install libcurl (Debian: apt install libcurl4)")
    case .installLibxml2: FailureAdvice(words: "install libxml2 (Debian: apt install libxml2)")
    case .checkAuthorities:
      FailureAdvice(words: "name a file of authorities in SSL_CERT_FILE or CURL_CA_BUNDLE")
    case .freeResources:
      FailureAdvice(words: "end other programs, or allow more open files (ulimit -n)")
    }
  }

  private static func credentials(_ feed: FeedReport) -> FailureAdvice {
    let host = WebURL.host(of: feed.url) ?? "HOST"
    return FailureAdvice(
      words: feed.url.lowercased().hasPrefix("https:")
        ? "in ~/.netrc: machine \(host) login NAME password WORD"
        : "in its URL, http://NAME:WORD@\(host)/, as this server has no https"
    )
  }

  private static func withCommands(_ feed: FeedReport) -> FailureAdvice {
    let name = ShellWord.asNeeded(name(of: feed.url))
    let leave = "news unsubscribe \(name)"
    switch feed.remedy {
    case .findAddress:
      guard let site = site(of: feed) else { break }
      return FailureAdvice(
        words: "find its new address, and leave the old one",
        commands: ["news subscribe \(site)", leave],
      )
    case .follow(let url):
      let word = ShellWord.proposed(url, or: "URL")
      return FailureAdvice(
        words: "follow that one instead",
        commands: ["news subscribe \(word)", leave],
      )
    case .allowPrivate:
      return FailureAdvice(
        words: "if you want that, allow it",
        commands: ["news subscribe --allow-private \(ShellWord.proposed(feed.url, or: "URL"))"],
      )
    case .raiseLimit:
      return FailureAdvice(words: "allow more", commands: ["news refresh --max-size 128 \(name)"])
    case .checkFile:
      return FailureAdvice(words: "bring the file back, or stop following it", commands: [leave])
    case .readInBrowser:
      return FailureAdvice(words: "if it stays so, stop following it", commands: [leave])
    default: break
    }
    return FailureAdvice(words: "stop following it", commands: [leave])
  }

  /// The start page of a web feed's site.
  private static func site(of feed: FeedReport) -> String? {
    authority(of: feed).map { authority in
      let scheme = feed.url.hasPrefix("http:") ? "http://" : "https://"
      return ShellWord.asNeeded(scheme + authority + "/")
    }
  }

  /// What names the feed in a command: its URL, or the part of it behind a user and password.
  private static func name(of url: String) -> String {
    let name = FeedName.printableURL(url)
    guard WebURL.redacted(url) != url, let at = name.lastIndex(of: "@") else { return name }
    return String(name[name.index(after: at)...])
  }

  /// The host of a web feed with its port, without user and password.
  private static func authority(of feed: FeedReport) -> String? {
    let url = WebURL.redacted(feed.url)
    guard url.hasPrefix("http"), let scheme = url.firstIndex(of: "/") else { return nil }
    let authority = url[scheme...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    let host = SafeText.line(String(authority.split(separator: "@").last ?? authority))
    return host.isEmpty ? nil : host
  }
}
