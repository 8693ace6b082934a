/// A library that is loaded on first use.
package enum LoadedLibrary: CaseIterable, Codable, Hashable, Sendable {
  case curl, xml2, zlib, pcre2, sqlite, idn2, microhttpd, crypt

  package var name: String {
    switch self {
    case .curl: "libcurl"
    case .xml2: "libxml2"
    case .zlib: "zlib"
    case .pcre2: "PCRE2"
    case .sqlite: "SQLite"
    case .idn2: "libidn2"
    case .microhttpd: "libmicrohttpd"
    case .crypt: "libcrypt"
    }
  }

  package var package: String {
    switch self {
    case .curl: "libcurl4"
    case .xml2: "libxml2"
    case .zlib: "zlib1g"
    case .pcre2: "libpcre2-8-0"
    case .sqlite: "libsqlite3-0"
    case .idn2: "libidn2-0"
    case .microhttpd: "libmicrohttpd12"
    case .crypt: "libcrypt1"
    }
  }

  fileprivate var need: String {
    switch self {
    case .curl: "http and https need it"
    case .xml2: "XML needs it"
    case .zlib: "compressed documents need it"
    case .pcre2: "expressions need it"
    case .sqlite: "reading this file needs it"
    case .idn2: "hosts that are not in ASCII need it"
    case .microhttpd: "serving needs it"
    case .crypt: "passwords for apps need it"
    }
  }
}

package struct LibraryFault: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  package let library: LoadedLibrary
  package let reason: String

  package init(_ library: LoadedLibrary, _ reason: String) {
    (self.library, self.reason) = (library, reason)
  }

  package var isExhaustion: Bool {
    // A mapping fails for want of memory or address space; the loader does not say which.
    ["too many open files", "allocate memory", "out of memory", "failed to map"].contains(
      where: reason.lowercased().contains
    )
  }

  private var isMissing: Bool {
    ["no such file", "too old"].contains(where: reason.lowercased().contains)
  }

  package var description: String {
    let fault = isMissing ? "is not installed" : "could not be loaded"
    return "\(library.name) \(fault), and \(library.need): \(SafeText.line(reason))"
  }
}
