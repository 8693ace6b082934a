extension ArticlePage {
  /// Pages whose sentences stand in lists, tables, entries, or alone.
  static let lists = [
    linkedSentences, linkedParagraph, entries, shortEntries, permalinks, topic, topicTables,
    items, definitions, tools, changes, results, rows, comparison, ingredients, shortRecipe,
    questions, script, lateText, fewWords, oneItem, captions, besideMenus, photograph, besideCards,
    twoBodies, headerLead,
  ]

  private static func each(_ numbers: ClosedRange<Int>, _ html: (Int) -> String) -> String {
    numbers.map(html).joined(separator: "\n")
  }

  static let linkedSentences = ArticlePage(
    name: "sentences that are links, in blocks among paragraphs",
    html: """
      <body>\(navigation)<article>\(paragraphs(1...3))<div><a href="/a">The bridge stays closed until spring.</a></div>
      <div>He wrote <a href="/b">that the bridge over the old harbour would stay closed until spring</a>.</div>
      <div><a href="/c">市长星期一说，桥将关闭到春天，居民们必须绕行。</a></div>
      <div><a href="/d"><h3>Mayor opens a road</h3> A short lead of another story.</a></div>
      <div><a href="/e">Storm closes the port for days</a></div>\(paragraphs(4...5))</article></body>
      """,
    wanted: ["stays closed until spring.", "He wrote", "市长星期一说", "Sentence 5 of"],
    unwanted: ["Mayor opens", "another story", "Storm closes", "Home page link"],
  )

  static let linkedParagraph = ArticlePage(
    name: "a linked sentence in a paragraph in a block",
    html: """
      <body><div class="c">\(paragraphs(1...3))<div><p><a href="/x">“Will the bridge over the harbour open again?”</a></p></div>
      \(paragraphs(4...5))<div class="more"><p><a href="/m">More about bridges</a></p></div></div></body>
      """,
    wanted: ["open again?”", "Sentence 5 of"],
    unwanted: ["More about"],
  )

  static let entries = ArticlePage(
    name: "entries of a live ticker in a list",
    html: """
      <html><head><title>Storm: live</title></head><body>\(navigation)<main><h1>Storm: live</h1><p>\(prose(20))</p>
      <ul class="liveblog">\(each(1...8) { "<li class=\"post\"><time>10:0\($0)</time><h3>Entry \($0)</h3><p>\(prose($0))</p></li>" })
      </ul></main><div class="sidebar">\(paragraphs(60...61))</div></body></html>
      """,
    wanted: ["Sentence 20 of", "Entry 1<", "Sentence 1 of", "Entry 8", "Sentence 8 of"],
    unwanted: ["Sentence 60", "Home page link"],
  )

  static let shortEntries = ArticlePage(
    name: "entries of a few words each",
    html: """
      <html><head><title>Match: live</title></head><body>\(navigation)<main><h1>Match: live</h1><p>\(prose(20))</p><div class="feed">
      \(each(1...29) { "<article><header><time>\($0)'</time></header><p>Goal \($0) for the harbour.</p></article>" })
      </div></main></body></html>
      """,
    wanted: ["Sentence 20 of", "Goal 1 for", "Goal 29 for"],
    unwanted: ["Home page link"],
  )

  static let permalinks = ArticlePage(
    name: "entries whose headings lead to themselves",
    html: """
      <html><head><title>Storm: live</title></head><body>\(navigation)<main><h1>Storm: live</h1>
      \(each(1...6) { "<div class=\"entry\"><h2><a href=\"https://example.com/a/story#e\($0)\">At \($0) o'clock</a></h2><p>\(prose($0))</p></div>" })
      </main></body></html>
      """,
    wanted: ["At 1 o'clock", "Sentence 1 of", "Sentence 6 of"],
    unwanted: ["Home page link"],
  )

  static let topic = ArticlePage(
    name: "posts of a forum",
    html: """
      <html><head><title>Which rope? - Sailing</title></head><body><div id="header">\(navigation)</div><div id="page-body"><h2>Which rope?</h2>
      \(each(1...7) { "<div class=\"post bg\($0 % 2)\"><div class=\"postprofile\"><a href=\"/u\($0)\">User \($0)</a></div><div class=\"postbody\"><p>\(prose($0))</p></div></div>" })
      </div><div class="footer">Powered by a forum</div></body></html>
      """,
    wanted: ["Sentence 1 of", "Sentence 4 of", "Sentence 7 of"],
    unwanted: ["Powered", "Home page link"],
  )

  static let topicTables = ArticlePage(
    name: "posts of a forum, each in a table of its own",
    html: """
      <body><table class="nav"><tr><td><a href="/">Start page</a></td></tr></table>
      \(each(1...6) { "<table class=\"tborder\"><tr><td>\($0) March</td></tr><tr><td><div id=\"message_\($0)\">\(prose(10 * $0))\($0 % 3 == 0 ? prose(10 * $0 + 1) : "")</div></td></tr></table>" })
      </body>
      """,
    wanted: ["Sentence 10 of", "Sentence 30 of", "Sentence 60 of"],
    unwanted: ["Start page"],
  )

  static let items = ArticlePage(
    name: "a list of sentences alone",
    html: """
      <html><head><title>Ten things</title></head><body>\(navigation)<div class="content"><h1>Ten things</h1>
      <ol>\(each(1...10) { "<li>\(prose($0))</li>" })</ol></div><div class="footer"><a href="/i">Imprint</a></div></body></html>
      """,
    wanted: ["<li>Sentence 1 of", "Sentence 10 of"],
    unwanted: ["Imprint", "Home page link"],
  )

  static let definitions = ArticlePage(
    name: "a list of words and what they mean",
    html: """
      <html><head><title>Words of the coast</title></head><body>\(navigation)<div id="main"><h1>Words of the coast</h1>
      <dl>\(each(1...8) { "<dt>Word \($0)</dt><dd>It is wet, number \($0).</dd>" })</dl></div></body></html>
      """,
    wanted: ["<dt>Word 1</dt>", "number 8."],
    unwanted: ["Home page link"],
  )

  static let tools = ArticlePage(
    name: "a list whose headings lead to other sites",
    html: """
      <html><head><title>Tools</title></head><body>\(navigation)<main><h1>Tools</h1><p>\(prose(1))</p>
      \(each(1...9) { "<div class=\"item\"><h2><a href=\"https://tool\($0).example/\">Tool \($0)</a></h2><p>It saws, it drills, it glues, and number \($0) is the best of all that we tried.</p></div>" })
      </main></body></html>
      """,
    wanted: ["Sentence 1 of", "Tool 1<", "number 9 is"],
    unwanted: ["Home page link"],
  )

  static let changes = ArticlePage(
    name: "short items with a link each",
    html: """
      <html><head><title>Release 2.0</title></head><body>\(navigation)<div class="release"><h1>Release 2.0</h1><h3>Added</h3>
      <ul>\(each(1...14) { "<li>Added thing \($0) (<a href=\"/i\($0)\">#\($0)</a>)</li>" })</ul><h3>Fixed</h3><ul>\(each(1...9) { "<li>Fixed thing \($0)</li>" })</ul>
      </div><div class="menu"><ul>\(each(1...9) { "<li><a href=\"/m\($0)\">Menu \($0)</a></li>" })</ul></div></body></html>
      """,
    wanted: ["Added thing 1 ", "Added thing 14", "Fixed thing 9"],
    unwanted: ["Menu 1", "Home page link"],
  )

  static let results = ArticlePage(
    name: "a small table with links in its cells",
    html: """
      <body>\(navigation)<article><h1>Results</h1>\(paragraphs(1...2))<table><tr><td><a href="/a">Harbour</a></td><td>12</td></tr>
      <tr><td><a href="/b">Old town</a></td><td>9</td></tr></table>\(paragraphs(3...4))
      <table><tr><td><a href="/1">Sports page</a></td></tr><tr><td><a href="/2">World page</a></td></tr></table></article></body>
      """,
    wanted: ["Harbour</a></td><td>12</td>", "Old town", "Sentence 4 of"],
    unwanted: ["Sports page", "World page"],
  )

  static let rows = ArticlePage(
    name: "a table of times, with hardly a word around it",
    html: """
      <html><head><title>Ferry times</title></head><body>\(navigation)<div class="content"><h1>Ferry times</h1><p>Valid in May.</p>
      <table>\(each(1...12) { "<tr><td>Day \($0)</td><td>at \($0) in the morning</td><td>at \($0) in the evening</td></tr>" })</table>
      </div></body></html>
      """,
    wanted: ["Day 1<", "at 12 in the evening", "Valid in May."],
    unwanted: ["Home page link"],
  )

  static let comparison = ArticlePage(
    name: "text in the rows of a table that places it",
    html: """
      <body><table width="100%"><tr><td><a href="1">Old menu</a><br><a href="2">Old links</a></td><td><h1>Two boats</h1>
      <table><tr><td><img src="/a.gif"></td><td>\(prose(1))</td></tr><tr><td><img src="/b.gif"></td><td>\(prose(2))</td></tr></table>
      </td></tr></table></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 2 of"],
    unwanted: ["Old menu", "Old links"],
  )

  static let ingredients = ArticlePage(
    name: "ingredients that are labels of boxes",
    html: """
      <html><head><title>Fish soup</title></head><body>\(navigation)<div class="entry-content">\(paragraphs(1...2))<div class="recipe">
      <ul>\(each(1...7) { "<li><input type=\"checkbox\" id=\"c\($0)\"><label for=\"c\($0)\">\($0)00 g of cod</label></li>" })</ul>
      <form><label>Your rating</label><input type="text"></form></div></div></body></html>
      """,
    wanted: ["100 g of cod", "700 g of cod", "Sentence 2 of"],
    unwanted: ["Your rating", "Home page link"],
  )

  static let shortRecipe = ArticlePage(
    name: "a recipe of short lines alone",
    html: """
      <html><head><title>Fish soup</title></head><body>\(navigation)<div class="recipe"><h1>Fish soup</h1><h2>Ingredients</h2>
      <ul><li>500 g of cod</li><li>2 onions</li><li>1 lemon</li></ul><h2>Method</h2><ol><li>Chop the onions.</li><li>Boil the fish.</li></ol></div>
      <div class="related"><h3>More soups</h3><a href="/s">Pea soup</a></div></body></html>
      """,
    wanted: ["500 g of cod", "1 lemon", "Chop the onions.", "Boil the fish."],
    unwanted: ["Pea soup", "Home page link"],
  )

  static let questions = ArticlePage(
    name: "headings that are buttons, since a click opens their part",
    html: """
      <body>\(navigation)<article>\(each(1...4) { "<h3><button aria-expanded=\"false\">Question \($0)?</button></h3><div>\(prose($0))</div>" })
      <button>Print this page</button></article></body>
      """,
    wanted: ["<h3>Question 1?</h3>", "Question 4?", "Sentence 4 of"],
    unwanted: ["Print this"],
  )

  static let script = ArticlePage(
    name: "pictures and players for browsers without scripts",
    html: """
      <body><article>\(paragraphs(1...3))<figure><div class="lazy"></div><noscript><img src="/real.jpg"></noscript><figcaption>A pier</figcaption></figure>
      <p><img src="/shown.jpg"></p><noscript><img src="/twice.jpg"></noscript>
      <div><noscript><iframe src="https://www.youtube.com/embed/x"></iframe></noscript></div>
      <noscript><p>Please turn scripts on to see the comments.</p></noscript>\(paragraphs(4...5))</article>
      <noscript><img src="https://count.example/p.gif" width="1" height="1"></noscript></body>
      """,
    wanted: ["/real.jpg", "A pier", "/shown.jpg", "youtube.com/embed/x", "Sentence 5 of"],
    unwanted: ["twice.jpg", "turn scripts on", "p.gif"],
  )

  static let lateText = ArticlePage(
    name: "a text for browsers without scripts",
    html: """
      <body>\(navigation)<div id="app"></div><noscript><div class="text">\(paragraphs(1...4))</div></noscript></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 4 of"],
    unwanted: ["Home page link"],
  )

  static let fewWords = ArticlePage(
    name: "two words, and nothing else",
    html: "<html><head><title>Notes</title></head><body>\n Ebb tide.\n</body></html>",
    wanted: ["Ebb tide."],
    unwanted: ["Notes"],
  )

  static let oneItem = ArticlePage(
    name: "a list of one sentence alone",
    html: "<body><ol><li><p>\(sentence)</p></li></ol></body>",
    wanted: ["<ol><li><p>The ferry", "cancelled."],
  )

  static let captions = ArticlePage(
    name: "pictures below headings, and nothing else",
    html: """
      <body><article><h2>At noon</h2><img src="/noon.jpg"><h2>At night</h2><img src="/night.jpg"></article>
      <script>var x = "scripted"</script></body>
      """,
    wanted: ["At noon", "/noon.jpg", "At night", "/night.jpg"],
    unwanted: ["scripted"],
  )

  static let besideMenus = ArticlePage(
    name: "a short post below its title, beside menus",
    html: """
      <html><head><title>Ferry » A sailor</title></head><body><div id="header"><h1><a href="/">A sailor</a></h1></div>
      <div id="content"><div class="item"><h2>Ferry</h2><p>\(sentence)</p></div><div class="navigation"><a href="/p">Older post</a></div></div>
      <div id="sidebar"><ul><li><a href="/a">About me</a></li></ul></div></body></html>
      """,
    wanted: ["cancelled."],
    unwanted: ["Older post", "About me", "A sailor"],
  )

  static let photograph = ArticlePage(
    name: "a picture with a few words below its title",
    html: """
      <html><head><title>Sunset - Photos</title></head><body>\(navigation)<div id="photo"><h1>Sunset</h1><img src="/sun.jpg">
      <p>The harbour at nine.</p></div><div class="sidebar"><p>A photographer who lives here, and likes the sea.</p></div></body></html>
      """,
    wanted: ["/sun.jpg", "harbour at nine"],
    unwanted: ["lives here", "Home page link"],
  )

  static let besideCards = ArticlePage(
    name: "a short post above cards of others, without a name",
    html: """
      <html><head><title>Ferry</title></head><body>\(navigation)<div class="m1"><h1>Ferry</h1><p>\(sentence)</p><p>It may go at noon.</p></div>
      <div class="cards">\(each(1...4) { "<div><h3><a href=\"/\($0)\">A card</a></h3><p>A lead of it, which is short.</p></div>" })</div></body></html>
      """,
    wanted: ["cancelled.", "at noon."],
    unwanted: ["A card", "A lead"],
  )

  static let twoBodies = ArticlePage(
    name: "an article in two bodies of different length",
    html: """
      <body>\(navigation)<article><div class="part"><div class="story-body story-body-1">\(paragraphs(1...2))</div></div>
      <div class="part"><div class="story-body story-body-2">\(paragraphs(3...14))</div></div></article></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 14 of"],
    unwanted: ["Home page link"],
  )

  static let headerLead = ArticlePage(
    name: "a lead in the header of the article",
    html: """
      <html><head><title>Tides</title></head><body><article><header><h1>Tides</h1><p class="x1">Water stood in the streets, and nobody slept.</p>
      <p>By A. Writer</p></header><div class="article-body">\(paragraphs(1...5))</div></article></body></html>
      """,
    wanted: ["Water stood", "Sentence 1 of"],
    unwanted: ["A. Writer"],
  )
}
