import Testing

@testable import System

@Suite("Links without trackers")
struct TrackingTests {
  @Test(
    "what tells a site who comes, and from where, is left out",
    arguments: [
      ("https://e.com/a?utm_source=rss", "https://e.com/a"),
      ("https://e.com/a?UTM_Source=rss&utm_whatever=x", "https://e.com/a"),
      ("https://e.com/?fbclid=x&gclid=y&mc_eid=z&mc_cid=1", "https://e.com/"),
      ("https://e.com?gclid=y", "https://e.com"),
      ("http://e.com/a?igshid=1&msclkid=2&yclid=3&_hsenc=4&mkt_tok=5", "http://e.com/a"),
      ("https://www.bbc.co.uk/n/1?at_medium=RSS&at_campaign=rss", "https://www.bbc.co.uk/n/1"),
      ("https://medium.com/p/1?source=rss----abc---4", "https://medium.com/p/1"),
      ("https://e.com/a?pk_campaign=feed&mtm_source=x", "https://e.com/a"),
      ("https://e.com/a?fbclid", "https://e.com/a"),
      ("https://e.com/a?ref=rss&src=rssfeed&from=RSS&partner=rssnyt", "https://e.com/a"),
      ("https://e.com/a?gad_source=1&gad_campaignid=2&_kx=3&irclickid=4", "https://e.com/a"),
      // Before the address of another page, and with one of their own.
      ("https://e.com/go?utm_source=x&u=https://b.com/", "https://e.com/go?u=https://b.com/"),
      ("https://e.com/a?utm_source=https://b.com/&b=2", "https://e.com/a?b=2"),
      // Names that are escaped, and signs that were escaped twice.
      ("https://e.com/a?utm%5Fsource=rss&b=2", "https://e.com/a?b=2"),
      ("https://e.com/a?b=1&amp;utm_source=rss&amp;c=2", "https://e.com/a?b=1&amp;c=2"),
      ("https://e.com/a?utm_source=rss&amp;utm_medium=x", "https://e.com/a"),
      ("https://e.com/a?b=1;utm_source=rss;c=2", "https://e.com/a?b=1;c=2"),
      // Added behind a query by somebody who did not look.
      ("https://e.com/a?id=5?utm_source=rss&utm_medium=x", "https://e.com/a?id=5"),
      // In the fragment.
      ("https://e.com/a#utm_source=rss&utm_medium=x", "https://e.com/a"),
      ("https://e.com/a#?utm_source=rss", "https://e.com/a"),
      ("https://e.com/a#xtor=RSS-3208", "https://e.com/a"),
      ("https://e.com/a#Echobox=1700000000", "https://e.com/a"),
      ("https://e.com/#/page?utm_source=rss&b=2", "https://e.com/#/page?b=2"),
      ("https://e.com/#!/page?utm_source=rss", "https://e.com/#!/page"),
      ("https://e.com/a?utm_source=rss#top", "https://e.com/a#top"),
      ("https://e.com/a?b=1&fbclid=x#top&utm_source=rss", "https://e.com/a?b=1#top"),
      ("https://e.com/a?utm_id=1#b=1#", "https://e.com/a#b=1#"),
      ("https://e.com/a?b&utm_id=1;&amp;#/x?y=z?", "https://e.com/a?b;&amp;#/x?y=z?"),
    ],
  )
  func trackers(url: String, clean: String) {
    #expect(WebURL.withoutTracking(url) == clean)
    #expect(WebURL.withoutTracking(clean) == clean)
  }

  @Test(
    "addresses in a text lose theirs, and the rest of the text stays",
    arguments: [
      ("See (https://e.com/a?utm_source=x), or\n", "See (https://e.com/a), or\n"),
      (
        "http://f.com/?b=1&fbclid=y.\nOr\thttps://e.com/#utm_id=1!",
        "http://f.com/?b=1.\nOr\thttps://e.com/!",
      ),
      (
        "„https://e.com/?utm_id=x“, 见https://e.com/?gclid=1。", "„https://e.com/“, 见https://e.com/。",
      ),
      ("none: utm_source=x ://?utm_source=x", "none: utm_source=x ://?utm_source=x"), ("", ""),
      ("http:// and https://e.com/?utm_id=x", "http:// and https://e.com/"),
      ("https://e.com/ж?b=ж", "https://e.com/ж?b=ж"),
    ],
  )
  func texts(text: String, clean: String) {
    #expect(TextLink.withoutTracking(in: text) == clean)
  }

  @Test(
    "all else stays byte for byte",
    arguments: [
      ("https://e.com/a?z=1&utm_source=x&a=%c3%a9&b=", "https://e.com/a?z=1&a=%c3%a9&b="),
      ("https://E.com:443/%7ea?c&gclid=1&&d=+", "https://E.com:443/%7ea?c&&d=+"),
      ("https://e.com/a?&utm_source=x&b=2", "https://e.com/a?b=2"),
      ("https://e.com/a?utm_source=x&", "https://e.com/a"),
    ],
  )
  func rest(url: String, clean: String) {
    #expect(WebURL.withoutTracking(url) == clean)
  }

  @Test(
    "what only looks like a tracker stays, as do links of other kinds and broken ones",
    arguments: [
      "https://e.com/a", "https://e.com/a?", "https://e.com/a#", "https://e.com/a?b=1#c",
      "https://e.com/a?&#utm=1#",
      "https://e.com/a?ref=home&source=print&campaign_id=4&mc=1&spm=2&vn_x=1&pk_article=3",
      "https://e.com/a?utm=1&utmost=2&xutm_source=3&q=utm_source&gclid2=4",
      "https://e.com/go?to=https%3A%2F%2Fb.com%2F%3Fa%3D1%26utm_source%3Dx",
      "https://git.example/o/r/README.md?ref=rss-support", "https://e.com/t?src=rss/icon.png",
      "https://univis.example/form?__s=2&dsc=a/b&__e=1",
      // A page that is known by the whole address of another.
      "https://web.archive.org/web/2020/https://b.com/a?utm_source=x&id=10",
      "https://urldefense.com/v3/__https://b.com/a?utm_source=x__;!!abc!def",
      "https://e.com/go?u=https://b.com/a?utm_source=x&id=9",
      // A letter and its end, which go by the recipient.
      "https://e.com/v/emailWebview?mkt_tok=a", "https://e.com/UnsubscribePage?mkt_tok=a&utm_id=1",
      "https://e.com/UNSUBSCRIBE?utm_id=1", "https://e.com/a?EMailWebView&utm_id=1",
      "https://e.com/p?action=unsubscribe&mc_eid=1",
      // A signature is one of all parameters.
      "https://b.s3.amazonaws.com/k?X-Amz-Expires=9&utm_source=x&X-Amz-Signature=ab",
      "https://d1.cloudfront.net/a?utm_source=x&Expires=1&Signature=ab&Key-Pair-Id=c",
      "https://e.com/utm_source=x/a", "https://utm_source.com/?id=1", "https://e.com/a#fbclid",
      "mailto:a@e.com?subject=1&utm_source=x", "ftp://e.com/?utm_source=x", "/a?utm_source=x",
      "https://?utm_source=x", "https:///a?utm_source=x", "https://e.com/a b?utm_source=x",
      "utm_source=x", "?utm_source=x", "#utm_source=x", "",
    ],
  )
  func untouched(url: String) {
    #expect(WebURL.withoutTracking(url) == url)
  }
}
