extension WebURL {
  /// Returns the URL with the text before the `@` masked.
  ///
  /// A password with a slash, a question mark or a number sign in it, which should have been
  /// escaped, is masked too: behind the first colon of a host stands a port, or it is no host.
  package static func redacted(_ url: String) -> String {
    // PERF: nearly no URL has one; a list asks for each story.
    let hasAccount = url.utf8.withContiguousStorageIfAvailable { $0.contains(0x40) } ?? true
    guard hasAccount, let scheme = schemeEnd(of: url) else { return url }
    return redacted(url, from: scheme)
  }

  /// Masks the password of a word that may be a URL, or one without its scheme:
  /// `user:password@host/feed`.
  package static func redacted(word: String) -> String {
    if let scheme = schemeEnd(of: word) { return redacted(word, from: scheme) }
    let masked = redacted(word, from: word.startIndex)
    // An address without a colon before its `@` has no password.
    return word.utf8.prefix { $0 != 0x40 }.contains(0x3A) ? masked : word
  }

  /// The index behind `://`, which may follow other text, as in `--feed=https://…`.
  private static func schemeEnd(of url: String) -> String.Index? {
    var rest = url[...]
    while let colon = rest.firstIndex(ofByte: 0x3A) {
      let start = url.utf8.index(after: colon)
      if url.utf8[colon...].starts(with: "://".utf8) { return url.utf8.index(start, offsetBy: 2) }
      rest = url[start...]
    }
    return nil
  }

  private static func redacted(_ url: String, from start: String.Index) -> String {
    guard let at = accountEnd(of: url, from: start) else { return url }
    return url[..<start] + "***" + url[at...]
  }

  package static func withoutAccount(_ url: String) -> String {
    guard let start = schemeEnd(of: url), let at = accountEnd(of: url, from: start) else {
      return url
    }
    return String(url[..<start] + url[url.utf8.index(after: at)...])
  }

  /// Removes a password together with its user name.
  package static func withoutPassword(_ url: String) -> String {
    guard let start = schemeEnd(of: url), let at = accountEnd(of: url, from: start),
      url.utf8[start..<at].contains(0x3A)
    else { return url }
    return withoutAccount(url)
  }

  package static func adding(account: String, to url: String) -> String {
    guard let start = schemeEnd(of: url) else { return url }
    return url[..<start] + account + "@" + url[start...]
  }

  private static func accountEnd(of url: String, from start: String.Index) -> String.Index? {
    let rest = url.utf8[start...]
    let authority = rest.prefix { ![0x2F, 0x3F, 0x23, 0x5C].contains($0) }
    return authority.lastIndex(of: 0x40) ?? endOfBadAccount(authority, in: rest)
  }

  /// The end of an account that goes on behind `authority`; nil for a host with a port.
  private static func endOfBadAccount(
    _ authority: Substring.UTF8View,
    in rest: Substring.UTF8View,
  ) -> String.Index? {
    guard authority.first != 0x5B, let colon = authority.firstIndex(of: 0x3A) else { return nil }
    let port = authority[colon...].dropFirst()
    return port.allSatisfy(\.isASCIIDigit) ? nil : rest.lastIndex(of: 0x40)
  }
}

extension WebURL {
  package static func printable(_ url: String) -> String {
    SafeText.line(LocalPath.path(ofFileURL: url) ?? redacted(url))
  }
}
