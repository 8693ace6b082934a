import FeedModel
import Testing

@testable import FeedParsing

@Suite("A subscription list is read element by element, within bounds")
struct OutlineParserTests {
  private func read(_ text: String) throws(FeedParsingError) -> OutlineDocument {
    try OutlineParser.read(Array(text.utf8))
  }

  private func error(_ text: String) -> FeedParsingError? {
    do throws(FeedParsingError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("elements, attributes and text come as they are, in document order")
  func elements() throws {
    let result = try read(
      """
      <?xml version="1.0"?><!-- made by hand -->
      <opml version="1.1" xmlns:x="urn:x" author="me"><head><title> A &amp; B </title>
      <x:note at="1">before<x:inner>in</x:inner> after</x:note></head>
      <body><outline TEXT=" spaces " x:mark="a&#10;b&#9;c" y:none="" empty="">
      ignored<outline xmlUrl="u"/></outline><x:end xmlns:x="urn:other"/></body></opml>
      """
    )
    #expect(!result.isCutShort)
    #expect(result.attributes == [.init("author", "me")])
    #expect(
      result.head == [
        OutlineElement(name: "title", text: "A & B"),
        OutlineElement(
          name: "x:note",
          attributes: [.init("at", "1"), .init("xmlns:x", "urn:x")],
          text: "beforeafter",
          children: [
            OutlineElement(name: "x:inner", attributes: [.init("xmlns:x", "urn:x")], text: "in")
          ],
        ),
      ]
    )
    #expect(
      result.body == [
        OutlineElement(
          attributes: [
            .init("TEXT", " spaces "), .init("x:mark", "a\nb\tc"), .init("xmlns:x", "urn:x"),
            .init("y:none", ""), .init("xmlns:y", "urn:undeclared:y"), .init("empty", ""),
          ],
          children: [OutlineElement(attributes: [.init("xmlUrl", "u")])],
        ),
        OutlineElement(name: "x:end", attributes: [.init("xmlns:x", "urn:other")]),
      ]
    )
  }

  @Test("a title is one line without markup, from the text or else the title")
  func titles() {
    func title(_ attributes: OutlineAttribute...) -> String? {
      OutlineElement(attributes: attributes).displayTitle
    }
    #expect(title(.init("text", "<b>Tom</b> &amp; Jerry")) == "Tom & Jerry")
    #expect(title(.init("text", " AT&T\u{202e} \n x")) == "AT&T x")
    #expect(title(.init("text", " "), .init("TITLE", "T")) == "T")
    #expect(title(.init("title", "")) == nil)
  }

  @Test("a list without head and body, or with everything in a namespace, is a list too")
  func unusual() throws {
    let bare = try read("<opml><outline xmlUrl='a'/><outline xmlUrl='b'/></opml>")
    #expect(bare.body.map(\.children) == [[], []] && bare.head.isEmpty)
    let named = try read("<OPML xmlns='urn:o'><BODY><Outline xmlUrl='a'/></BODY></OPML>")
    #expect(named.body == [OutlineElement(name: "Outline", attributes: [.init("xmlUrl", "a")])])
    #expect(named.attributes.isEmpty)
  }

  @Test("a list that breaks off gives what is there, and says so")
  func cutShort() throws {
    let result = try read("<opml><body><outline text='A'><outline xmlUrl='a'/><outline xmlU")
    #expect(result.isCutShort)
    #expect(result.body.map(\.children.count) == [1])
  }

  @Test("what is too deep or too much is refused, and so is what could expand")
  func bounds() {
    func nested(_ depth: Int) -> String {
      let start = String(repeating: "<outline text='x'>", count: depth)
      return "<opml><body>\(start)\(String(repeating: "</outline>", count: depth))</body></opml>"
    }
    #expect(error(nested(64)) == nil)
    #expect(error(nested(65)) == .limitExceeded(name: "depth of folders", limit: 64))
    #expect(error(nested(5000)) == .limitExceeded(name: "depth of folders", limit: 64))
    let many = String(repeating: "<outline/>", count: 100_001)
    #expect(
      error("<opml><body>\(many)</body></opml>")
        == .limitExceeded(name: "number of outlines", limit: 100_000)
    )
    let type = "<!DOCTYPE opml [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]>"
    #expect(error(type + nested(1)) == nil)
    let file = "<!DOCTYPE opml [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"
    #expect(error(file + nested(1)) == nil)
    #expect(error("<rss/>") == .notAFeed(root: "rss"))
    #expect(error("") != nil)
  }
}
