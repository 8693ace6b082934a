extension ArticlePage {
  /// Pages in the shapes that newspapers' pages have.
  static let shapes = [
    paywall, paywallArticle, advertisements, between, named, several, lead, inParts, told, toldHTML,
    late, wrapped,
  ]

  /// A page with the class that schema.org's documentation shows around the article.
  static let paywall = ArticlePage(
    name: "most of the article in an element with the class paywall",
    html: """
      <body>\(navigation)<div class="story"><p>\(prose(1))</p><div class="paywall">\(paragraphs(2...9))</div></div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 2 of", "Sentence 9 of"],
    unwanted: ["Home page link"],
  )

  static let paywallArticle = ArticlePage(
    name: "parts of the article in elements whose classes begin with paywall",
    html: """
      <body><div class="paywall-page">\((1...6).map { "<div class=\"paywall-part\"><p>\(prose($0))</p></div>" }.joined())
      </div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 6 of"],
  )

  static let advertisements = ArticlePage(
    name: "advertisements between paragraphs",
    html: """
      <body><div id="story">\(paragraphs(1...2))<div class="ad"><p>\(prose(70))</p></div>\(paragraphs(3...4))
      <div class="c-ad-slot"><p>\(prose(71))</p></div><div class="anzeige"><p>\(prose(72))</p></div>
      <div class="publicite"><p>\(prose(73))</p></div>\(paragraphs(5...6))<div class="no-ads">\(paragraphs(7...7))</div>
      <p class="shadow loaded">\(prose(8))</p></div></body>
      """,
    wanted: ["Sentence 4 of", "Sentence 6 of", "Sentence 7 of", "Sentence 8 of"],
    unwanted: ["Sentence 70", "Sentence 71", "Sentence 72", "Sentence 73"],
  )

  static let between = ArticlePage(
    name: "lines that lead elsewhere",
    html: """
      <body><article>\(paragraphs(1...2))<p>Anzeige</p><p><b>Lesen Sie auch: <a href="/x">Ein ganz anderer Text</a></b></p>
      \(paragraphs(3...4))<p>Read more of what the crew has said in its own words, which is a lot.</p>
      <h3>À lire aussi :</h3><ul><li><a href="/1">Another story, linked</a></li><li><a href="/2">A third story</a></li></ul>
      <p>\(prose(5))</p><h3 id="on-related-comments">Comments</h3><p>\(prose(6))</p>
      <p>Sign up for our newsletter, it is free.</p><h3>Читайте также</h3></article></body>
      """,
    wanted: [
      "Sentence 2 of", "Sentence 4 of", "Read more of what", "Sentence 5 of", "Comments</h3>",
    ],
    unwanted: ["Anzeige", "Ein ganz anderer", "lire aussi", "Another story", "Sign up", "Читайте"],
  )

  static let named = ArticlePage(
    name: "an article's body by its name",
    html: """
      <body><main><div class="c-article"><div class="c-article__info">\(prose(60))</div>
      <div class="c-article__body">\(paragraphs(1...5))</div></div><div class="latest">\(paragraphs(61...62))</div></main></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of"],
    unwanted: ["Sentence 60", "Sentence 61"],
  )

  static let several = ArticlePage(
    name: "an article among cards that are articles, too",
    html: """
      <body><main><article class="main-story">\(paragraphs(1...9))</article>
      \((60...64).map { "<article class=\"card\"><h3><a href=\"/\($0)\">A card</a></h3><p>\(prose($0))</p></article>" }.joined())
      </main></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 9 of"],
    unwanted: ["Sentence 60", "A card"],
  )

  static let lead = ArticlePage(
    name: "a lead before the body",
    html: """
      <body><article><h1>Tides</h1><p class="article-lead">\(prose(1))</p><div class="byline">By A. Writer, today</div>
      <div class="article-body">\(paragraphs(2...5))</div><div class="tag-list">\(prose(60))</div></article></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 2 of", "Sentence 5 of"],
    unwanted: ["A. Writer", "Sentence 60"],
  )

  static let inParts = ArticlePage(
    name: "a body in several parts",
    html: """
      <body><div><div itemprop="articleBody">\(paragraphs(1...3))</div><div class="ad-break"><p>\(prose(70))</p></div>
      <div itemprop="articleBody">\(paragraphs(4...6))</div></div><div>\(paragraphs(60...64))</div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 6 of"],
    unwanted: ["Sentence 70", "Sentence 60"],
  )

  static let told = ArticlePage(
    name: "the text in JSON-LD alone",
    html: """
      <html><head><script type="application/ld+json">{"@type":"NewsArticle", broken, "articleBody":
      "\(prose(1))\\n\\n\(prose(2)) \\u00fcber 1 < 2 \\ud83c\\udf0a\\n\(prose(3))"}</script></head>
      <body><div id="root"><p>Loading the page.</p></div></body></html>
      """,
    wanted: ["<p>Sentence 1 of", "über 1 &lt; 2 🌊</p>", "<p>Sentence 3 of"],
    unwanted: ["Loading"],
  )

  static let toldHTML = ArticlePage(
    name: "more of the text in JSON-LD than in the page",
    html: """
      <html><head><script type="application/ld+json">{"articleBody":"\(paragraphs(1...9).replacing("\n", with: ""))
      <script src=x>alert(1)<\\/script>"}</script></head><body><article>\(paragraphs(1...2))</article></body></html>
      """,
    wanted: ["<p>Sentence 1 of", "<p>Sentence 9 of"],
    unwanted: ["alert"],
  )

  static let late = ArticlePage(
    name: "a page that a script shows",
    html:
      "<body><div id=app style='display:none'><div class=text>\(paragraphs(1...4))</div></div></body>",
    wanted: ["Sentence 1 of", "Sentence 4 of"],
  )

  static let wrapped = ArticlePage(
    name: "a page in an element with a bad name",
    html: """
      <body><div class="newsletter-page ads related-layout"><div class="related-content">\(paragraphs(1...9))</div></div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 9 of"],
  )
}
