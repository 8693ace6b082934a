package import System

/// The proxies that environment variables name, read as libcurl reads them.
///
/// Libcurl is told the result: other rules on private networks hold for a proxy than for a server.
package struct ProxySettings: Hashable, Sendable {
  private var proxies: [String: String] = [:]
  private var direct = ""

  package static let none = ProxySettings()

  private init() {}

  package init(_ url: String) {
    proxies["all"] = url
  }

  /// Reads the variables; `http_proxy` in lower case only, since servers set `HTTP_PROXY` from a
  /// header of a request.
  package init(variable: (String) -> String?) {
    for name in ["http", "https", "all"] {
      let variables = ["\(name)_proxy"] + (name == "http" ? [] : ["\(name.uppercased())_PROXY"])
      proxies[name] = variables.compactMap(variable).first { !$0.isEmpty }
    }
    direct = ["no_proxy", "NO_PROXY"].compactMap(variable).first { !$0.isEmpty } ?? ""
  }

  func proxy(for url: HTTPURL) -> String? {
    guard let proxy = proxies[url.isSecure ? "https" : "http"] ?? proxies["all"] else { return nil }
    return isDirect(url.host) ? nil : proxy
  }

  /// Returns true if `no_proxy` names a host: by `*`, by its name or the end of it, by its address
  /// or the beginning of it (`10.0.0.0/8`).
  private func isDirect(_ host: String) -> Bool {
    let name = host.filter { $0 != "[" && $0 != "]" }
    let address = PrivateAddress.bytes(name)
    return direct.split { $0 == "," || $0.isWhitespace }.contains { entry in
      if entry == "*" { return true }
      if let address { return Self.network(entry.filter { $0 != "[" && $0 != "]" }, has: address) }
      let end = Self.dotted(entry.lowercased().drop { $0 == "." })
      return !end.isEmpty && ("." + Self.dotted(name[...])).hasSuffix("." + end)
    }
  }

  private static func dotted(_ name: Substring) -> Substring {
    name.last == "." ? name.dropLast() : name
  }

  private static func network(_ entry: String, has address: [UInt8]) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let network = PrivateAddress.bytes(String(first)),
      network.count == address.count
    else { return false }
    let length = 8 * address.count
    guard let bits = parts.count == 2 ? Int(parts[1]) : length, (0...length).contains(bits) else {
      return false
    }
    return (0..<bits).allSatisfy { bit in
      let mask: UInt8 = 0x80 >> UInt8(bit % 8)
      return network[bit / 8] & mask == address[bit / 8] & mask
    }
  }
}

extension ProxySettings: RecordValue {
  package static let blank = none

  package mutating func code<Coder: RecordCoder>(with coder: inout Coder) {
    coder.code(&proxies) { $0.code(&$1, .own) }
    coder.code(&direct, .own)
  }
}
