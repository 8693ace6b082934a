import Testing

/// A page of a usual shape, with the texts that its article must have, and those that it must not.
struct ArticlePage: Sendable, CustomTestStringConvertible {
  let name: String
  let html: String
  var wanted: [String] = []
  var unwanted: [String] = []

  var testDescription: String { name }

  /// Returns a paragraph as writers write it, a different one for each number.
  static func prose(_ number: Int) -> String {
    "Sentence \(number) of the harbour report says, as the crew had expected, that the tide came in"
      + " early, that the wind turned, and that nobody in the old town slept before midnight."
  }

  static func paragraphs(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { "<p>\(prose($0))</p>" }.joined(separator: "\n")
  }

  static let navigation = """
    <nav><ul><li><a href="/">Home page link</a></li><li><a href="/a">World section</a></li></ul></nav>
    """

  static let all =
    [
      blog, newspaper, documentation, wiki, breaks, nestedTables, containers, articleBody,
      plainForm,
      retried, parts, media, listing, titled, hidden, lazy, xhtml,
    ] + shapes + kinds + lists

  static let blog = ArticlePage(
    name: "blog",
    html: """
      <!DOCTYPE html><html><head><title>Tides | My blog</title><style>p { color: red }</style></head>
      <body class="single tag-cookies comments-open"><header id="masthead"><a href="/">My blog</a></header>
      \(navigation)
      <main><article class="post hentry"><header class="entry-header"><h1>Tides</h1></header>
      <div class="entry-content">\(paragraphs(1...4))<h2>What we saw</h2>
      <ul><li>Boats, many of them, in a row</li><li>Gulls over the pier</li></ul>
      <blockquote><p>It was <em>late</em>.</p><footer>The captain</footer></blockquote>
      <pre><code>let a = 1
        let b = 2</code></pre>
      <div class="sharedaddy sd-sharing"><a href="/s">Share on Example</a> with all of your friends</div>
      </div></article>
      <div id="comments" class="comments-area"><article class="comment-body">\(paragraphs(90...94))</article></div>
      </main><aside class="widget-area"><p>Subscribe to this, dear reader, it is free and it is good.</p></aside>
      <footer>Proudly powered</footer><script>var x = "<p>scripted</p>"</script></body></html>
      """,
    wanted: [
      "Sentence 1 of", "Sentence 4 of", "<h2>What we saw</h2>", "<li>Gulls over", "<blockquote>",
      "<em>late</em>", "The captain", "let a = 1\n  let b = 2",
    ],
    unwanted: [
      "Sentence 90", "Share on", "<h1>", "Home page link", "Subscribe", "powered", "scripted",
      "color",
    ],
  )

  static let newspaper = ArticlePage(
    name: "newspaper",
    html: """
      <html><head><title>Harbour floods - The Times</title></head><body>
      <div class="top-menu"><a href="/1">Politics</a> <a href="/2">Sports</a></div>
      <div id="page"><div class="story-text">\(paragraphs(1...3))
      <div class="related-links"><h3>Read more</h3><ul><li><a href="/x">Other harbour</a></li></ul></div>
      <figure><img src="/f.jpg" alt="The pier"><figcaption>The pier at night</figcaption></figure>
      \(paragraphs(4...6))
      <form action="/n"><p>Get our letter</p><input type="email"><input type="submit"></form></div>
      <div class="teasers"><div class="teaser"><a href="/t1"><h3>Teaser one</h3></a><p>Short lead, one.</p></div>
      <div class="teaser"><a href="/t2"><h3>Teaser two</h3></a><p>Short lead, two.</p></div></div>
      <div class="comments"><p>\(prose(80))</p><p>\(prose(81))</p></div></div>
      <div class="footer">Imprint and terms</div></body></html>
      """,
    wanted: [
      "Sentence 1 of", "Sentence 6 of", "<figure><img src=\"/f.jpg\" alt=\"The pier\">", "at night",
    ],
    unwanted: [
      "Politics", "Other harbour", "Teaser", "Sentence 80", "letter", "Imprint", "<input",
    ],
  )

  static let documentation = ArticlePage(
    name: "documentation",
    html: """
      <body><div class="sidebar"><ul><li><a href="a">Chapter list</a></li></ul></div>
      <div role="main" class="document"><div class="section"><h1>Reference</h1>\(paragraphs(1...2))
      <h2>Options</h2><dl><dt><code>--fast</code></dt><dd>Goes fast, as it says.</dd></dl>
      <table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td>depth</td><td>12</td></tr></tbody></table>
      <pre>$ tool --fast\n  done</pre><div role="complementary"><p>\(prose(50))</p></div>
      \(paragraphs(3...4))</div></div>
      <div role="navigation"><a href="n">Next chapter</a></div></body>
      """,
    wanted: [
      "<h2>Options</h2>", "<dt><code>--fast", "<th>Name</th>", "<td>12</td>",
      "$ tool --fast\n  done",
    ],
    unwanted: ["Chapter list", "Next chapter", "Sentence 50"],
  )

