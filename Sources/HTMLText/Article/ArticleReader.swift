package import FeedModel
package import FeedParsing
internal import System

/// Takes the article out of a web page.
///
/// The method is Readability, which Arc90 published in 2009, as Mozilla's Readability.js 0.6.0 has
/// it (https://github.com/mozilla/readability, Apache License 2.0): paragraphs give points for their
/// length and their commas to the elements around them, names and the share of links weigh them,
/// and the best element with what stands beside it and is like it is the article. An element that
/// the page itself calls its article comes before all that.
package enum ArticleReader {
  /// The article as HTML of at most 1 MiB; nil where there is none: too little text that is not
  /// links, as front pages, forms and messages have.
  ///
  /// The page is as the server sent it, compressed or not; the charset is the transport's. Relative
  /// links are against the URL, unless the page says otherwise.
  package static func article(
    _ page: UnsafeRawBufferPointer,
    url: String,
    charset: String?,
  ) throws(FeedParsingError) -> StoryText? {
    guard !page.isEmpty else { return nil }
    let tree = try tree(page, charset: charset)
    guard let html = article(PageFacts(tree)) else { return nil }
    let base = tree.base.flatMap { WebURL.resolveBase($0, against: url) } ?? url
    return StoryText(isHTML: true, base: base, bytes: html)
  }

  private static func tree(
    _ page: UnsafeRawBufferPointer,
    charset: String?,
  ) throws(FeedParsingError) -> PageTree {
    let markup = try DocumentDecoder(page, charset: charset).withBytes(of: page, PageMarkup.tidy)
    let builder = PageTreeBuilder()
    try HTMLReader(builder).read(markup)
    return builder.finish()
  }

  /// Readability's `DEFAULT_CHAR_THRESHOLD`: with fewer characters the next search may find more.
  private static let sufficientLength: Int32 = 500
  private static let minimumLength: Int32 = 250

  /// With each search fewer rules hold.
  private static let searches: [ArticleSearch.Rules] = [
    [.unlikely, .weights, .conditional], [.weights, .conditional], [.conditional], [],
  ]

  private static func article(_ facts: PageFacts) -> [UInt8]? {
    let isTitle = ArticleTitles.headings(facts)
    var best: (length: Int32, roots: [Int], isDropped: [Bool])?
    for rules in searches {
      var search = ArticleSearch(facts, rules)
      let roots = search.roots()
      let cleaning = ArticleCleaning(search, roots: roots, isTitle: isTitle)
      let length = textLength(facts, roots, cleaning)
      if length > best?.length ?? 0 { best = (length, roots, cleaning.isDropped) }
      if length >= sufficientLength { break }
    }
    guard let best, best.length >= minimumLength else { return nil }
    let html = ArticleWriter.html(facts, roots: best.roots, except: best.isDropped)
    return ConsentWall.isText(html) ? nil : html
  }

  /// Characters in paragraphs that are not links; 0 for what is no article.
  private static func textLength(
    _ facts: PageFacts,
    _ roots: [Int],
    _ cleaning: ArticleCleaning,
  ) -> Int32 {
    guard cleaning.total.linkDensity <= 0.5 else { return 0 }
    var length: Int32 = 0
    var linkedHeadings: Int32 = 0
    for root in roots {
      for paragraph in facts.paragraphs(in: root, except: cleaning.isDropped) {
        let own = paragraph.measure.length - paragraph.measure.linkTenths / 10
        if facts.tree.nodes[paragraph.owner].tag.isHeading {
          if own * 5 < paragraph.measure.length { linkedHeadings += 1 }
        } else if own >= 20 {
          length += own
        }
      }
    }
    // The headings of a front page lead to its stories.
    return linkedHeadings >= 3 && length < linkedHeadings * 400 ? 0 : length
  }
}

/// What a page shows until its reader has agreed to be watched.
private enum ConsentWall {
  /// A text that short is a wall if it has that many of the words.
  private static let maximumLength = 4096
  private static let minimumWords = 3

  static func isText(_ html: [UInt8]) -> Bool {
    guard html.count <= maximumLength else { return false }
    let text = String(decoding: html, as: UTF8.self).lowercased()
    return text.contains("cookie") && words.count(where: text.contains) >= minimumWords
  }

  /// None is a part of another.
  private static let words = [
    "consent", "partner", "personal data", "accept all", "your privacy", "einwillig",
    "personenbezogen", "akzeptieren", "zustimm", "datenschutz", "partenaires", "accepter",
    "confidentialit", "données personnelles", "privacidad", "aceptar", "datos personales",
    "toestemming", "samtycke",
  ]
}
