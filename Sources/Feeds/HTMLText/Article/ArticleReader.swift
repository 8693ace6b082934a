package import FeedModel
internal import HTMLParsing
internal import System

/// Takes the article out of a web page.
///
/// The method is Readability, which Arc90 published in 2009, as Mozilla's Readability.js 0.6.0 has
/// it (https://github.com/mozilla/readability, Apache License 2.0): paragraphs give points for
/// their length and their commas to the elements around them, names and the share of links weigh
/// them, and the best element is the article, with those beside it that are like it. An element
/// that the page itself calls its article comes before all that.
package enum ArticleReader {
  /// Returns the article and the page's description.
  ///
  /// The article is HTML of at most 1 MiB; nil for front pages, forms and messages, which have too
  /// little text that is not links. The page is in UTF-8. Relative links are against the URL,
  /// unless the page says otherwise.
  ///
  /// A page that has `teaser`, the beginning of the story in its feed, has an article, however
  /// short.
  package static func read(
    _ page: UnsafeRawBufferPointer,
    url: String,
    teaser: String = "",
  ) -> (article: StoryText?, description: PageDescription) {
    guard !page.isEmpty else { return (nil, PageDescription()) }
    let tree = HTMLTree.page(page)
    let claims = PageClaims(tree)
    let builder = builder(tree, claims, url)
    var facts = PageFacts(builder.finish())
    var found = article(facts) ?? short(facts)
    // Hidden text is read where it is far longer than the text that is shown.
    for other in [hidden, template] where found?.length ?? 0 < minimumLength {
      guard let other = other(tree, claims, url), other.found.length > 3 * (found?.length ?? 0)
      else {
        continue
      }
      (facts, found) = other
    }
    found = found ?? TeaserText(teaser).flatMap { teased(facts, by: $0) } ?? few(facts)
    if let told = told(facts.tree.claims, insteadOf: found) { found = told }
    var description = facts.tree.description
    let base = facts.tree.base.flatMap { WebURL.resolveBase($0, against: url) } ?? url
    description.icon = description.icon.flatMap { WebURL.resolve($0, against: base) }
    guard let found, !PageMessage.isMessage(found.html) else { return (nil, description) }
    let text = StoryText(isHTML: true, base: base, bytes: found.html, isCut: found.isCut)
    return (text, description)
  }

  private static func hidden(
    _ tree: HTMLTree,
    _ claims: PageClaims,
    _ url: String,
  ) -> (facts: PageFacts, found: Article)? {
    let builder = builder(tree, claims, url, takesHidden: true)
    guard builder.hasHidden else { return nil }
    let facts = PageFacts(builder.finish())
    return (article(facts) ?? short(facts)).map { (facts, $0) }
  }

  /// Reads an article that a script would take from a template in the page.
  private static func template(
    _ tree: HTMLTree,
    _ claims: PageClaims,
    _ url: String,
  ) -> (facts: PageFacts, found: Article)? {
    for html in tree.templates.prefix(8) {
      let facts = PageFacts(builder(.fragment(html), claims, url).finish())
      if let found = article(facts) { return (facts, found) }
    }
    return nil
  }

  private static func builder(
    _ tree: HTMLTree,
    _ claims: PageClaims = PageClaims(),
    _ url: String = "",
    takesHidden: Bool = false,
  ) -> PageTreeBuilder {
    let builder = PageTreeBuilder(claims, url: url, takesHidden: takesHidden)
    tree.tell(builder)
    return builder
  }

  private struct Article {
    let html: [UInt8]
    /// The number of characters that are not in links.
    let length: Int32
    var isCut = false
  }

  private struct Candidate {
    let roots: [Int]
    let isStripped: [Bool]
    let length: Int32
    let isHinted: Bool
    /// True if foreign lines are to be dropped; the last search keeps them.
    let isTrimmed: Bool
  }

  /// The length below which the next search may find more: Readability's `DEFAULT_CHAR_THRESHOLD`.
  private static let sufficientLength: Int32 = 500
  private static let minimumLength: Int32 = 250
  /// The limit for a page that declares an article.
  private static let shortestLength: Int32 = 80
  private static let noteLength: Int32 = 40

  private static let searches: [ArticleSearch.Rules] = [
    [.unlikely, .weights, .conditional, .foreign], [.weights, .conditional, .foreign],
    [.conditional, .foreign], [],
  ]

  private static func article(_ facts: PageFacts) -> Article? {
    guard let best = best(facts) else { return nil }
    let isSure = facts.tree.claims.isArticle && best.isHinted
    guard best.length >= (isSure ? shortestLength : minimumLength) else { return nil }
    let trimming = ArticleTrimming(facts, roots: best.roots, except: best.isStripped)
    let isStripped = best.isTrimmed ? trimming.isStripped : best.isStripped
    let isCut = Paywall.isCut(
      facts,
      roots: best.roots,
      length: best.length,
      hasPrompt: trimming.hasPaywall || !facts.prompts.isEmpty,
    )
    let html = ArticleWriter.html(facts, roots: best.roots, except: isStripped)
    return Article(html: html, length: best.length, isCut: isCut)
  }

  private static func short(_ facts: PageFacts) -> Article? {
    let search = ArticleSearch(facts, searches[0])
    guard facts.plainLengths[0] < noteLength * 100, let root = search.mainPart() else { return nil }
    let cleaning = ArticleCleaning(search, roots: [root])
    let length = textLength(facts, [root], cleaning)
    guard length >= noteLength else { return nil }
    let trimming = ArticleTrimming(facts, roots: [root], except: cleaning.isStripped)
    let html = ArticleWriter.html(facts, roots: [root], except: trimming.isStripped)
    return Article(html: html, length: length)
  }

  /// Returns the few words of a page: those below its title, or all where hardly anything else is
  /// there.
  private static func few(_ facts: PageFacts) -> Article? {
    guard facts.plainLengths[0] < noteLength * 100 else { return nil }
    let search = ArticleSearch(facts, searches[0])
    for root in [search.titledPart(), search.body].compactMap(\.self)
    where facts.linkedHeadings(in: root) < 2 && search.measures[root].inputs == 0 {
      let cleaning = ArticleCleaning(search, roots: [root])
      let trimming = ArticleTrimming(facts, roots: [root], except: cleaning.isStripped)
      let letters = facts.text(of: root, atMost: 256, except: trimming.isStripped).count {
        $0 > 0x20
      }
      // One letter is no word.
      let isAlone = !facts.leadsAnywhere && (letters > 2 || cleaning.total.fillings > 0)
      let length = textLength(facts, [root], cleaning)
      // Below a picture there may be even less.
      let least = cleaning.total.images > 0 ? noteLength / 2 : noteLength
      guard isAlone || length >= least && cleaning.total.linkDensity < 0.3 else { continue }
      let html = ArticleWriter.html(facts, roots: [root], except: trimming.isStripped)
      return Article(html: html, length: length)
    }
    return nil
  }

  /// Returns the block of a page that begins as the story does, widened as long as it stays one
  /// text.
  private static func teased(_ facts: PageFacts, by teaser: TeaserText) -> Article? {
    guard var root = teaser.block(in: facts) else { return nil }
    let search = ArticleSearch(facts, searches[0])
    while true {
      let parent = facts.tree.nodes[root].parent
      let isOne = facts.linkedHeadings(in: parent) < 2 && search.measures[parent].linkDensity < 0.3
      guard isOne, !facts.tree.nodes[parent].tag.isBody else { break }
      root = parent
    }
    let cleaning = ArticleCleaning(search, roots: [root])
    let trimming = ArticleTrimming(facts, roots: [root], except: cleaning.isStripped)
    let html = ArticleWriter.html(facts, roots: [root], except: trimming.isStripped)
    let length = facts.plainLengths[root]
    return Int(length) > teaser.length ? Article(html: html, length: length) : nil
  }

  /// Takes the result of weaker rules only where it is far longer, as it has foreign text, too.
  private static func best(_ facts: PageFacts) -> Candidate? {
    let longText = facts.longTextLength()
    var best: Candidate?
    for rules in searches {
      let candidate = candidate(facts, rules)
      let isFarMore = best.map { candidate.length > max($0.length * 2, minimumLength) } ?? true
      if candidate.length > 0, isFarMore { best = candidate }
      guard let best else { continue }
      let isEnough =
        best.length >= sufficientLength || best.isHinted && best.length >= shortestLength
      if isEnough, best.length * 3 >= longText { break }
    }
    return best
  }

  private static func candidate(_ facts: PageFacts, _ rules: ArticleSearch.Rules) -> Candidate {
    var search = ArticleSearch(facts, rules)
    let roots = search.roots()
    let cleaning = ArticleCleaning(search, roots: roots)
    let length = textLength(facts, roots, cleaning)
    return Candidate(
      roots: roots,
      isStripped: cleaning.isStripped,
      length: length,
      isHinted: search.isHinted,
      isTrimmed: rules.contains(.foreign),
    )
  }

  /// Returns the article that the page has for machines, where that is far longer than the one
  /// shown.
  private static func told(_ claims: PageClaims, insteadOf found: Article?) -> Article? {
    let length = Int32(clamping: claims.body.count)
    guard length >= minimumLength, length > (found?.length ?? 0) / 2 * 3 else { return nil }
    let facts = PageFacts(builder(.fragment(AnnouncedText.html(claims.body))).finish())
    let own = facts.plainLengths[0]
    guard own >= minimumLength, own > (found?.length ?? 0) / 2 * 3 else { return nil }
    let isStripped = ArticleSearch(facts, []).isStripped
    return Article(
      html: ArticleWriter.html(facts, roots: [0], except: isStripped),
      length: own,
      isCut: claims.isLimited && claims.words > 0 && Int(own) < claims.words * 3,
    )
  }

  /// Returns the characters in paragraphs that are not links; 0 for a result that is no article.
  private static func textLength(
    _ facts: PageFacts,
    _ roots: [Int],
    _ cleaning: ArticleCleaning,
  ) -> Int32 {
    guard cleaning.total.linkDensity <= 0.5 else { return 0 }
    var length: Int32 = 0
    var linkedHeadings: Int32 = 0
    for root in roots {
      for paragraph in facts.paragraphs(in: root, except: cleaning.isStripped) {
        let own = paragraph.measure.length - paragraph.measure.linkTenths / 10
        if facts.tree.nodes[paragraph.owner].tag.isHeading {
          if own * 5 < paragraph.measure.length,
            facts.linkedHeadings(in: paragraph.owner) > 0
          {
            linkedHeadings += 1
          }
        } else if own >= 20 || isEntry(paragraph, facts) && own * 2 > paragraph.measure.length {
          length += own
        }
      }
    }
    // The headings of a front page lead to its stories.
    return linkedHeadings >= 3 && length < linkedHeadings * 400 ? 0 : length
  }

  /// Returns true for an item of a list or a cell of a table: their words are few.
  private static func isEntry(_ paragraph: PageParagraph, _ facts: PageFacts) -> Bool {
    switch facts.tree.nodes[paragraph.owner].tag {
    case .li, .dt, .dd: true
    default: facts.isInDataTable[paragraph.owner]
    }
  }
}

private enum AnnouncedText {
  /// Makes HTML of a text: some pages write HTML, some plain text, with entities or without.
  static func html(_ text: [UInt8]) -> [UInt8] {
    let string = String(decoding: text, as: UTF8.self)
    if ["<p", "<br", "</"].contains(where: string.contains) { return text }
    if ["&lt;p", "&lt;br"].contains(where: string.contains) {
      return Array(string.replacing("&lt;", with: "<").replacing("&gt;", with: ">").utf8)
    }
    return string.split(whereSeparator: \.isNewline).flatMap { line in
      Array("<p>\(line.replacing("<", with: "&lt;"))</p>".utf8)
    }
  }
}
