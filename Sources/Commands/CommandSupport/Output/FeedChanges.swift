import CommandLine
package import FeedModel
import Searching

extension Subscription {
  /// Returns what is different from a former state of the feed, such as `tagged work`.
  package func changes(since old: Subscription, _ clock: WallClock) -> [String] {
    let new = self
    var changes: [String] = []
    if new.title != old.title { changes.append("now called \(FeedName.printable(new))") }
    let tags = new.tags.filter { !old.tags.contains($0) }
    if !tags.isEmpty { changes.append("tagged \(tags.joined(separator: ", "))") }
    let gone = old.tags.filter { !new.tags.contains($0) }
    if !gone.isEmpty { changes.append("no longer tagged \(gone.joined(separator: ", "))") }
    if new.list == nil, old.list != nil {
      changes.append("yours from now on, whatever its list says")
    }
    if new.state.isOnInternet == false, old.state.isOnInternet != false {
      changes.append("allowed in a private network")
    }
    if new.passwordCommand != old.passwordCommand { changes.append("asked with another password") }
    if new.headers != old.headers {
      changes.append(new.headers.isEmpty ? "asked without headers" : "asked with other headers")
    }
    changes += new.route.words(since: old.route)
    if new.filter != old.filter {
      let words = new.filter.map { "filtered by \(Spelling.quoted($0))" }
      changes.append(words ?? "filtered no longer")
    }
    let settings = FeedSetting.allCases.map {
      ($0.words(old.settings, clock), $0.words(new.settings, clock))
    }
    return changes + settings.filter { $0.0 != $0.1 }.map(\.1)
  }
}

extension FeedRoute {
  /// Words for a route that differs from another one.
  package func words(since old: FeedRoute) -> [String] {
    var words: [String] = []
    if proxy != old.proxy { words.append(proxyWords) }
    if (authorities, certificate, key) != (old.authorities, old.certificate, old.key) {
      let isOwn = authorities != nil || certificate != nil
      words.append(isOwn ? "asked with its own certificates" : "asked with the usual certificates")
    }
    return words
  }

  private var proxyWords: String {
    guard let proxy else { return "asked by the usual proxy, if any" }
    return proxy == Self.noProxy
      ? "asked without a proxy" : "asked by the proxy \(WebURL.redacted(proxy))"
  }
}

extension FeedSetting {
  /// Returns what the setting has, as `asked every 6 h`.
  fileprivate func words(_ settings: FeedSettings, _ clock: WallClock) -> String {
    switch self {
    case .interval:
      settings.interval.map { "asked every \(TimeExpression.text($0))" } ?? "asked as it posts"
    case .keep:
      settings.keep.map {
        $0 == 0 ? "all its stories are kept" : "\($0) of its old stories are kept"
      }
        ?? "as many of its stories are kept as of others"
    case .maxSize: settings.maximumBytes.map { "up to \($0 >> 20) MiB" } ?? "as large as others"
    case .userAgent:
      settings.userAgent.map { "asked as \(Spelling.quoted($0))" } ?? "asked by our own name"
    case .full:
      settings.fetchesPages
        ? "the pages of its new stories are fetched" : "no pages of it are fetched"
    case .download:
      settings.downloads.map { "its newest \(Count.of($0, "episode")) saved as they come" }
        ?? "none of its episodes are saved by themselves"
    case .downloadLimit:
      "its episodes may take \((settings.downloadBytes ?? FeedSettings.usualDownloadBytes) >> 20) MiB"
    case .pause: settings.pausedUntil.map { Self.pause($0, clock) } ?? "fetched again"
    case .http:
      settings.httpVersion.map { "asked with HTTP/\($0) alone" }
        ?? "asked with the newest HTTP that it has"
    case .hide: settings.isHidden ? "hidden from lists" : "shown in lists again"
    case .keepTracking:
      settings.keepsTracking ? "its links keep their trackers" : "its links lose their trackers"
    case .readAfter:
      settings.readAfter.map { "its stories are read after \(TimeExpression.text(.seconds($0)))" }
        ?? "its stories stay unread however old they are"
    case .unreadWhenEdited:
      settings.unreadWhenEdited
        ? "its stories are unread again when it changes them" : "its changed stories stay read"
    case .oldestFirst: "listed with the \(settings.isOldestFirst ? "oldest" : "newest") first"
    case .open:
      switch settings.opening {
      case "browser": "Enter opens its stories in the browser"
      case "page": "Enter shows the article of a story's page"
      default: "Enter shows its own text"
      }
    }
  }

  private static func pause(_ until: Int, _ clock: WallClock) -> String {
    until > 0 ? "paused until \(RelativeDate(clock: clock).exactText(until))" : "paused"
  }
}
