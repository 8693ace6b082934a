package import FeedModel
internal import FeedParsing
internal import System

/// Reads a story's whole text, whatever it is.
package enum StoryDocumentReader {
  /// The text as blocks.
  ///
  /// Relative links are against `link`, the story's own, where the text has no base; it may be empty.
  package static func document(_ text: StoryText, link: String) -> StoryDocument {
    if let lines = StoryMarkup.bareLines(text) { return plain(lines) }
    let builder = StoryBuilder(StoryReferences(base: text.base, link: link))
    // A zero is white space here as all control characters are; to browsers it is nothing.
    let bytes = text.bytes.contains(0) ? text.bytes.map { $0 == 0 ? 0x20 : $0 } : text.bytes
    let tree = HTMLTree.fragment(bytes)
    tree.tell(builder)
    var document = StoryDocument(blocks: builder.finish())
    document.isCut = tree.isCut
    document.isBeginning = text.isCut
    return document
  }

  /// Paragraphs end at blank lines; their lines stay.
  private static func plain(_ lines: [String]) -> StoryDocument {
    var blocks: [StoryBlock] = []
    var inlines: [StoryInline] = []
    func end() {
      if !inlines.isEmpty { blocks.append(.paragraph(inlines)) }
      inlines = []
    }
    for line in lines {
      if line.isEmpty {
        end()
      } else {
        if !inlines.isEmpty { inlines.append(.lineBreak) }
        inlines.append(.text(StoryRun(line)))
      }
    }
    end()
    return StoryDocument(blocks: blocks, isPlainText: true)
  }
}

/// What the references in a story's text mean.
struct StoryReferences {
  enum Target: Hashable, Sendable {
    case url(String)
    /// A place in the text itself.
    case within
  }

  private let base: String?
  private let page: Substring

  init(base: String?, link: String) {
    let link: String? = link.isEmpty ? nil : link
    self.base = base.flatMap { WebURL.resolveBase($0, against: link) } ?? link
    page = Self.page(link ?? "")
  }

  /// Nil for what is none of http, https and mailto.
  func target(_ reference: String) -> Target? {
    let reference = SafeText.line(reference)
    if reference.utf8.first == UInt8(ascii: "#") { return .within }
    if WebURL.isMail(reference) { return .url(reference) }
    guard let url = url(reference) else { return nil }
    return url.utf8.contains(UInt8(ascii: "#")) && Self.page(url) == page ? .within : .url(url)
  }

  func url(_ reference: String) -> String? {
    WebURL.resolve(reference, against: base)
  }

  private static func page(_ url: String) -> Substring {
    url.prefix { $0 != "#" }
  }
}
