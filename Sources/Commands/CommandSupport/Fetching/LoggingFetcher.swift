import CommandLine
import FeedFetching

/// A fetcher that prints the outcome of each request as soon as it has ended (`--verbose`).
struct LoggingFetcher: FeedFetcher {
  let base: any FeedFetcher
  let output: TextOutput

  func fetch(_ batch: FetchBatch) {
    var logged = batch
    logged.completion = { [output] request, outcome, body in
      output.printLine(Self.line(request, outcome))
      batch.completion(request, outcome, body)
    }
    base.fetch(logged)
  }

  /// Returns `https://…: 200, 51333 bytes, 0.101 s, asked if changed; redirected to https://…`.
  static func line(_ request: FetchRequest, _ outcome: FetchOutcome) -> String {
    var parts: [String] = []
    let response = outcome.response
    if let status = response?.status ?? outcome.error?.status { parts.append(words(status)) }
    if case .notModified(let response) = outcome, response.status == nil {
      parts.append("not changed")
    }
    if let response {
      parts.append(Count.of(response.bytes, "byte"))
      parts.append("\(Seconds.text(response.duration)) s")
    }
    parts.append(request.validators == nil ? "asked for all of it" : "asked if changed")
    var text = "\(WebURL.printable(request.url)): \(parts.joined(separator: ", "))"
    if let place = redirection(request, response) { text += "; \(place)" }
    if let error = outcome.error { text += "; \(error)" }
    return SafeText.line(text)
  }

  private static func words(_ status: Int) -> String {
    status == 304 ? "304 not modified" : String(status)
  }

  private static func redirection(_ request: FetchRequest, _ response: FetchResponse?) -> String? {
    let asked = WebURL.redacted(request.url).replacing("://***@", with: "://")
    guard let response, WebURL.isWeb(request.url),
      WebURL.canonical(response.url) != WebURL.canonical(asked)
    else { return nil }
    let kind = response.permanentURL == nil ? "redirected" : "redirected for good"
    return "\(kind) to \(WebURL.printable(response.url))"
  }
}