  static let wiki = ArticlePage(
    name: "wiki page",
    html: """
      <body class="mediawiki"><div id="mw-navigation"><a href="/r">Random page</a></div>
      <div id="content" class="mw-body"><h1 id="firstHeading">Tide</h1><div id="bodyContent">
      <div class="mw-parser-output"><table class="infobox"><tr><th>Period</th><td>12 hours</td></tr></table>
      \(paragraphs(1...3))<h2>History<span class="mw-editsection">[<a href="/e">edit</a>]</span></h2>
      <p>\(prose(4))<sup><a href="#n1">[1]</a></sup></p><p>\(prose(5))</p>
      <div class="navbox"><a href="/w">Waves of the world</a></div></div></div></div></body>
      """,
    wanted: ["Sentence 1 of", "History</h2>", "<sup><a href=\"#n1\">[1]</a></sup>", "12 hours"],
    unwanted: ["Random page", "edit", "Waves of"],
  )

  static let breaks = ArticlePage(
    name: "blocks without paragraphs",
    html: """
      <body><div class="nav"><a href="1">One link</a><a href="2">Two link</a></div>
      <div class="wrap"><div class="c3">\((1...5).map(prose).joined(separator: "<br><br>\n"))</div></div>
      <div class="copyright"><a href="c">Copyright somebody</a></div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of", "<br>"],
    unwanted: ["One link", "Copyright"],
  )

  static let nestedTables = ArticlePage(
    name: "nested tables",
    html: """
      <body bgcolor="white"><table width="100%"><tr><td width="20%"><table><tr><td><a href="1">Old menu</a></td></tr>
      <tr><td><a href="2">Old links</a></td></tr></table></td><td><table><tr><td><font face="Arial">
      \((1...4).map(prose).joined(separator: "<br><br>"))</font></td></tr></table></td></tr></table></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 4 of"],
    unwanted: ["Old menu", "Old links", "<table", "<td", "<font"],
  )

  static let containers = ArticlePage(
    name: "an article in several containers",
    html: """
      <body><div class="menu-bar"><a href="1">Menu entry</a></div><div class="x">
      <div class="part">\(paragraphs(1...3))</div><div class="ad-break"><p>\(prose(70))</p></div>
      <div class="part">\(paragraphs(4...6))</div><h3>Then</h3><ul><li>A list</li></ul>
      <div class="part">\(paragraphs(7...8))</div></div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of", "<h3>Then</h3>", "A list", "Sentence 8 of"],
    unwanted: ["Sentence 70", "Menu entry"],
  )

  static let articleBody = ArticlePage(
    name: "the page says where its article is",
    html: """
      <body><div><div itemprop="articleBody">\(paragraphs(1...2))</div>
      <div>\(paragraphs(60...69))</div></div></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 2 of"],
    unwanted: ["Sentence 60"],
  )

  static let plainForm = ArticlePage(
    name: "a form around the whole page",
    html: """
      <body><form id="aspnetForm"><input type="hidden" name="v"><div id="m">\(paragraphs(1...5))</div>
      <input type="text" name="q"></form></body>
      """,
    wanted: ["Sentence 1 of", "Sentence 5 of"],
    unwanted: ["<form", "<input"],
  )

  static let retried = ArticlePage(
    name: "an article in an element with a bad name",
    html: "<body><div class=\"sidebar-footer\">\(paragraphs(1...4))</div></body>",
    wanted: ["Sentence 1 of", "Sentence 4 of"],
  )

  static let parts = ArticlePage(
    name: "parts with the ids of their headings",
    html: """
      <body><main><section id="menu-and-footer">\(paragraphs(1...3))</section>
      <ul><li>Short list</li></ul><section id="related-widgets"><h2 id="sidebar">On sidebars</h2>\(paragraphs(4...5))</section>
      <section id="comments">\(paragraphs(70...71))</section></main></body>
      """,
    wanted: ["Sentence 1 of", "Short list", "On sidebars", "Sentence 5 of"],
    unwanted: ["Sentence 70"],
  )

  static let media = ArticlePage(
    name: "pictures and sound",
    html: """
      <body><article>\(paragraphs(1...3))<picture><source srcset="a.webp 2x"><img src="a.png"></picture>
      <audio src="a.mp3"></audio><video><source src="v.mp4" type="video/mp4"></video>
      <iframe src="https://www.youtube.com/embed/x"></iframe><iframe src="https://ads.example/x"></iframe>
      <a href="javascript:alert(1)">A trick</a><p onclick="x()">\(prose(4))</p></article></body>
      """,
    wanted: [
      "<source srcset=\"a.webp 2x\"><img src=\"a.png\">", "<audio src=\"a.mp3\">", "v.mp4",
      "youtube.com/embed/x",
    ],
    unwanted: ["ads.example", "javascript", "onclick"],
  )

