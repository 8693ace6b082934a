/// A feed that a web page announces.
package struct AnnouncedFeed: Hashable, Sendable {
  /// A reason to take it for a feed, the surest first.
  package enum Evidence: Int, Hashable, Sendable, CaseIterable {
    /// A `Link` field of the answer (RFC 8288).
    case header
    /// A `link` element with a feed's type.
    case element
    /// A link in the text with such a type.
    case typedLink
    /// A link in the text to an address as feeds have it.
    case address
    /// A link in the text that is called RSS or Atom.
    case name

    /// Says that the page calls it a feed in words for programs.
    package var isSure: Bool { self == .header || self == .element }

    /// A number that is the same for those that count alike.
    fileprivate var rank: Int { isSure ? 0 : self == .typedLink ? 1 : 2 }
  }

  /// Absolute, http or https.
  package var url: String
  package var title: String?
  /// The media type as announced.
  package var type: String?
  package var evidence: Evidence

  package init(
    url: String,
    title: String? = nil,
    type: String? = nil,
    evidence: Evidence = .element,
  ) {
    self.url = url
    self.title = title
    self.type = type
    self.evidence = evidence
  }

  /// Says that it is plainly one of readers' comments, as WordPress and Blogger announce beside a
  /// blog's.
  package var isOfComments: Bool {
    let parts = url.lowercased().split(whereSeparator: { "/?=&.".contains($0) })
    if parts.contains(where: { $0 == "comments" || $0.hasPrefix("comments-") }) { return true }
    // WordPress names them in the language of the blog, in an address as the blog's.
    let words = (title ?? "").lowercased().split { !$0.isLetter }
    return words.contains { word in Self.comments.contains { word.hasPrefix($0) } }
      && !words.contains { $0.hasPrefix("commentary") }
  }

  private static let comments = [
    "comments", "commentaire", "kommentar", "comentario", "comentário", "commenti", "comentari",
    "reacties", "kommentit", "kommentteja", "komentar", "komentář", "komentarz", "hozzászólás",
    "yorum", "комментар", "коментар", "σχόλι", "コメント", "评论", "評論", "回應", "댓글",
  ]
}

extension [AnnouncedFeed] {
  /// The surest ones, each once; feeds of comments behind all others, also behind those that are less
  /// sure.
  var ranked: [AnnouncedFeed] {
    var seen: Set<String> = []
    let feeds = filter { seen.insert($0.url).inserted }
    let main = feeds.filter { !$0.isOfComments }
    let comments = feeds.filter(\.isOfComments)
    guard let best = (main.isEmpty ? comments : main).map(\.evidence.rank).min() else { return [] }
    return main.filter { $0.evidence.rank == best } + comments.filter { $0.evidence.rank <= best }
  }
}
