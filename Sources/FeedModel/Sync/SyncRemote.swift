package import System

/// What a home was told to synchronize with.
package struct SyncRemote: Hashable, Sendable {
  package enum Transport: Hashable, Sendable {
    /// An absolute path.
    case folder(String)
    /// Another machine's news, as ssh reaches it; its usual home where none is named.
    case machine(host: String, home: String?)
    case server(SyncServer)
  }

  /// What the reader calls it.
  package var name: String
  package var transport: Transport
  /// Whether stories go along, not only their marks.
  package var sharesStories = false
  /// Whether feeds that come by it may be in a private network.
  package var allowsPrivate = false
  /// When it was last tried, and why that failed; nil where it was never tried.
  package var tried: Date?
  package var failure: String?
  /// When it last worked.
  package var done: Date?
  /// How often it has worked, and how many changes went there and came from there.
  package var (times, sent, taken) = (0, 0, 0)
  /// Of machines, the number of the last change of this home that went there.
  package var lastSent: UInt32 = 0

  package init(name: String, transport: Transport, sharesStories: Bool = false) {
    (self.name, self.transport, self.sharesStories) = (name, transport, sharesStories)
  }

  /// What it is, as `news sync add` takes it.
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

  /// Notes how a try ended.
  package mutating func note(_ failure: String?, sent: Int = 0, taken: Int = 0, on date: Date) {
    (tried, self.failure) = (date, failure)
    guard failure == nil else { return }
    done = date
    times += 1
    self.sent += sent
    self.taken += taken
  }
}