  static let listing = ArticlePage(
    name: "code beside the numbers of its lines",
    html: """
      <body><article>\(paragraphs(1...4))<figure><table><tr><td class="gutter"><pre>1<br>2</pre></td>
      <td class="code"><pre>a = 1<br>  b = 2</pre></td></tr></table></figure>
      <table><tr><td><pre>one</pre></td></tr></table></article></body>
      """,
    wanted: [
      "<td><pre>1<br>2</pre></td>", "<td><pre>a = 1<br>  b = 2</pre></td>", "<div><pre>one",
    ],
    unwanted: ["gutter"],
  )

  static let titled = ArticlePage(
    name: "the page's title as a heading",
    html: """
      <head><title>The long night of the harbour: a report | Paper</title></head><body><article>
      <h1>The long night of the harbour</h1><h2>Paper</h2><h2>A second heading</h2>\(paragraphs(1...4))</article></body>
      """,
    wanted: ["<h2>A second heading</h2>"],
    unwanted: ["The long night", "<h2>Paper"],
  )

  static let hidden = ArticlePage(
    name: "what nobody sees",
    html: """
      <body style="visibility: hidden"><article>\(paragraphs(1...4))<p hidden>Hidden one</p>
      <p style="Display: none">Hidden two</p><span aria-hidden="true">Hidden three</span>
      <template><p>Hidden four</p></template><noscript>Hidden five</noscript>
      <span class="sr-only">Hidden six</span></article></body>
      """,
    wanted: ["Sentence 1 of"],
    unwanted: ["Hidden"],
  )

  static let lazy = ArticlePage(
    name: "pictures that load late",
    html: """
      <body><article>\(paragraphs(1...4))<p><img src="data:image/gif;base64,R0" data-src="/late.jpg"
      srcset="s.jpg 1x" class="lazy"></p><p><img alt="Blank" src="data:image/gif;base64,R0">
      <noscript><img src="/real.jpg"></noscript><amp-img src="/amp.jpg"></amp-img></p></article></body>
      """,
    wanted: [
      "data-src=\"/late.jpg\"", "srcset=\"s.jpg 1x\"", "<img src=\"/real.jpg\">",
      "<img src=\"/amp.jpg\">",
    ],
    unwanted: ["class=", "Blank"],
  )

  static let xhtml = ArticlePage(
    name: "XHTML",
    html: """
      <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script type="text/javascript">
      //<![CDATA[\nif (a < b && c) { document.write("<p>no</p>"); }\n//]]></script></head>
      <body><div id="content">\(paragraphs(1...4))<hr /><p>Über &amp; caf&#233;, &lt;b&gt;<br />
      and more.</p></div></body></html>
      """,
    wanted: ["Sentence 1 of", "Über &amp; café, &lt;b&gt;<br>"],
    unwanted: ["CDATA", "document.write"],
  )
}

extension ArticlePage {
  static let none = [
    ArticlePage(name: "nothing", html: ""),
    ArticlePage(
      name: "a message",
      html: "<html><body><h1>404</h1><p>Not found, sorry.</p></body></html>",
    ),
    ArticlePage(
      name: "a list of links",
      html: "<body><h1>Links</h1><ul>"
        + (1...80).map { "<li><a href='/\($0)'>A headline, number \($0), of some length</a></li>" }
        .joined() + "</ul></body>",
    ),
    ArticlePage(
      name: "a front page",
      html: "<body>" + navigation + "<main>"
        + (1...20).map {
          "<article class='post'><h2><a href='/\($0)'>Story number \($0)</a></h2>"
            + "<p>A short lead, about the harbour, of story \($0), and nothing more.</p></article>"
        }.joined() + "</main></body>",
    ),
    ArticlePage(
      name: "a login",
      html: """
        <body><main><h1>Welcome back</h1><form><p>Please log in to go on reading.</p><label>Name</label>
        <input type="text"><label>Password</label><input type="password"><button>Log in</button>
        <p><a href="/f">Forgot your password?</a></p></form></main></body>
        """,
    ),
    ArticlePage(
      name: "a cookie wall",
      html: """
        <body><div id="cookie-wall"><h2>We value your privacy</h2><p>We and our 842 partners store
        and read information on your device, such as cookies, and process personal data, such as
        identifiers, for ads, content, measurement, research, and the development of services.</p>
        <p>With your consent, we and our partners may use precise data, and you may click to agree to
        all of it, or else subscribe, or change your mind at any time, as you see fit, or go away.</p>
        <button>Accept all</button></div></body>
        """,
    ),
    ArticlePage(
      name: "a cookie wall without a name",
      html: """
        <body><div class="m7x"><h2>We value your privacy</h2><p>We and our 842 partners store
        and read information on your device, such as cookies, and process personal data, such as
        identifiers, for ads, content, measurement, research, and the development of services.</p>
        <p>With your consent, we and our partners may use precise data, and you may click to agree to
        all of it, or else subscribe, or change your mind at any time, as you see fit, or go away.</p>
        <button>Accept all</button></div></body>
        """,
    ),
    ArticlePage(
      name: "scripts only",
      html: "<body><div id=root></div><script>\(prose(1))\(prose(2))</script>",
    ),
  ]
}
