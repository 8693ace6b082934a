import CommandLine

package enum FeedSource: Hashable, Sendable {
  /// An address, and another one where the word leaves the scheme open.
  case web(String, orElse: String? = nil)
  /// An absolute path.
  case file(String)
  case command(String)

  package var url: String {
    switch self {
    case .web(let url, _): url
    case .file(let path): LocalPath.fileURL(path)
    case .command(let line): CommandURL.url(line)
    }
  }

  /// Returns the source that `word` names: a pasted URL, an existing file, or a host without scheme.
  ///
  /// Relative paths start in `folder`; `kind` says what is at an absolute path.
  static func read(
    _ word: String,
    in folder: String?,
    kind: (String) -> FileStatus.Kind?,
  ) throws -> FeedSource {
    guard !word.isEmpty else { throw Failure("a feed name cannot be empty") }
    let address = PastedAddress(word)
    if let alternative = address.alternative, WebURL.host(of: alternative) != nil {
      return .web(address.url, orElse: alternative)
    }
    if let source = try url(address.url) { return source }
    if let path = LocalPath.absolute(word, in: folder), let kind = kind(path) {
      guard kind != .folder else { throw Failure("\(Spelling.quoted(word)): is a directory") }
      return .file(path)
    }
    let exists = { name in LocalPath.absolute(name, in: folder).flatMap(kind) != nil }
    if let url = hostURL(address.url, unless: exists) { return .web(url) }
    throw Failure("\(Spelling.quoted(word)): no such file, and not a URL")
  }

  private static func url(_ word: String) throws -> FeedSource? {
    guard let colon = word.firstIndex(of: ":"), isScheme(word[..<colon]) else { return nil }
    let rest = word[word.index(after: colon)...]
    switch word[..<colon].lowercased() {
    case "http", "https":
      guard rest.hasPrefix("//"), rest.count > 2 else { break }
      return .web(word)
    case "file":
      guard let path = LocalPath.path(ofFileURL: word) else { break }
      return .file(LocalPath.normalized(path))
    case "exec":
      throw Failure("\(Spelling.quoted(word)): say it so: news subscribe --command COMMAND")
    default:
      // A port, as in localhost:8080/feed, is no scheme.
      if rest.first?.isNumber == true { return .web("http://" + word) }
      throw Failure("\(Spelling.quoted(word)): only http, https and files can be followed")
    }
    throw Failure("\(Spelling.quoted(word)): not a URL")
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  /// Returns the URL of a host without its scheme, as in `host/feed.xml` or `127.0.0.1:8080/feed`.
  ///
  /// nil for what ends like a file, and for a name without a dot that is one of this folder.
  private static func hostURL(_ word: String, unless exists: (String) -> Bool) -> String? {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, port) = (place[0], place.dropFirst().first)
    guard let first = name.first, first != ".", name.last != ".",
      name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }),
      port?.isEmpty != true, port?.allSatisfy(\.isNumber) != false
    else { return nil }
    if parts.count == 1, port == nil {
      let endings = [".xml", ".rss", ".atom", ".rdf", ".json", ".opml", ".txt"]
      guard !endings.contains(where: word.lowercased().hasSuffix) else { return nil }
    }
    guard name.contains(".") || parts.count == 2 && !exists(String(name)) else { return nil }
    let isBare = port != nil || !name.contains(where: \.isLetter)
    return (isBare ? "http://" : "https://") + word
  }
}

extension CommandContext {
  package func source(_ word: String) throws -> FeedSource {
    try .read(word, in: environment.currentFolder(), kind: { FileStatus(at: $0)?.kind })
  }

  package func source(_ word: String, command: String?) throws -> FeedSource {
    guard let command else { return try source(word) }
    return .command(command)
  }
}
