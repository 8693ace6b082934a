import Synchronization
import TestSupport

/// A proxy that answers for every host of a simulated web, on a clock that the test sets, and logs
/// the requests.
final class LoggingServer: Sendable {
  struct Entry: Sendable {
    /// Seconds since 1970 on the simulated clock.
    let time: Double
    let host: String
    let url: String
    let request: FaultyRequest
    let status: Int

    var isConditional: Bool {
      request.header("If-None-Match") != nil || request.header("If-Modified-Since") != nil
    }
  }

  struct Page: Sendable {
    var status = 200
    var headers: [String] = []
    var body = ""
  }

  private final class State: Sendable {
    let now = Mutex(0.0)
    let log = Mutex<[Entry]>([])
  }

  private let state = State()
  private let server: FaultyServer

  /// Starts the proxy; `site` is called on the connections' threads, with the host and the
  /// simulated time.
  init(_ site: @escaping @Sendable (FaultyRequest, String, Double) -> Page) throws {
    let state = state
    server = try FaultyServer { request in
      let host = String(request.target.dropFirst(7).prefix { $0 != "/" })
      let now = state.now.withLock { $0 }
      let page = site(request, host, now)
      let entry = Entry(
        time: now,
        host: host,
        url: request.target,
        request: request,
        status: page.status,
      )
      state.log.withLock { $0.append(entry) }
      // A proxy that passes an answer on says so (RFC 9110 §7.6.3); without `Via` it would be its
      // own.
      let headers = ["Via: 1.1 simulated", "Date: \(httpDate(now))"] + page.headers
      return .response(status: "\(page.status) X", headers: headers, body: page.body).keptAlive
    }
  }

  var proxy: String { server.url("") }

  var log: [Entry] { state.log.withLock { $0 } }

  func set(now: Double) {
    state.now.withLock { $0 = now }
  }
}

/// Returns a date of HTTP, such as `Sat, 01 Jun 2024 12:00:00 GMT`.
func httpDate(_ seconds: Double) -> String {
  var time = time_t(seconds)
  var parts = tm()
  gmtime_r(&time, &parts)
  let size = 40
  var text = [CChar](repeating: 0, count: size)
  let count = strftime(&text, size, "%a, %d %b %Y %H:%M:%S GMT", &parts)
  return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
