extension ArticlePage {
  /// Pages that are no newspaper's article: a rule that helps one kind is to harm no other.
  static let kinds = [
    note, shortPost, shortMain, nextStory, nextBody, dialog, modal, services, template,
    scriptTemplate, recipe, standings, ticker, cards,
  ]

  static let sentence = "The ferry to the island, which was to leave at nine, has been cancelled."

  static let note = ArticlePage(
    name: "a note of one sentence",
    html: """
      <html><head><title>Ferry | Notes</title></head><body>\(navigation)
      <article><p>\(sentence)</p></article><footer><a href="/">Notes of a sailor</a></footer></body></html>
      """,
    wanted: ["cancelled."],
    unwanted: ["Home page link", "Notes of"],
  )

  static let shortPost = ArticlePage(
    name: "a short post with comments below it",
    html: """
      <html><head><title>Ferry - A blog</title></head><body><div id="header"><h1><a href="/">A blog</a></h1></div>
      <div class="post"><h2>Ferry</h2><div class="entry-content"><p>\(sentence)</p><p>It may go at noon, they say.</p></div></div>
      <div id="comments"><p>\(prose(80))</p><p>\(prose(81))</p><p>\(prose(82))</p></div></body></html>
      """,
    wanted: ["cancelled.", "at noon"],
    unwanted: ["Sentence 80", "A blog"],
  )

  static let shortMain = ArticlePage(
    name: "a short page with nothing but its text",
    html: "<body><main><h1>Ferry</h1><p>\(sentence)</p></main></body>",
    wanted: ["cancelled."],
  )

  static let nextStory = ArticlePage(
    name: "the next story below the page's own",
    html: """
      <html><head><title>Tides come early - The Times</title></head><body><main>
      <article class="story"><h1>Tides come early</h1>\(paragraphs(1...5))</article>
      <article class="story"><h1>Mayor opens bridge</h1>\(paragraphs(60...65))</article>
      <article class="story"><h1>Rain all week</h1>\(paragraphs(70...74))</article></main></body></html>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of"],
    unwanted: ["Sentence 60", "Mayor", "Sentence 70"],
  )

  static let nextBody = ArticlePage(
    name: "the next story in a body of its own",
    html: """
      <html><head><title>Tides come early - The Times</title></head><body><div class="stream">
      <article><h1>Tides come early</h1><div class="article-body">\(paragraphs(1...5))</div></article>
      <article><h1>Mayor opens bridge</h1><div class="article-body">\(paragraphs(60...65))</div></article>
      </div></body></html>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of"],
    unwanted: ["Sentence 60", "Mayor"],
  )

  static let dialog = ArticlePage(
    name: "a dialog to log in within the text",
    html: """
      <body><div class="text">\(paragraphs(1...3))<div class="login-dialog"><h3>Log in</h3>
      <p>To save this story for later, please log in to your account, or make a new one, which is free.</p></div>
      <div aria-modal="true"><p>\(prose(60))</p></div>\(paragraphs(4...6))</div></body>
      """,
    wanted: ["Sentence 3 of", "Sentence 4 of"],
    unwanted: ["Log in", "save this story", "Sentence 60"],
  )

  static let modal = ArticlePage(
    name: "dialogs around the article",
    html: """
      <body><div id="signup-modal" class="modal fade"><div class="modal-body">\(paragraphs(60...63))</div></div>
      <div class="story">\(paragraphs(1...5))</div><div class="popup-overlay">\(paragraphs(64...65))</div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of"],
    unwanted: ["Sentence 60", "Sentence 64"],
  )

  static let services = ArticlePage(
    name: "boxes of services",
    html: """
      <body><article>\(paragraphs(1...3))<div class="service-box"><h3>Our services</h3><p>\(prose(60))</p></div>
      \(paragraphs(4...5))<div class="app-teaser"><p>\(prose(61))</p></div><section class="podcast-teaser"><p>\(prose(62))</p></section>
      \(paragraphs(6...7))</article></body>
      """,
    wanted: ["Sentence 3 of", "Sentence 5 of", "Sentence 7 of"],
    unwanted: ["Our services", "Sentence 60", "Sentence 61", "Sentence 62"],
  )

  static let template = ArticlePage(
    name: "a post in a template",
    html: """
      <body>\(navigation)<div class="post-body"><template>\(paragraphs(1...4))</template></div>
      <p>Loading the post.</p></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 4 of"],
    unwanted: ["Loading"],
  )

