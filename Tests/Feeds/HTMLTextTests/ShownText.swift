import CommandLine
import FeedModel
import System

@testable import HTMLText

enum ShownText {
  static let link = "https://example.com/story"

  static func document(_ html: String) -> StoryDocument {
    StoryDocumentReader.document(StoryText(isHTML: true, bytes: Array(html.utf8)), link: link)
  }

  static func summary(_ html: String) -> String {
    let output = TextBuffer()
    Array(html.utf8).withUnsafeBufferPointer { StorySummary.append(html: $0, to: output) }
    return output.string
  }

  static func lines(_ html: String, columns: Int = 80, isUnicode: Bool = true) -> [String] {
    let document = document(html)
    var layout = StoryLayout(
      columns: columns,
      signs: StorySigns(isUnicode: isUnicode, hasLooks: false),
      links: StoryLinks(Item(title: "T", link: link), document),
    )
    layout.add(document)
    return layout.lines.map { $0.text(.plain) }
  }
}
