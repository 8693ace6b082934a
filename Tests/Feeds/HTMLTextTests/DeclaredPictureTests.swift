import FeedModel
import Testing

@testable import HTMLText

@Suite("A picture that a story's feed declares")
struct DeclaredPictureTests {
  private func pictures(_ html: String, _ item: Item) -> [String] {
    let text = StoryText(isHTML: true, bytes: Array(html.utf8))
    let document = StoryDocumentReader.document(text, link: "https://a.example/1")
    return document.belowPicture(of: item).images.compactMap(\.url)
  }

  @Test("it stands above a text without pictures, and beside no other")
  func places() {
    var item = Item(title: "a")
    #expect(pictures("<p>x</p>", item) == [])
    item.related = [
      RelatedFile(role: .via, url: "https://v.example/"),
      RelatedFile(role: .image, url: "ftp://a.example/0.png"),
      RelatedFile(role: .image, url: "https://a.example/1.png"),
    ]
    #expect(pictures("<p>x</p>", item) == ["https://a.example/1.png"])
    #expect(pictures("", item) == ["https://a.example/1.png"])
    #expect(pictures("<p>x<img src='/own.png'></p>", item) == ["https://a.example/own.png"])
    item.enclosures = [Enclosure(url: "https://a.example/2.jpg", type: "image/jpeg")]
    #expect(pictures("<img src='data:image/png;base64,AA'>", item) == ["https://a.example/2.jpg"])
  }

  @Test("it is numbered where it stands among the links, and drawn")
  func links() {
    var item = Item(title: "a", link: "https://a.example/1")
    item.related = [RelatedFile(role: .image, url: "https://a.example/1.png")]
    let document = StoryDocument().belowPicture(of: item)
    let links = StoryLinks(item, document)
    #expect(links.urls == ["https://a.example/1", "https://a.example/1.png"])
    #expect(links.pictures == ["https://a.example/1.png"])
  }

  @Test("audio and video of its files stand above a text that does not play them itself")
  func players() {
    var item = Item(title: "a")
    item.enclosures = [
      Enclosure(url: "https://a.example/1.mp3", type: "Audio/mpeg"),
      Enclosure(url: "https://a.example/2.mp4", type: "video/mp4"),
      Enclosure(url: "https://a.example/3", type: nil),
      Enclosure(url: "https://a.example/4.pdf", type: "application/pdf"),
    ]
    let text = StoryText(isHTML: true, bytes: Array("<video src='/2.mp4'></video>x".utf8))
    let own = StoryDocumentReader.document(text, link: "https://a.example/1")
    let audio = StoryMedia(.audio, type: "Audio/mpeg", url: "https://a.example/1.mp3")
    #expect(own.belowPlayers(of: item).blocks == [.media(audio)] + own.blocks)
    item.enclosures = Array(item.enclosures.prefix(2))
    for around in ["<ul><li>", "<table><tr><td>a<td>", "<dl><dt>a<dd>"] {
      let files = "\(around)<audio src='/1.mp3'></audio><video src='/2.mp4'></video>x"
      let text = StoryText(isHTML: true, bytes: Array(files.utf8))
      let inside = StoryDocumentReader.document(text, link: "https://a.example/1")
      #expect(inside.belowPlayers(of: item) == inside, "\(around)")
    }
    let html = StoryHTML.markup(StoryDocument().belowPlayers(of: item), below: 1, plays: true)
    let lines = [("audio", "1.mp3"), ("video", "2.mp4")].map { name, file in
      let url = "https://a.example/\(file)"
      return "<\(name) controls preload=\"none\" src=\"\(url)\">"
        + "<a href=\"\(url)\" rel=\"noopener noreferrer\">\(file)</a></\(name)>\n"
    }
    #expect(String(decoding: html.bytes, as: UTF8.self) == lines.joined())
  }
}
