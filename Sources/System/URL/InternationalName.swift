internal import CIDN2

/// International names of hosts in ASCII, as browsers have them (UTS #46, IDNA 2008): libcurl depends on
/// the locale for them.
package enum InternationalName {
  /// Why libidn2 cannot be used; nil where it can.
  package static var fault: LibraryFault? {
    cidn2_load().map { LibraryFault(.idn2, String(cString: $0)) }
  }

  /// The version of libidn2, or why there is none.
  package static func version() throws(LibraryFault) -> String {
    if let fault { throw fault }
    return cidn2_version().map { String(cString: $0) } ?? ""
  }

  /// Bytes of UTF-8, more than any name of 253 characters has.
  private static let maximumBytes = 1_012

  /// The host with its labels mapped, in lower case and, where they are not ASCII, encoded; nil where
  /// it cannot be a name, and without libidn2.
  static func ascii(host: some StringProtocol) -> String? {
    guard host.utf8.count <= maximumBytes, !host.utf8.contains(0), fault == nil else { return nil }
    let host = String(host)
    if let ascii = ascii(host, isTransitional: false) { return ascii }
    return host.unicodeScalars.contains(where: isDeviation)
      ? nil : ascii(host, isTransitional: true)
  }

  /// Whether it makes another name in the transitional way (UTS #46 §7).
  ///
  /// Of names without one libidn2 takes there what UTS #46 allows and IDNA 2008 does not, such as emoji.
  private static func isDeviation(_ scalar: Unicode.Scalar) -> Bool {
    ["\u{DF}", "\u{1E9E}", "\u{3C2}", "\u{200C}", "\u{200D}"].contains(scalar)
  }

  private static func ascii(_ host: String, isTransitional: Bool) -> String? {
    guard let name = host.withCString({ cidn2_ascii($0, isTransitional) }) else { return nil }
    defer { cidn2_free(name) }
    return String(cString: name)
  }

  /// Why a URL is none on this machine alone: its host is not ASCII, and libidn2 cannot be used.
  package static func fault(of url: String) -> LibraryFault? {
    let authority = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
      .dropFirst().first?.prefix { !"/?#".contains($0) }
    guard let authority, authority.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    return fault
  }
}
