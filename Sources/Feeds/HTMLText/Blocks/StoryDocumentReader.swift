package import FeedModel
internal import HTMLParsing
internal import System

package enum StoryDocumentReader {
  /// Returns the text as blocks.
  ///
  /// Relative links are against `link`, the story's own, where the text has no base; it may be
  /// empty.
  package static func document(_ text: StoryText, link: String) -> StoryDocument {
    if let lines = StoryMarkup.bareLines(text) { return plain(lines) }
    let builder = StoryBuilder(StoryReferences(base: text.base, link: link))
    let tree = HTMLTree.fragment(spaced(text.bytes))
    tree.tell(builder)
    var document = StoryDocument(blocks: builder.finish())
    document.isCut = tree.isCut
    document.isBeginning = text.isCut
    return document
  }

  /// Replaces control characters by spaces; browsers drop some of them.
  private static func spaced(_ bytes: [UInt8]) -> [UInt8] {
    func isControl(_ byte: UInt8) -> Bool {
      byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || byte == 0x7F
    }
    return bytes.contains(where: isControl) ? bytes.map { isControl($0) ? 0x20 : $0 } : bytes
  }

  /// Makes paragraphs, which end at blank lines; their lines stay.
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
    return StoryDocument(blocks: blocks)
  }
}

struct StoryReferences {
  enum Target: Hashable, Sendable {
    case url(String)
    case within
  }

  private let base: String?
  private let page: Substring

  init(base: String?, link: String) {
    let link: String? = link.isEmpty ? nil : link
    self.base = base.flatMap { WebURL.resolveBase($0, against: link) } ?? link
    page = Self.page(link ?? "")
  }

  /// Returns nil for a reference that is not http, https or mailto.
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
