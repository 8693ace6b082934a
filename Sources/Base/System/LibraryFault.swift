/// A library that is loaded on first use, or a program that is run.
package enum LoadedLibrary: CaseIterable, Codable, Hashable, Sendable {
  case curl, xml2, zlib, pcre2, sqlite, idn2, microhttpd, crypt
  case chafa, notifySend, mpv, xdgOpen, crontab

  package var name: String { facts.name }

  /// The name, Debian's package, and the use: a clause that also says what does without it.
  fileprivate var facts: (name: String, package: String, need: String) {
    switch self {
    case .curl: ("libcurl", "libcurl4", "http and https need it, files do not")
    case .xml2: ("libxml2", "libxml2", "XML needs it, JSON does not")
    case .zlib: ("zlib", "zlib1g", "compressed documents need it, others do not")
    case .pcre2: ("PCRE2", "libpcre2-8-0", "expressions need it, words do not")
    case .sqlite: ("SQLite", "libsqlite3-0", "databases of other readers need it, OPML does not")
    case .idn2: ("libidn2", "libidn2-0", "hosts that are not in ASCII need it, others do not")
    case .microhttpd: ("libmicrohttpd", "libmicrohttpd12", "serving needs it, nothing else does")
    case .crypt: ("libcrypt", "libcrypt1", "passwords for apps need it, nothing else does")
    case .chafa: ("chafa", "chafa", "pictures need it, texts do not")
    case .notifySend: ("notify-send", "libnotify-bin", "notices need it, fetching does not")
    case .mpv: ("mpv", "mpv", "playing needs it, or a player that NEWS_PLAYER names")
    case .xdgOpen: ("xdg-open", "xdg-utils", "--browser needs it, or a browser that BROWSER names")
    case .crontab: ("crontab", "cron", "background fetches need it, or a systemd for users")
    }
  }
}

package struct LibraryFault: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  package let library: LoadedLibrary
  package let reason: String

  package init(_ library: LoadedLibrary, _ reason: String = "no such file in PATH") {
    (self.library, self.reason) = (library, reason)
  }

  /// Takes what the loader of a library says; nil where that is nothing.
  package init?(_ library: LoadedLibrary, loading reason: UnsafePointer<CChar>?) {
    guard let reason else { return nil }
    self.init(library, String(cString: reason))
  }

  private var isExhaustion: Bool {
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
    return "\(library.name) \(fault), and \(library.facts.need): \(SafeText.line(reason))"
  }

  package var advice: String {
    if isExhaustion { return Self.freeResources }
    // Installing also replaces a damaged library, or one for another machine.
    // What is built with libxml2 2.14 or later loads that alone.
    let package = reason.contains("libxml2.so.16") ? "libxml2-16" : library.facts.package
    let way = access("/usr/bin/apt-get", X_OK) == 0 ? "apt-get install" : "Debian's"
    return "install it: \(way) \(package), or the like"
  }

  package static let freeResources =
    "end other programs, or allow more open files (ulimit -n) or memory (ulimit -v)"

  /// The fault with the remedy, for a command that ends with it.
  package var sentence: String { "\(self); \(advice)" }
}
