internal import CCurl

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
