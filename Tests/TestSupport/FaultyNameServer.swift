/// A name server on 127.0.0.1 that gives the test's answers, above all lies.
///
/// It has port 53, where resolvers look for it, and so needs a `NetworkNamespace`.
package final class FaultyNameServer: Sendable {
  private let socketDescriptor: Int32
  private let state: FaultyServerState
  private let serving: TestThread

  /// Starts it; for each question `answer` is called on its thread with a name in lower case.
  package init(_ answer: @escaping @Sendable (String) -> NameAnswer) throws {
    let descriptor = socket(AF_INET, testDatagramSocket, 0)
    guard descriptor >= 0 else { throw POSIXFailure("socket", "") }
    closeOnExec(descriptor)
    _ = try bind(descriptor, port: 53)
    let state = try FaultyServerState { _ in FaultyAnswer([]) }
    serving = try TestThread {
      while waitForReading(descriptor, orStop: state.stopDescriptor) {
        Self.serve(descriptor, answer)
      }
    }
    socketDescriptor = descriptor
    self.state = state
  }

  deinit {
    state.stop()
    serving.join()
    close(socketDescriptor)
  }

  private static func serve(_ descriptor: Int32, _ answer: (String) -> NameAnswer) {
    var packet = [UInt8](repeating: 0, count: 4_096)
    var sender = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &sender) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
        let count = recvfrom(descriptor, &packet, packet.count, 0, sender, &length)
        guard count > 0, let question = NameQuestion(Array(packet[..<count])),
          let reply = answer(question.name).reply(to: question)
        else { return }
        sendto(descriptor, reply, reply.count, 0, sender, length)
      }
    }
  }
}

package enum NameAnswer: Sendable {
  /// The numeric IPv4 and IPv6 addresses, of which those of the asked family are sent.
  case addresses([String])
  /// A response code: 2 failure, 3 no such name, 5 refused.
  case code(UInt8)
  case silence
  /// The beginning of an answer with an address, marked as truncated.
  ///
  /// The resolver is to ask again by TCP, where nobody listens.
  case truncated
  /// An answer that ends in the middle of its address.
  case cut
  /// An answer to another question.
  case stray
  /// An answer by which the name is another name for itself.
  case circle
  case noise

  fileprivate func reply(to question: NameQuestion) -> [UInt8]? {
    switch self {
    case .addresses(let addresses):
      let records = addresses.compactMap { Self.record($0, question.type) }
      return question.head(answers: records.count) + records.flatMap(\.self)
    case .code(let code): return question.head(code: code, answers: 0)
    case .silence: return nil
    case .truncated: return question.head(flags: 0x83, answers: 0)
    case .cut:
      let whole = NameAnswer.addresses(["127.0.0.1", "::1"]).reply(to: question)
      return whole.map { Array($0.dropLast(2)) }
    case .stray:
      let whole = NameAnswer.addresses(["127.0.0.1", "::1"]).reply(to: question)
      return whole.map { [$0[0] ^ 0xFF] + $0.dropFirst() }
    case .circle:
      return question.head(answers: 1) + Self.record(type: 5, data: [0xC0, 0x0C])
    case .noise: return Array("220 this is another service\r\n".utf8)
    }
  }

  private static func record(_ address: String, _ type: UInt8) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let isIPv6 = address.contains(":")
    guard type == (isIPv6 ? 28 : 1),
      inet_pton(isIPv6 ? AF_INET6 : AF_INET, address, &bytes) == 1
    else { return nil }
    return record(type: type, data: isIPv6 ? bytes : Array(bytes[..<4]))
  }

  /// Returns a record about the name of the question, valid for no time.
  private static func record(type: UInt8, data: [UInt8]) -> [UInt8] {
    [0xC0, 0x0C, 0, type, 0, 1, 0, 0, 0, 0, 0, UInt8(data.count)] + data
  }
}

private struct NameQuestion {
  private let identifier: [UInt8]
  private let bytes: [UInt8]
  let name: String
  /// The type of the record: 1 for IPv4, 28 for IPv6.
  let type: UInt8

  init?(_ packet: [UInt8]) {
    var labels: [String] = []
    var place = 12
    while place < packet.count, packet[place] > 0 {
      let end = place + 1 + Int(packet[place])
      guard end < packet.count else { return nil }
      labels.append(String(decoding: packet[(place + 1)..<end], as: UTF8.self).lowercased())
      place = end
    }
    guard place + 5 <= packet.count else { return nil }
    name = labels.joined(separator: ".")
    identifier = Array(packet[..<2])
    bytes = Array(packet[12..<(place + 5)])
    type = packet[place + 2]
  }

  func head(flags: UInt8 = 0x81, code: UInt8 = 0, answers: Int) -> [UInt8] {
    identifier + [flags, 0x80 | code, 0, 1, 0, UInt8(answers), 0, 0, 0, 0] + bytes
  }
}
