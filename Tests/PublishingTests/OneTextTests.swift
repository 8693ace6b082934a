import FeedModel
import System
import TestSupport
import Testing

@testable import FeedParsing
@testable import HTMLText
@testable import Publishing

/// Lists, searches, `show` with `browse`, and `publish` each make something else of a text.
@Suite("A text says the same wherever it is read")
struct OneTextTests {
  @Test("its words are the same in lists, in searches, in show and in what is published")
  func words() throws {
    var differences: [String] = []
    let texts = try Self.texts(in: BuiltProduct.fixture(""))
    #expect(texts.count > 100)
    for (summary, text) in texts {
      let document = StoryDocumentReader.document(text, link: "https://example.com/")
      let shown = Self.words(document)
      let html = StoryHTML.markup(document, below: 2).bytes
      let published = StoryDocumentReader.document(StoryText(isHTML: true, bytes: html), link: "")
      let searched = Self.words(text.line)
      if searched != shown { differences.append("searched \(searched), shown \(shown)") }
      if Self.words(published) != shown {
        differences.append("published \(Self.words(published)), shown \(shown)")
      }
      // The last word may be cut.
      let listed = Self.words(summary).dropLast()
      if !shown.starts(with: listed) { differences.append("listed \(listed), shown \(shown)") }
    }
    #expect(differences.prefix(5) == [])
  }

  /// The texts of all stories below a folder with their summaries, and what stands in pages there.
  private static func texts(in folder: String) throws -> [(String, StoryText)] {
    var texts: [(String, StoryText)] = []
    let found = try Subprocess.run(["find", folder, "-type", "f", "-size", "-512k"])
    for path in found.text.split(separator: "\n").map(String.init) {
      let bytes = try readFile(path)
      if path.hasSuffix(".html") {
        texts.append(("", StoryText(isHTML: true, bytes: bytes)))
        continue
      }
      let feed = bytes.withUnsafeBytes { try? FeedParser.feed($0, url: "https://example.org/") }
      guard let feed else { continue }
      for (item, text) in zip(feed.items, feed.texts) {
        guard let text else { continue }
        texts.append((item.summary ?? "", text))
      }
    }
    return texts
  }

  private static func words(_ text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Words of its texts: what pictures show is said only where nothing else is.
  private static func words(_ document: StoryDocument) -> [String] {
    words(document.lines.joined(separator: " "))
  }
}
