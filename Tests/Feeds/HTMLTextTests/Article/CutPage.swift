import Testing

/// A page of an article for subscribers, as others get it.
struct CutPage: Sendable, CustomTestStringConvertible {
  let name: String
  let html: String
  let isCut: Bool
  var unwanted: [String] = []

  var testDescription: String { name }

  private static func page(_ data: String, _ body: String) -> String {
    """
    <html><head><title>Tides</title><script type="application/ld+json">{"@context":"https://schema.org",
    "@type":"NewsArticle",\(data)}</script></head><body>\(ArticlePage.navigation)\(body)</body></html>
    """
  }

  private static let limited = "\"isAccessibleForFree\":\"False\""
  private static let part =
    "\"hasPart\":{\"@type\":\"WebPageElement\",\"isAccessibleForFree\":false,\"cssSelector\":\"main .locked\"}"

  static let all = [
    CutPage(
      name: "the part that is named has its text",
      html: page(
        "\(limited),\(part)",
        "<main><p>\(ArticlePage.prose(1))</p><div class=\"locked\">\(ArticlePage.paragraphs(2...9))</div></main>",
      ),
      isCut: false,
    ),
    CutPage(
      name: "the part that is named is not there",
      html: page("\(limited),\(part)", "<main>\(ArticlePage.paragraphs(1...3))</main>"),
      isCut: true,
    ),
    CutPage(
      name: "fewer words than the page has counted",
      html: page(
        "\"isAccessibleForFree\":false,\"wordCount\":4000",
        "<main>\(ArticlePage.paragraphs(1...20))</main>",
      ),
      isCut: true,
    ),
    CutPage(
      name: "as many words as the page has counted",
      html: page(
        "\"isAccessibleForFree\":false,\"wordCount\":\"90\"",
        "<main>\(ArticlePage.paragraphs(1...3))</main>",
      ),
      isCut: false,
    ),
    CutPage(
      name: "free for everybody",
      html: page("\"isAccessibleForFree\":true", "<main>\(ArticlePage.paragraphs(1...3))</main>"),
      isCut: false,
    ),
    CutPage(
      name: "an offer in an element with the name of one",
      html: """
        <body><article>\(ArticlePage.paragraphs(1...4))<div class="paywall-offer"><h2>Choose a plan</h2>
        <p>Try the paper for a month, as a subscriber, and go on.</p></div></article></body>
        """,
      isCut: true,
      unwanted: ["Choose a plan"],
    ),
    CutPage(
      name: "an offer in words alone, in German",
      html: """
        <body><article>\(ArticlePage.paragraphs(1...4))<p>Jetzt weiterlesen mit dem Probeabo.</p></article></body>
        """,
      isCut: true,
      unwanted: ["weiterlesen"],
    ),
    CutPage(
      name: "an offer behind the article, in French",
      html: """
        <body><article>\(ArticlePage.paragraphs(1...4))</article><div><p>La suite est réservée aux abonnés.</p></div>
        </body>
        """,
      isCut: true,
      unwanted: ["abonnés"],
    ),
    CutPage(
      name: "an article about offers",
      html: """
        <body><article><p>Many papers ask to subscribe to continue reading, and it works.
        \(ArticlePage.prose(9))</p>\(ArticlePage.paragraphs(1...9))</article></body>
        """,
      isCut: false,
    ),
  ]
}
