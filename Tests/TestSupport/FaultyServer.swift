/// An HTTP server on 127.0.0.1 that gives the test's answers, above all faults.
///
/// Each connection has a thread. The server and its threads end with the last reference to it.
package final class FaultyServer: Sendable {
  package let port: Int
  private let host: String
  private let state: FaultyServerState
  private let listener: Int32
  private let accepting: TestThread

  /// Starts the server; `answer` is called on the connections' threads for each request.
  ///
  /// An address other than 127.0.0.1, and a port of the test's, need a `NetworkNamespace`.
  package init(
    at host: String = "127.0.0.1",
    port: Int = 0,
    _ answer: @escaping @Sendable (FaultyRequest) -> FaultyAnswer,
  ) throws {
    self.host = host
    listener = socket(AF_INET, testStreamSocket, 0)
    guard listener >= 0 else { throw POSIXFailure("socket", "") }
    closeOnExec(listener)
    self.port = try bind(listener, to: host, port: port)
    guard listen(listener, 512) == 0 else { throw POSIXFailure("listen", "\(self.port)") }
    let state = try FaultyServerState(answer: answer)
    self.state = state
    let listener = listener
    accepting = try TestThread {
      while waitForReading(listener, orStop: state.stopDescriptor) {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        closeOnExec(connection)
        state.serve(connection)
      }
    }
  }

  package convenience init(_ answers: [String: FaultyAnswer]) throws {
    try self.init { request in
      answers[request.path] ?? .response(status: "404 Not Found", body: "nothing here")
    }
  }

  deinit {
    state.stop()
    accepting.join()
    state.joinConnections()
    close(listener)
  }

  package func url(_ path: String) -> String {
    "http://\(host):\(port)\(path)"
  }

  package var requests: [FaultyRequest] {
    state.requests
  }

  package func requests(for path: String) -> [FaultyRequest] {
    requests.filter { $0.path == path }
  }

  /// The highest number of connections that were open at once.
  package var mostConnections: Int {
    state.mostConnections
  }

  package func waitForRequests(_ count: Int) {
    state.waitForRequests(count)
  }
}

package struct FaultyRequest: Sendable {
  package let method: String
  /// The path and query, or the whole URL if a proxy is asked.
  package let target: String
  /// The lines after the request line, unchanged.
  package let headerLines: [String]
  package var body: [UInt8] = []

  package var path: String {
    String(target.prefix { $0 != "?" })
  }

  package var query: String {
    String(target.drop { $0 != "?" }.dropFirst())
  }

  package func header(_ name: String) -> String? {
    let prefix = name.lowercased() + ": "
    return headerLines.first { $0.lowercased().hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  init?(_ head: [UInt8]) {
    var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
    guard !lines.isEmpty else { return nil }
    let words = lines.removeFirst().split(separator: " ")
    guard words.count == 3 else { return nil }
    method = String(words[0])
    target = String(words[1])
    headerLines = lines
  }
}
