import FeedModel
import Testing

@testable import FeedParsing

@Suite("What feeds say of an episode, and where it is commented on")
struct EpisodeTests {
  private func item(_ inside: String, link: String = "") throws -> Item {
    let feed = try FeedParser.feed(
      """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
      xmlns:podcast="https://podcastindex.org/namespace/1.0" \
      xmlns:atom="http://www.w3.org/2005/Atom" \
      xmlns:slash="http://purl.org/rss/1.0/modules/slash/"><channel><title>T</title>\(link)\
      <itunes:season>9</itunes:season><item><title>a</title>\(inside)</item></channel></rss>
      """
    )
    return try #require(feed.items.first)
  }

  @Test(
    "season and episode are whole numbers above zero, in either vocabulary",
    arguments: [
      ("", nil, nil), ("<itunes:season>2</itunes:season>", 2, nil),
      ("<itunes:episode> 15\n</itunes:episode><itunes:season>2</itunes:season>", 2, 15),
      ("<podcast:season name='Race'>3</podcast:season>", 3, nil),
      ("<podcast:episode display='Ch.3'>204</podcast:episode>", nil, 204),
      ("<itunes:season>0</itunes:season><itunes:episode>-1</itunes:episode>", nil, nil),
      ("<itunes:season>two</itunes:season><podcast:episode>3.5</podcast:episode>", nil, nil),
      ("<itunes:episode>99999999999999999999</itunes:episode>", nil, nil),
    ] as [(String, Int?, Int?)],
  )
  func numbers(_ elements: String, _ season: Int?, _ episode: Int?) throws {
    let item = try item(elements)
    #expect(item.season == season)
    #expect(item.episode == episode)
  }

  @Test("chapters stand in Atom, too, without their list, and in any order of elements")
  func atomChapters() throws {
    let feed = try FeedParser.feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:p="http://podlove.org/simple-chapters/">
      <title>T</title><p:chapters><p:chapter start="1" title="of no episode"/></p:chapters>
      <entry><title>a<p:chapter start="7" title="in a text"/></title>
      <p:chapter start="90" title="b" href="https://a.example/b"/>
      <p:chapters xml:base="https://b.example/x/"><p:chapter start="0" title="c" href="y"/></p:chapters>
      <summary>s</summary></entry></feed>
      """
    )
    let item = try #require(feed.items.first)
    #expect(
      item.chapters == [
        Chapter(start: 0, title: "c", url: "https://b.example/x/y"),
        Chapter(start: 90, title: "b", url: "https://a.example/b"),
      ]
    )
    #expect(item.summary == "s")
  }

  @Test("a person whose end tag is missing ends where the next element begins")
  func openPerson() throws {
    let item = try item("<podcast:person role='guest'>Bo<guid>g</guid><podcast:person>Ida</item>")
    #expect(item.people.first?.name.hasPrefix("Ida") == true)
    #expect(item.people.last == Person(name: "Bo", role: "guest"))
    #expect(item.guid == "g")
  }

  @Test(
    "comments are a web address; how many there are is something else",
    arguments: [
      ("", nil),
      ("<comments>https://x.example/1#comments</comments>", "https://x.example/1#comments"),
      ("<comments>/1#c</comments>", "https://blog.example/1#c"),
      ("<comments>javascript:alert(1)</comments>", nil), ("<comments>12</comments>", nil),
      ("<slash:comments>12</slash:comments>", nil),
      (
        "<atom:link rel='replies' type='text/html' href='https://x.example/2'/>",
        "https://x.example/2",
      ),
      ("<atom:link rel='Replies' href='https://x.example/2'/>", "https://x.example/2"),
      ("<atom:link rel='replies' type='application/atom+xml' href='https://x.example/f'/>", nil),
      ("<atom:link rel='replies'>https://x.example/2</atom:link>", nil),
    ] as [(String, String?)],
  )
  func comments(_ elements: String, _ link: String?) throws {
    let feed = elements.contains("/1#c<") ? "<link>https://blog.example/</link>" : ""
    #expect(try item(elements, link: feed).comments == link)
    #expect(try item("<comments>/1#c</comments>").comments == nil)
  }
}
