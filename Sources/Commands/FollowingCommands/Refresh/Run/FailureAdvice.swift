import CommandLine
import CommandSupport
import FeedModel
import FeedUpdating
import System

package struct FailureAdvice: Hashable, Sendable {
  /// A sentence without a full stop.
  let words: String
  let commands: [String]

  private init(_ words: String, _ commands: String...) {
    self.words = words
    self.commands = commands
  }

  var line: String {
    commands.isEmpty
      ? words : "\(words): " + commands.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// Returns nil where one can only wait for the next try, or the reason says what to do.
  static func about(_ feed: FeedReport) -> FailureAdvice? {
    let name = ShellWord.asNeeded(name(of: feed.url))
    let leave = "news unsubscribe \(name)"
    let url = ShellWord.proposed(feed.url, or: "URL")
    if let place = feed.newAddress, feed.remedy?.isOfAddress ?? false {
      return move(feed.url, to: place)
    }
    return switch feed.remedy {
    case nil, .heedReason: nil
    case .wait: feed.nextTry == nil ? Self("it is asked again next time") : nil
    case .findAddress: newAddress(feed, leave)
    case .follow(let url):
      Self(
        "follow that one instead",
        "news subscribe \(ShellWord.proposed(url, or: "URL"))",
        leave,
      )
    case .allowPrivate:
      Self("if you want that, allow it", "news subscribe --allow-private \(url)")
    case .raiseLimit: Self("allow more", "news feeds set \(name) --max-size 128")
    case .checkFile: Self("bring the file back, or stop following it", leave)
    case .changeAccept:
      Self("other types may help", "news feeds set \(name) --header 'Accept: text/html'")
    case .changeUserAgent:
      Self(
        "if a browser is answered, its name may help",
        "news feeds set \(name) --user-agent NAME",
      )
    case .useHTTP1: Self("HTTP/1.1 may help", "news feeds set \(name) --http 1.1")
    case .passWall:
      Self(
        "HTTP/1.1, or the name or a cookie of a browser that it lets in, may help",
        "news feeds set \(name) --http 1.1",
        "news feeds set \(name) --user-agent NAME --header 'Cookie: …'",
      )
    case .leave: Self("stop following it", leave)
    case .findHost: Self("look for its new address; to leave it", leave)
    case .giveCredentials: credentials(feed)
    case .tellOwner: Self("only its owner can repair that; tell them")
    case .freeResources: Self(LibraryFault.freeResources)
    }
  }

  static func move(_ feed: String, to place: String) -> FailureAdvice {
    Self(
      "its site names another feed; if it is the same",
      "news move \(ShellWord.asNeeded(name(of: feed))) \(ShellWord.proposed(place, or: "URL"))",
    )
  }

  private static func newAddress(_ feed: FeedReport, _ leave: String) -> FailureAdvice {
    guard let site = site(of: feed) else { return Self("stop following it", leave) }
    return Self("find its new address, and leave the old one", "news subscribe \(site)", leave)
  }

  private static func credentials(_ feed: FeedReport) -> FailureAdvice {
    let host = WebURL.host(of: feed.url) ?? "HOST"
    guard feed.url.lowercased().hasPrefix("https:") else {
      return Self("in its URL, http://NAME:WORD@\(host)/, as this server has no https")
    }
    return Self(
      "in ~/.netrc: machine \(host) login NAME password WORD; or from a password manager",
      "news subscribe https://NAME@\(host)/… --password-command COMMAND",
    )
  }

  private static func site(of feed: FeedReport) -> String? {
    authority(of: feed).map { authority in
      let scheme = feed.url.hasPrefix("http:") ? "http://" : "https://"
      return ShellWord.asNeeded(scheme + authority + "/")
    }
  }

  private static func name(of url: String) -> String {
    let name = WebURL.printable(url)
    guard WebURL.redacted(url) != url, let at = name.lastIndex(of: "@") else { return name }
    return String(name[name.index(after: at)...])
  }

  private static func authority(of feed: FeedReport) -> String? {
    let url = WebURL.redacted(feed.url)
    guard url.hasPrefix("http"), let scheme = url.firstIndex(of: "/") else { return nil }
    let authority = url[scheme...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    let host = SafeText.line(String(authority.split(separator: "@").last ?? authority))
    return host.isEmpty ? nil : host
  }
}
