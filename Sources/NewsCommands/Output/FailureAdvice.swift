import Aggregation
import FeedModel

/// What to do about a feed that failed, in words for the one who follows it.
struct FailureAdvice {
  let feed: FeedReport

  /// A sentence without a full stop; nil when there is nothing to do but wait, or the reason itself
  /// says it.
  var text: String? {
    switch feed.remedy {
    case nil, .wait, .heedReason: nil
    case .findAddress: findAddress
    case .follow(let url): "follow that one instead: `news subscribe \(word(url))`"
    case .leave: unsubscribe("")
    case .giveCredentials: "in ~/.netrc: machine \(host ?? "HOST") login NAME password WORD"
    case .readInBrowser: unsubscribe("read it in a browser, and ")
    case .tellOwner: "only its owner can repair that; tell them"
    case .raiseLimit: "allow more: `news refresh --max-size 128 \(name)`"
    case .checkFile: unsubscribe("bring the file back, or ")
    case .installLibcurl: "install libcurl (Debian: apt install libcurl4)"
    case .checkAuthorities: "set SSL_CERT_FILE or CURL_CA_BUNDLE to a file of authorities"
    case .freeResources: "end other programs, or allow more open files: `ulimit -n 4096`"
    }
  }

  private var findAddress: String {
    guard let site else { return unsubscribe("") }
    return "find its new address: `news subscribe \(word(site))`; "
      + "the old one goes with `news unsubscribe \(name)`"
  }

  private func unsubscribe(_ before: String) -> String {
    "\(before)stop following it: `news unsubscribe \(name)`"
  }

  /// The start page of the feed's site.
  private var site: String? {
    host.map { host in
      (feed.url.hasPrefix("http:") ? "http://" : "https://") + host + "/"
    }
  }

  private var host: String? {
    let url = WebURL.redacted(feed.url)
    guard let start = url.firstRange(of: "://"), url.hasPrefix("http") else { return nil }
    let authority = url[start.upperBound...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@").last ?? authority
    return host.isEmpty ? nil : SafeText.line(String(host))
  }

  private var name: String {
    word(FeedName.printableURL(feed.url))
  }

  private func word(_ text: String) -> String {
    ShellWord.asNeeded(SafeText.line(text))
  }
}
