import FeedModel
import System

enum LinkReference {
  /// Returns the absolute URL of a reference, or nil for other schemes, junk and nothing.
  ///
  /// A relative reference without a known base is returned as it stands, and `isUnresolved` is set.
  static func url(
    _ reference: String,
    against base: @autoclosure () -> String?,
    isUnresolved: inout Bool,
  ) -> String? {
    // Without a colon there is no scheme, and only a base makes something of it.
    if reference.utf8.contains(UInt8(ascii: ":")),
      let url = WebURL.resolve(reference, against: nil)
    {
      return url
    }
    let base = base()
    if let base, let url = WebURL.resolve(reference, against: base) { return url }
    guard base.map({ WebURL.host(of: $0) == nil }) ?? true else { return nil }
    let text = SafeText.line(reference)
    guard WebURL.isRelative(text) else { return nil }
    isUnresolved = true
    return text
  }

  static func url(_ reference: String, against base: @autoclosure () -> String?) -> String? {
    var isUnresolved = false
    return url(reference, against: base(), isUnresolved: &isUnresolved)
  }

  static func isUnresolved(_ link: some Collection<UInt8>) -> Bool {
    !link.isEmpty && !link.starts(with: plain) && !link.starts(with: secure)
  }

  // PERF: bytes, which are compared in half the time of strings.
  private static let plain = Array("http://".utf8)
  private static let secure = Array("https://".utf8)
}

/// The relation of a feed's link (RFC 4287 §4.2.7.2).
enum LinkRelation: Hashable, Sendable {
  case alternate
  case enclosure
  case itself
  /// Comments on a story, as a page or as a feed (RFC 4685 §4).
  case replies
  case page(RelatedFile.Role)
  /// Older stories: the archive before this document, or the next of its pages (RFC 5005).
  case older(isArchive: Bool)
  case other

  /// - Parameter rel: A word, or that word in IANA's registry; nil means `alternate`.
  init(_ rel: UnsafeBufferPointer<UInt8>?) {
    guard let rel, !rel.isEmpty, !rel.isEqual(ignoringCase: "alternate") else {
      self = .alternate
      return
    }
    // "http://www.iana.org/assignments/relation/alternate" and ".../link-relations/#alternate".
    let start = rel.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }
    let word = UnsafeBufferPointer(rebasing: rel[(start.map { $0 + 1 } ?? 0)...])
    self = Self.words.first { word.isEqual(ignoringCase: $0.word) }?.relation ?? .other
  }

  private static let words: [(word: StaticString, relation: LinkRelation)] = [
    ("alternate", .alternate), ("enclosure", .enclosure), ("self", .itself), ("replies", .replies),
    ("related", .page(.related)), ("via", .page(.via)), ("external", .page(.external)),
    ("next", .older(isArchive: false)), ("prev-archive", .older(isArchive: true)),
  ]
}
