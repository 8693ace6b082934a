internal import HTMLText
import System

struct SitePage {
  let site: String
  let title: String
  /// The path to the top of the site: empty, or `../`.
  let root: String

  /// The policy that loads nothing from elsewhere but the images of stories, and runs no script but
  /// our own.
  private static let policy: Markup = """
    default-src 'none'; img-src http: https:; style-src 'self'; script-src 'self'; \
    base-uri 'none'; form-action 'none'
    """

  private static let feeds = [
    ("Atom", "atom.xml"), ("RSS", "rss.xml"), ("JSON Feed", "feed.json"), ("OPML", "feeds.opml"),
  ]

  /// Makes the page.
  ///
  /// It announces one of its feeds alone: they are equal, and a user who follows the page is not to
  /// be asked which.
  func document(_ main: Markup) -> [UInt8] {
    var page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(title == site ? site : "\(title) – \(site)")</title>
      <link rel="stylesheet" href="\(root)style.css">
      <link rel="alternate" type="application/atom+xml" title="\(site)" href="\(root)atom.xml">
      <script src="\(root)search.js" defer></script>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the stories</a>
      <header>
      <p class="site"><a href="\(root)index.html" dir="auto">\(site)</a></p>
      <nav aria-label="Site">
      <ul>
      <li><a href="\(root)archive.html">Days and feeds</a></li>

      """
    for (name, file) in Self.feeds {
      page += "<li><a href=\"\(root)\(file)\">\(name)</a></li>\n"
    }
    page += """
      </ul>
      </nav>
      </header>
      <main id="main" tabindex="-1">
      <h1 dir="auto">\(title)</h1>
      \(main)</main>
      </body>
      </html>

      """
    return page.bytes
  }
}

struct SiteArticle {
  let root: String
  let clock: WallClock
  let level: Int
  /// True if articles name their day, since the page does not.
  var hasDay = false

  private static let summaryCharacters = 300

  func whole(_ story: SiteStory, of feed: SiteFeed?) -> Markup {
    var article = start(story, of: feed, address: "#\(story.entry.anchor)")
    let text = StoryHTML.markup(story.document, below: level)
    if !text.isEmpty { article += "<div class=\"text\" lang=\"\" dir=\"auto\">\n\(text)</div>\n" }
    if !story.enclosures.isEmpty {
      article += "<ul class=\"files\">\n"
      for file in story.enclosures {
        article += "<li>\(StoryHTML.anchor(file.url, "\(file.words)"))</li>\n"
      }
      article += "</ul>\n"
    }
    article += "</article>\n"
    return article
  }

  func brief(_ story: SiteStory, of feed: SiteFeed?) -> Markup {
    let address = root + story.entry.address
    var article = start(story, of: feed, address: address)
    let summary = SafeText.prefix(story.summary, maximumCharacters: Self.summaryCharacters)
    if !summary.isEmpty, summary != story.title {
      article += "<p lang=\"\" dir=\"auto\">\(summary)</p>\n"
    }
    if story.hasWholeText {
      let title: Markup = "<span class=\"unseen\">: <span lang=\"\">\(story.title)</span></span>"
      article += "<p class=\"more\"><a href=\"\(address)\">Whole text\(title)</a></p>\n"
    }
    article += "</article>\n"
    return article
  }

  private func start(_ story: SiteStory, of feed: SiteFeed?, address: String) -> Markup {
    var title: Markup = "\(story.title)"
    if let link = story.link { title = StoryHTML.anchor(link, title) }
    return """
      <article id="\(story.entry.anchor)">
      <h\(level) lang="" dir="auto">\(title)</h\(level)>
      <p class="meta">\(facts(story, feed, address).joined(" · "))</p>

      """
  }

  private func facts(_ story: SiteStory, _ feed: SiteFeed?, _ address: String) -> [Markup] {
    var facts: [Markup] = []
    if let feed {
      facts.append("<a href=\"\(root)\(feed.page)\" lang=\"\" dir=\"auto\">\(feed.name)</a>")
    }
    if let author = story.author {
      facts.append("<span lang=\"\" dir=\"auto\">\(author)</span>")
    }
    guard let instant = story.entry.instant else {
      return facts + ["<a href=\"\(address)\">without a date</a>"]
    }
    let words =
      hasDay
      ? SiteDay.wordsWithTime(instant, clock) : clock.civilTime(instant).timeText
    let exact = SiteDay.exact(instant)
    return facts + ["<a href=\"\(address)\"><time datetime=\"\(exact)\">\(words)</time></a>"]
  }
}
