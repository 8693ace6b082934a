internal import CCurl

/// libcurl itself, loaded on first use.
enum CurlLibrary {
  /// Loads it; throws `libraryMissing`.
  static func load() throws(FetchError) {
    if let reason = ccurl_load() { throw .libraryMissing(String(cString: reason)) }
  }

  /// Whether a transfer can be removed without waiting for its name to be looked up (7.87).
  static var removesWithoutWaiting: Bool {
    ccurl_version() >= 0x07_57_00
  }

  /// For tests: the reason for which none of `names` can be used, or nil.
  static func reasonAgainst(_ names: [String]) -> String? {
    let copies = names.map { strings in Array(strings.utf8CString) }
    return withPointers(to: copies[...], []) { pointers in
      ccurl_try(pointers, pointers.count).map { String(cString: $0) }
    }
  }

  private static func withPointers<R>(
    to strings: ArraySlice<[CChar]>,
    _ pointers: [UnsafePointer<CChar>?],
    _ body: ([UnsafePointer<CChar>?]) -> R,
  ) -> R {
    guard let first = strings.first else { return body(pointers) }
    return first.withUnsafeBufferPointer { buffer in
      withPointers(to: strings.dropFirst(), pointers + [buffer.baseAddress], body)
    }
  }
}

/// The libcurl that is found here.
package enum CurlVersion {
  /// Its version, such as `7.88.1`; throws `libraryMissing` where there is none.
  package static func text() throws(FetchError) -> String {
    try CurlLibrary.load()
    let number = ccurl_version()
    return [number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff].map(String.init)
      .joined(separator: ".")
  }
}
