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
    let name = ShellWord.asNeeded(name(of: feed.url))
    let leave = "news unsubscribe \(name)"
    switch feed.remedy {
    case nil, .heedReason: return nil
    case .wait:
      return feed.nextTry == nil ? FailureAdvice(words: "it is asked again next time") : nil
    case .findAddress:
      guard let host = host(of: feed) else {
        return FailureAdvice(words: "stop following it", commands: [leave])
      }
      let site = (feed.url.hasPrefix("http:") ? "http://" : "https://") + host + "/"
      return FailureAdvice(
        words: "find its new address, and leave the old one",
        commands: ["news subscribe \(ShellWord.asNeeded(site))", leave],
      )
    case .follow(let url):
      let word = ShellWord.asNeeded(SafeText.line(url))
      return FailureAdvice(
        words: "follow that one instead",
        commands: ["news subscribe \(word)", leave],
      )
    case .leave: return FailureAdvice(words: "stop following it", commands: [leave])
    case .giveCredentials:
      let host = host(of: feed)?.split(separator: ":").first ?? "HOST"
      return FailureAdvice(words: "in ~/.netrc: machine \(host) login NAME password WORD")
    case .readInBrowser:
      return FailureAdvice(words: "if it stays so, stop following it", commands: [leave])
    case .tellOwner: return FailureAdvice(words: "only its owner can repair that; tell them")
    case .raiseLimit:
      return FailureAdvice(words: "allow more", commands: ["news refresh --max-size 128 \(name)"])
    case .checkFile:
      return FailureAdvice(words: "bring the file back, or stop following it", commands: [leave])
    case .installLibcurl:
      return FailureAdvice(words: "install libcurl (Debian: apt install libcurl4)")
    case .checkAuthorities:
      return FailureAdvice(
        words: "SSL_CERT_FILE or CURL_CA_BUNDLE names a file that does not serve"
      )
    case .freeResources:
      return FailureAdvice(words: "end other programs, or allow more open files (ulimit -n)")
    }
  }

  /// What names the feed in a command: its URL, or the part of it behind a user and password.
  private static func name(of url: String) -> String {
    let name = FeedName.printableURL(url)
    guard WebURL.redacted(url) != url, let at = name.lastIndex(of: "@") else { return name }
    return String(name[name.index(after: at)...])
  }

  /// The host of a web feed, with its port.
  private static func host(of feed: FeedReport) -> String? {
    let url = WebURL.redacted(feed.url)
    guard url.hasPrefix("http"), let scheme = url.firstIndex(of: "/") else { return nil }
    let authority = url[scheme...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last ?? authority
    return host.isEmpty ? nil : SafeText.line(String(host))
  }
}
