internal import CLibXML2

/// The libxml2 that is found here.
package enum XMLVersion {
  /// Its version, such as `2.9.14`; throws `libraryMissing` where there is none.
  package static func text() throws(FeedParsingError) -> String {
    try XMLLibrary.load()
    // `20914`, and what a distributor adds behind it.
    let number = String(cString: clibxml2_version()).prefix { $0.isNumber }
    guard let version = Int(number) else { return String(number) }
    return [version / 10_000, version / 100 % 100, version % 100].map(String.init)
      .joined(separator: ".")
  }
}
