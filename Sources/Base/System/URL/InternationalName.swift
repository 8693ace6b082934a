internal import CIDN2

/// International names of hosts in ASCII, as in browsers (UTS #46, IDNA 2008); libcurl's depend on
/// the locale.
package enum InternationalName {
  package static var fault: LibraryFault? {
    LibraryFault(.idn2, loading: cidn2_load())
  }

  package static func version() throws(LibraryFault) -> String {
    if let fault { throw fault }
    return cidn2_version().map { String(cString: $0) } ?? ""
  }

  private static let maximumBytes = 1_012

  /// Returns the host in lower case, with its labels mapped and, where they are not ASCII, encoded.
  ///
  /// Nil where it cannot be a name, and without libidn2.
  static func ascii(host: some StringProtocol) -> String? {
    guard host.utf8.count <= maximumBytes, !host.utf8.contains(0), fault == nil else { return nil }
    let host = String(host)
    if let ascii = ascii(host, isTransitional: false) { return ascii }
    return host.unicodeScalars.contains(where: isDeviation)
      ? nil : ascii(host, isTransitional: true)
  }

  /// Returns true for characters that have another meaning in transitional processing (UTS #46 §7).
  ///
  /// Of names without them libidn2 takes there what UTS #46 allows and IDNA 2008 does not, such as
  /// emoji.
  private static func isDeviation(_ scalar: Unicode.Scalar) -> Bool {
    ["\u{DF}", "\u{1E9E}", "\u{3C2}", "\u{200C}", "\u{200D}"].contains(scalar)
  }

  private static func ascii(_ host: String, isTransitional: Bool) -> String? {
    guard let name = host.withCString({ cidn2_ascii($0, isTransitional) }) else { return nil }
    defer { cidn2_free(name) }
    return String(cString: name)
  }

  /// Returns the reason that an international URL cannot be read; nil for all other URLs.
  package static func fault(of url: String) -> LibraryFault? {
    let authority = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
      .dropFirst().first?.prefix { !"/?#".contains($0) }
    guard let authority, authority.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    return fault
  }
}
