package struct AnnouncedFeed: Codable, Hashable, Sendable {
  /// The reason to take it for a feed, the surest first.
  ///
  /// These are a `Link` field of the response (RFC 8288), a `link` element with a feed's type, the
  /// address to which the page leads on by itself, and links in the text by a feed's type, an
  /// address as feeds have it, or the name RSS or Atom.
  package enum Evidence: Int, Codable, Hashable, Sendable, CaseIterable {
    case header
    case element
    case refresh
    case typedLink
    case address
    case name

    package var isSure: Bool { self == .header || self == .element }

    fileprivate var rank: Int { isSure ? 0 : min(rawValue, Self.address.rawValue) }
  }

  /// An absolute http or https URL.
  package var url: String
  package var title: String?
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

  /// True where more than a name or a way on says so: networks lead on to their pages for logging in.
  package var isLikely: Bool {
    switch evidence {
    case .header, .element, .typedLink, .address: true
    case .refresh: FeedAddress.isLikely(url)
    case .name: false
    }
  }

  /// True of a feed of comments, which WordPress and Blogger announce beside a blog's.
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
  /// The feeds of the surest kind of evidence, each once.
  ///
  /// Feeds of comments stand behind all others.
  var ranked: [AnnouncedFeed] {
    var seen: Set<String> = []
    let feeds = filter { seen.insert($0.url).inserted }
    let main = feeds.filter { !$0.isOfComments }
    let comments = feeds.filter(\.isOfComments)
    guard let best = (main.isEmpty ? comments : main).map(\.evidence.rank).min() else { return [] }
    return main.filter { $0.evidence.rank == best } + comments.filter { $0.evidence.rank <= best }
  }
}
