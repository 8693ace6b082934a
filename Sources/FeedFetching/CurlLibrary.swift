internal import CCurl

/// libcurl itself, loaded on first use.
enum CurlLibrary {
  /// Loads it; throws `libraryMissing`.
  static func load() throws(FetchError) {
    if let reason = ccurl_load() { throw .libraryMissing(String(cString: reason)) }
  }

  /// Whether a transfer can be removed without waiting for its name to be looked up (7.87).
  static var removesWithoutWaiting: Bool {
    version >= 0x07_57_00
  }

  /// For tests: the reason for which a library of that name cannot be libcurl, or nil.
  static func reasonAgainst(_ name: String) -> String? {
    ccurl_try(name).map { String(cString: $0) }
  }

  static var version: UInt32 { ccurl_version_info(0).pointee.version_num }
}

/// The libcurl that is found here.
package enum CurlVersion {
  /// Its version, such as `7.88.1`; throws `libraryMissing` where there is none.
  package static func text() throws(FetchError) -> String {
    try CurlLibrary.load()
    let number = CurlLibrary.version
    return [number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff].map(String.init)
      .joined(separator: ".")
  }
}
