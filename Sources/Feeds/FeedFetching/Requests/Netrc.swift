import System

/// The users and passwords of `~/.netrc` by host (netrc(5)).
///
/// Its `default` entry is not read: a feed's URL may come from anybody, and so may its host.
struct Netrc: Hashable, Sendable {
  private(set) var entries: [NetrcEntry] = []

  private static let maximumBytes = 1 << 20

  /// Reads a file; one that is not there or cannot be read has no entries.
  init(path: String?) {
    let bytes = path.flatMap { try? POSIX.readFile($0, maximumBytes: Self.maximumBytes) }
    self.init(String(decoding: bytes ?? [], as: UTF8.self))
  }

  init(_ text: String) {
    var words = NetrcWords(text)
    var entry: NetrcEntry?
    func end() { if let entry, !entry.host.isEmpty { entries.append(entry) } }
    while let word = words.next() {
      switch word {
      case "machine", "default":
        end()
        entry = NetrcEntry(host: word == "machine" ? words.next()?.lowercased() ?? "" : "")
      case "login": entry?.user = words.next() ?? ""
      case "password": entry?.password = words.next() ?? ""
      case "account": _ = words.next()
      case "macdef": words.skipParagraph()
      default: break
      }
    }
    end()
  }

  func entries(for host: String) -> [NetrcEntry] {
    let host = host.filter { $0 != "[" && $0 != "]" }
    return entries.filter { $0.host == host }
  }
}

struct NetrcEntry: Hashable, Sendable {
  var host: String
  var user = ""
  var password = ""
}

extension [NetrcEntry] {
  func entry(of user: String?) -> NetrcEntry? {
    first { user == nil || $0.user == user }
  }
}

private struct NetrcWords {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) {
    rest = text[...].unicodeScalars
  }

  /// Returns the next word outside of comments, which begin with a `#`; nil at the end.
  mutating func next() -> String? {
    while true {
      rest = rest.drop { Self.isSpace($0) }
      guard rest.first == "#" else { break }
      rest = rest.drop { $0 != "\n" }
    }
    guard rest.first == "\"" else {
      let word = rest.prefix { !Self.isSpace($0) }
      rest = rest[word.endIndex...]
      return word.isEmpty ? nil : String(word)
    }
    rest.removeFirst()
    return quoted()
  }

  private mutating func quoted() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      guard scalar == "\\" else {
        word.append(scalar)
        continue
      }
      let escaped = rest.popFirst() ?? "\\"
      word.append(["n": "\n", "r": "\r", "t": "\t"][escaped] ?? escaped)
    }
    return String(word)
  }

  /// Skips the commands of a macro, which end with an empty line.
  mutating func skipParagraph() {
    var line = rest.prefix { $0 != "\n" }
    while !line.isEmpty {
      rest = rest[line.endIndex...].dropFirst()
      line = rest.prefix { $0 != "\n" }
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    [" ", "\t", "\n", "\r"].contains(scalar)
  }
}
