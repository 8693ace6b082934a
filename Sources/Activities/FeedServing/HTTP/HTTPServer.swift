internal import CMicroHTTPD
internal import CommandLine
internal import Synchronization
internal import System

/// An HTTP server on one socket (libmicrohttpd), with a thread for each connection.
///
/// It keeps itself alive until it is stopped.
package final class HTTPServer: Sendable {
  let service: HTTPService
  let limits: HTTPLimits
  let connections: HTTPConnections
  private let daemon = Mutex<Daemon?>(nil)

  /// Unchecked: libmicrohttpd's functions may be called by any thread.
  private struct Daemon: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  /// Loads the library, and throws if it is missing.
  package static func prepare() throws {
    if let fault = LibraryFault.microhttpd { throw Failure(fault.sentence) }
  }

  /// Returns the library's version, and throws if it cannot be loaded.
  package static func libraryVersion() throws -> String {
    try prepare()
    return String(cString: cmicrohttpd_version())
  }

  private init(_ service: HTTPService, _ limits: HTTPLimits) throws {
    guard let connections = HTTPConnections(limits) else {
      throw Failure("no descriptors are left")
    }
    (self.service, self.limits, self.connections) = (service, limits, connections)
  }

  /// Starts a server on a listening socket.
  package static func start(
    on socket: ListeningSocket,
    _ service: HTTPService,
    certificate: TLSCertificate? = nil,
    limits: HTTPLimits = HTTPLimits(),
  ) throws -> HTTPServer {
    try prepare()
    let server = try HTTPServer(service, limits)
    let user = Unmanaged.passRetained(server).toOpaque()
    let pointer = (certificate?.certificate ?? "").withCString { certificateText in
      (certificate?.key ?? "").withCString { keyText in
        let options = cmicrohttpd_options(
          // Those that gave way need a moment to end, above all while passwords are checked.
          connections: UInt32(limits.connections * 8),
          memory: limits.headerBytes,
          timeout: UInt32(limits.idleTime.components.seconds),
          stack: 1 << 20,
          certificate: certificate == nil ? nil : certificateText,
          key: certificate == nil ? nil : keyText,
        )
        return cmicrohttpd_start(socket.descriptor, options, HTTPCallbacks.table, user)
      }
    }
    guard let pointer else {
      Unmanaged<HTTPServer>.fromOpaque(user).release()
      let part = certificate == nil ? "" : ": the certificate or its key is not understood"
      throw Failure("the server cannot be started\(part)")
    }
    server.daemon.withLock { $0 = Daemon(pointer: pointer) }
    return server
  }

  /// Stops accepting connections; those that wait are left to other processes with the socket.
  package func quiesce() {
    daemon.withLock { if let daemon = $0 { _ = cmicrohttpd_quiesce(daemon.pointer) } }
  }

  /// Ends the remaining connections, and waits for their threads; to be called once.
  package func stop() {
    guard let daemon = daemon.withLock({ $0.take() }) else { return }
    connections.closeAll()
    cmicrohttpd_stop(daemon.pointer)
    Unmanaged.passUnretained(self).release()
  }

  /// Watches the connections until one of the descriptors is readable, or no request has come for
  /// so long.
  package func run(until descriptors: [Int32], orIdleFor limit: Duration? = nil) {
    while true {
      let end = connections.nextLook(orIdleFor: limit)
      let ready = POSIX.wait(on: [connections.event.readEnd] + descriptors, until: end)
      if ready.dropFirst().contains(true) { return }
      connections.event.forget()
      connections.closeOverdue()
      if let limit, connections.isIdle(for: limit) { return }
    }
  }
}

/// The functions that the library calls: each recovers its object, and calls that.
private enum HTTPCallbacks {
  /// The table of callbacks, never changed and never freed: connections may last until the process
  /// ends.
  nonisolated(unsafe) static let table: UnsafePointer<cmicrohttpd_handlers> = {
    let table = UnsafeMutablePointer<cmicrohttpd_handlers>.allocate(capacity: 1)
    table.initialize(
      to: cmicrohttpd_handlers(
        connected: { server($0).connections.add($1) },
        disconnected: { server($0).connections.remove($1) },
        begin: { HTTPExchange.begin(server($0), target: String(cString: $1), descriptor: $2) },
        head: { exchange($0).takeHead($1, method: String(cString: $2), version: $3) },
        receive: { exchange($0).take(UnsafeRawBufferPointer(start: $1, count: $2)) },
        finish: { exchange($0).finish($1) },
        end: { HTTPExchange.end($0) },
      )
    )
    return UnsafePointer(table)
  }()

