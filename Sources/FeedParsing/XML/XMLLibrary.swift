internal import CLibXML2

/// libxml2 itself, loaded on first use.
enum XMLLibrary {
  /// Loads it; throws `libraryMissing`.
  static func load() throws(FeedParsingError) {
    if let reason = clibxml2_load() { throw .libraryMissing(String(cString: reason)) }
  }
}