  static let scriptTemplate = ArticlePage(
    name: "a post in a script that is a template",
    html: """
      <body>\(navigation)<script type="text/template"><p>{{title}} by {{author}}, in many words that nobody wrote.</p></script>
      <div id="main"></div><script type='text/template' id="post"><div class="post-body">\(paragraphs(1...4))</div></script></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 4 of"],
    unwanted: ["{{title}}"],
  )

  static let recipe = ArticlePage(
    name: "a recipe",
    html: """
      <html><head><title>Fish soup</title></head><body>\(navigation)<div class="entry-content"><p>\(prose(1))</p><p>\(prose(2))</p>
      <div class="recipe-card"><h2>Fish soup for four</h2><div class="recipe-meta"><span>Time: 40 minutes</span></div>
      <h3>Ingredients</h3><ul class="ingredients"><li>500 g of cod</li><li>2 onions</li><li><a href="/salt">Salt</a></li></ul>
      <h3>Method</h3><ol class="instructions"><li>Chop the onions.</li><li>Boil the fish for ten minutes.</li></ol>
      <div class="recipe-notes"><h3>Notes</h3><p>Keeps for two days.</p></div></div></div>
      <div class="related-recipes"><a href="/r"><img src="/r.jpg"> Another soup</a></div></body></html>
      """,
    wanted: [
      "Sentence 1 of", "500 g of cod", "2 onions", "Salt", "Chop the onions.", "Boil the fish",
      "for four", "Keeps for two days.",
    ],
    unwanted: ["Another soup", "Home page link"],
  )

  static let standings = ArticlePage(
    name: "tables among the text",
    html: """
      <body><article><h1>Results</h1>\(paragraphs(1...3))<table><tr><th>Team</th><th>Points</th></tr>
      <tr><td><a href="/a">Harbour</a></td><td>12</td></tr><tr><td><a href="/b">Old town</a></td><td>9</td></tr></table>
      \(paragraphs(4...4))<div class="table-wrapper"><table><tr><td>Mon</td><td>8</td></tr><tr><td>Tue</td><td>9</td></tr></table></div>
      </article></body>
      """,
    wanted: ["Sentence 3 of", "Harbour", "<td>12</td>", "Old town", "Mon", "Tue"],
  )

  static let ticker = ArticlePage(
    name: "a live ticker",
    html: """
      <html><head><title>Storm: the live ticker</title></head><body>\(navigation)<main><h1>Storm: the live ticker</h1>
      <div class="liveblog">\((1...8).map { "<article class=\"update\"><h2>At \($0) o'clock</h2><p>\(prose($0))</p></article>" }.joined())
      </div></main><footer><p>\(prose(60))</p></footer></body></html>
      """,
    wanted: ["At 1 o'clock", "Sentence 1 of", "At 8 o'clock", "Sentence 8 of"],
    unwanted: ["Sentence 60", "Home page link"],
  )

  static let cards = ArticlePage(
    name: "a short article above cards of others",
    html: """
      <html><head><title>Ferry</title></head><body><main><article><h1>Ferry</h1><p>\(sentence)</p><p>\(sentence)</p></article>
      <div class="cards">\((1...3).map { "<div class=\"card\"><h3><a href=\"/\($0)\">A card</a></h3><p>A lead of it.</p></div>" }.joined())
      </div></main></body></html>
      """,
    wanted: ["cancelled."],
    unwanted: ["A card", "A lead of it"],
  )
}
