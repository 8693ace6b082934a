/// The host and port of an authority, in the spelling that every client understands.
package struct Host {
  /// Lower case, ASCII; an IPv6 address with its brackets.
  package let name: String
  package let port: String?

  var text: String {
    port.map { "\(name):\($0)" } ?? name
  }

  func text(forScheme scheme: String?) -> String {
    port == (scheme == "https" ? "443" : "80") ? name : text
  }

  /// Fails for an authority without a host, and for a host that no client could ask.
  init?(authority: Substring) {
    let hostPort = authority.utf8.lastIndex(of: 0x40).map(authority.after) ?? authority
    let end = Self.endOfName(in: hostPort)
    guard let name = Self.normalized(hostPort[..<end]) else { return nil }
    self.name = name
    let rest = hostPort[end...].utf8
    guard rest.isEmpty || rest.first == 0x3A else { return nil }
    let port = Substring(rest.dropFirst())
    guard !port.isEmpty else {
      self.port = nil
      return
    }
    guard port.utf8.allSatisfy(\.isASCIIDigit), let number = UInt16(port) else {
      return nil
    }
    self.port = String(number)
  }

  private static func endOfName(in hostPort: Substring) -> Substring.Index {
    if hostPort.utf8.first == bracket, let close = hostPort.firstIndex(ofByte: 0x5D) {
      return hostPort.utf8.index(after: close)
    }
    return hostPort.firstIndex(ofByte: 0x3A) ?? hostPort.endIndex
  }

  private static func normalized(_ name: Substring) -> String? {
    if name.utf8.first == bracket {
      return isAddress(name.dropFirst().dropLast()) ? name.lowercased() : nil
    }
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    let ascii = isASCII ? name.lowercased() : InternationalName.ascii(host: name)
    guard let ascii, ascii.utf8.allSatisfy(isNamePart),
      ascii.utf8.contains(where: \.isASCIILetterOrDigit)
    else { return nil }
    return ascii
  }

  private static let bracket: UInt8 = 0x5B

  private static func isAddress(_ text: Substring) -> Bool {
    text.utf8.contains(0x3A)
      && text.utf8.allSatisfy {
        (0x30...0x3A).contains($0) || (0x61...0x66).contains($0 | 0x20) || $0 == WebURL.dot
      }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == 0x2D || byte == WebURL.dot || byte == 0x5F
  }
}
