import Testing

@testable import FeedServing
@testable import System

@Suite("Places of connections")
struct HTTPConnectionsTests {
  /// Pairs of sockets, of which the first ends are the server's.
  private final class Sockets {
    private var pairs: [(own: Int32, far: Int32)] = []

    func add() throws -> Int32 {
      var ends: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      pairs.append((ends[0], ends[1]))
      return ends[0]
    }

    /// The connections that the server has shut down, by their numbers.
    var ended: [Int] {
      pairs.indices.filter { index in
        var byte: UInt8 = 0
        return recv(pairs[index].far, &byte, 1, Int32(MSG_DONTWAIT)) == 0
      }
    }

    deinit { for pair in pairs { for end in [pair.own, pair.far] { close(end) } } }
  }

  private let sockets = Sockets()

  private func connections(_ limits: HTTPLimits) throws -> HTTPConnections {
    try #require(HTTPConnections(limits))
  }

  @Test("the oldest that has shown no token gives way, and never one that has")
  func places() throws {
    var limits = HTTPLimits()
    limits.connections = 3
    let connections = try connections(limits)
    let all = try (0..<6).map { _ in try sockets.add() }
    connections.add(all[0])
    connections.noteKnown(all[0])
    for next in all[1...3] { connections.add(next) }
    #expect(sockets.ended == [1])
    // What ends is neither shut down again nor brought back by its thread.
    connections.allow(nil, all[1])
    connections.add(all[4])
    #expect(sockets.ended == [1, 2])
    for known in all[3...4] { connections.noteKnown(known) }
    connections.add(all[5])
    #expect(sockets.ended == [1, 2, 5])
    connections.remove(all[1])
    connections.remove(all[3])
    connections.add(all[3])
    #expect(sockets.ended == [1, 2, 5])
  }

  @Test("without a token, a head and a body have seconds in all, and answers that are made none")
  func times() throws {
    var limits = HTTPLimits()
    (limits.strangerHeadTime, limits.strangerBodyTime) = (.seconds(-1), .seconds(5))
    let connections = try connections(limits)
    let all = try (0..<4).map { _ in try sockets.add() }
    for connection in all { connections.add(connection) }
    connections.allow(limits.requestTime, stranger: limits.strangerBodyTime, all[1])
    connections.noteKnown(all[2])
    connections.allow(.seconds(60), stranger: .seconds(-1), all[2])
    connections.allow(nil, all[3])
    connections.closeOverdue()
    #expect(sockets.ended == [0])
    connections.allow(.seconds(60), stranger: .seconds(-1), all[1])
    connections.closeOverdue()
    #expect(sockets.ended == [0, 1])
    #expect(limits.requestTime == .seconds(60))
    #expect(HTTPLimits().strangerHeadTime == .seconds(5))
    #expect(HTTPLimits().strangerBodyTime == .seconds(10))
  }
}
