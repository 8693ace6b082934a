package import System

package struct SyncRemote: Hashable, Sendable {
  package enum Transport: Hashable, Sendable {
    /// An absolute path.
    case folder(String)
    /// Another machine's `news`, reached by ssh; its usual home where `home` is nil.
    case machine(host: String, home: String?)
    case server(SyncServer)
  }

  package var name: String
  package var transport: Transport
  /// Lets the feeds that come from it be in a private network.
  package var allowsPrivate = false
  /// The last try and its error; `failure` is nil after a success.
  package var tried: Date?
  package var failure: String?
  package var done: Date?
  package var (times, sent, taken) = (0, 0, 0)
  /// The number of this home's last change that went there; 0 for servers.
  package var lastSent: UInt32 = 0

  package init(name: String, transport: Transport) {
    (self.name, self.transport) = (name, transport)
  }

  package var address: String {
    switch transport {
    case .folder(let path): path
    case .machine(let host, let home): "ssh:" + host + (home.map { ":" + $0 } ?? "")
    case .server(let server): server.url
    }
  }

  package var server: SyncServer? {
    if case .server(let server) = transport { server } else { nil }
  }

  package mutating func note(_ failure: String?, sent: Int = 0, taken: Int = 0, on date: Date) {
    (tried, self.failure) = (date, failure)
    guard failure == nil else { return }
    done = date
    times += 1
    self.sent += sent
    self.taken += taken
  }
}