  private static func server(_ pointer: UnsafeMutableRawPointer) -> HTTPServer {
    Unmanaged<HTTPServer>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func exchange(_ pointer: UnsafeMutableRawPointer) -> HTTPExchange {
    Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// A request and its answer, used by the connection's thread alone.
private final class HTTPExchange {
  private let server: HTTPServer
  private let descriptor: Int32
  private var request: HTTPRequest
  private var maximumBody = 0
  private var isKnown = false

  private init(_ server: HTTPServer, _ target: String, _ descriptor: Int32) {
    (self.server, self.descriptor) = (server, descriptor)
    request = HTTPRequest(target: target)
  }

  /// Begins an exchange, which the library keeps alive until it calls `end`.
  static func begin(
    _ server: HTTPServer,
    target: String,
    descriptor: Int32,
  ) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(HTTPExchange(server, target, descriptor)).toOpaque()
  }

  static func end(_ pointer: UnsafeMutableRawPointer) {
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    let (server, descriptor) = (exchange.server, exchange.descriptor)
    let limits = server.limits
    server.connections.allow(limits.requestTime, stranger: limits.strangerHeadTime, descriptor)
  }

  /// Reads the headers; a request that they refuse is answered before its body is read.
  func takeHead(
    _ connection: UnsafeMutableRawPointer,
    method: String,
    version: UnsafePointer<CChar>,
  ) -> Bool {
    request.method = method
    let isSound = withUnsafeMutablePointer(to: &request.headers) { headers in
      cmicrohttpd_headers(connection, version, headers) { headers, name, value in
        headers.assumingMemoryBound(to: HTTPHeaders.self).pointee
          .add(String(cString: name), String(cString: value))
      }
    }
    if let peer = cmicrohttpd_peer(connection) {
      request.peer = NetworkAddress(socketAddress: peer)
    }
    if let refusal = isSound ? refusal() : .malformed { return send(refusal.closing, connection) }
    let limits = server.limits
    server.connections.allow(limits.requestTime, stranger: limits.strangerBodyTime, descriptor)
    return true
  }

  private func refusal() -> HTTPAnswer? {
    if let refusal = request.refusalOfForm { return refusal }
    noteToken()
    maximumBody = server.service.maximumBody(request)
    if let refusal = server.service.refusal(request) { return refusal }
    guard let length = request.contentLength, length > maximumBody else { return nil }
    return .tooLarge(maximumBody)
  }

  /// Keeps a piece of the body, within the limit on its bytes.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard request.body.count + bytes.count <= maximumBody else { return false }
    request.body += bytes
    return true
  }

  /// Answers a whole request; a client that has not logged in keeps no connection afterwards.
  func finish(_ connection: UnsafeMutableRawPointer) -> Bool {
    noteToken()
    server.connections.allow(nil, descriptor)
    let answer = server.service.answer(request)
    return send(isKnown ? answer : answer.closing, connection)
  }

  /// Keeps the connection's place from now on if the request has shown a valid token.
  private func noteToken() {
    guard !isKnown, server.service.isKnown(request) else { return }
    isKnown = true
    server.connections.noteKnown(descriptor)
  }

  private func send(_ answer: HTTPAnswer, _ connection: UnsafeMutableRawPointer) -> Bool {
    let answer = answer.compressed(for: request)
    server.connections.allow(server.limits.answerTime, descriptor)
    let texts: [String] = answer.headers.flatMap { [$0.name, $0.value] }
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var headers: [UnsafePointer<CChar>?] = copies.map { copy in copy.map { UnsafePointer($0) } }
    headers.append(nil)
    return answer.body.withUnsafeBytes { body in
      // The library copies the bytes; without any it still needs an address.
      withUnsafePointer(to: 0) { empty in
        let bytes = body.baseAddress ?? UnsafeRawPointer(empty)
        return cmicrohttpd_answer(connection, UInt32(answer.status), bytes, body.count, headers)
      }
    }
  }
}
