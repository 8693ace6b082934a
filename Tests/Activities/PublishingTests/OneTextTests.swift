import FeedModel
import TestSupport
import Testing

@testable import FeedParsing
@testable import HTMLText
@testable import Publishing

/// Lists, searches, `show` with `browse`, and `publish` each make another form of a text.
@Suite("A text says the same wherever it is read")
struct OneTextTests {
  @Test("its words are the same in lists, in searches, in show and in what is published")
  func words() throws {
    var differences: [String] = []
    let texts = try Self.texts(in: BuiltProduct.fixture(""))
    #expect(!texts.isEmpty)
    for (summary, text) in texts {
      let document = StoryDocumentReader.document(text, link: "https://example.com/")
      let shown = Self.letters(document)
      let html = StoryHTML.markup(document, below: 2).bytes
      let published = StoryDocumentReader.document(StoryText(isHTML: true, bytes: html), link: "")
      // The lines tell pictures in words besides.
      if !Self.isWithin(Self.letters(text.line), shown) {
        differences.append("searched \(text.line), shown \(shown)")
      }
      if !Self.isWithin(shown, Self.letters(published)) {
        differences.append("published \(Self.letters(published)), shown \(shown)")
      }
      if !Self.isWithin(Self.letters(summary), shown) {
        differences.append("listed \(summary), shown \(shown)")
      }
    }
    #expect(differences.prefix(5) == [])
  }

  private static func texts(in folder: String) throws -> [(String, StoryText)] {
    var texts: [(String, StoryText)] = []
    var limits = ParsingLimits.standard
    limits.kept = .texts
    let found = try Subprocess.run(["find", folder, "-type", "f", "-size", "-512k"])
    for path in found.text.split(separator: "\n").map(String.init) {
      if path.hasSuffix(".expected.json") { continue }
      let bytes = try readFile(path)
      if path.hasSuffix(".html") {
        texts.append(("", StoryText(isHTML: true, bytes: bytes)))
        continue
      }
      let feed = bytes.withUnsafeBytes {
        try? FeedParser.feed($0, url: "https://example.org/", limits: limits)
      }
      guard let feed else { continue }
      for (item, text) in zip(feed.items, feed.texts) {
        let summary = item.summary ?? ""
        texts.append((summary, text ?? StoryText(isHTML: false, bytes: Array(summary.utf8))))
      }
    }
    return texts
  }

  /// Returns the letters and digits of a text; raised and lowered digits are equal to those in the
  /// line.
  private static func letters(_ text: String) -> String {
    text.map { $0.wholeNumberValue.map(String.init) ?? ($0.isLetter ? String($0) : "") }.joined()
  }

  private static func letters(_ document: StoryDocument) -> String {
    letters(document.lines.joined())
  }

  private static func isWithin(_ text: String, _ other: String) -> Bool {
    var rest = Substring(other)
    return text.allSatisfy { character in
      guard let index = rest.firstIndex(of: character) else { return false }
      rest = rest[rest.index(after: index)...]
      return true
    }
  }
}
