package import FeedFetching
package import FeedStorage
package import System

/// Servers that asked to wait when they were asked for pages and episodes, for the rest of the run
/// and for later ones.
package struct BusyServers: Sendable {
  package private(set) var stopped: [String: FetchError] = [:]
  package private(set) var retryTimes: [String: RetryTime] = [:]

  package init() {}

  /// Notes a `Retry-After`: as for feeds, it holds for the server's own URLs or, if a redirect led
  /// to it, for those redirected.
  package mutating func note(_ outcome: FetchOutcome, to url: String, now: Date) {
    guard case .failed(let error, let response?) = outcome,
      let server = WebURL.origin(of: response.url), let asked = WebURL.origin(of: url)
    else { return }
    if let reason = outcome.whyBusy {
      stopped[asked == server ? server : "\(asked) \(server)"] = reason
    }
    let retryAfter = outcome.whyBusy?.retryAfter
    let retryTime = RetryTime(of: response.url, status: error.status, retryAfter, now: now)
    if let retryTime { retryTimes[asked == server ? server : url] = retryTime }
  }
}
