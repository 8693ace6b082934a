package import FeedFetching
import FeedModel
package import FeedStorage
package import System

/// What servers wish that are asked for pages and episodes: to be left in peace, for the rest of the
/// run and for later ones.
package struct ServerWishes: Sendable {
  /// As `FetchOptions.stoppedServers`.
  package private(set) var stopped: [String: FetchError] = [:]
  package private(set) var holds: [String: ServerHold] = [:]

  package init() {}

  /// As for feeds, a server's own things by its wish, or where a redirect led to it, those redirected.
  package mutating func note(_ outcome: FetchOutcome, to url: String, now: Date) {
    guard case .failed(let error, let response?) = outcome,
      let server = WebURL.origin(of: response.url), let asked = WebURL.origin(of: url)
    else { return }
    if let reason = outcome.whyBusy {
      stopped[asked == server ? server : "\(asked) \(server)"] = reason
    }
    let retryAfter = outcome.whyBusy?.retryAfter
    let hold = ServerHold(of: response.url, status: error.status, retryAfter, now: now)
    if let hold { holds[asked == server ? server : url] = hold }
  }
}
