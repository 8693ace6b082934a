package import FeedModel
internal import HTMLParsing
internal import System

extension StoryDocument {
  /// The texts of the paragraphs, headings, items and cells, in their order.
  package var lines: [String] { blocks.flatMap(\.texts).map(\.text).filter { !$0.isEmpty } }

  /// Returns the whole text as one line.
  func words(hasPictures: Bool) -> String {
    blocks.flatMap(\.texts).map { inlines in
      inlines.map { inline in
        guard case .image(let image) = inline else { return inline }
        return .text(StoryRun(hasPictures ? " \(image.text) " : ""))
      }.text
    }.joined(separator: " ")
  }

  package var images: [StoryImage] {
    blocks.flatMap(\.texts).joined().compactMap { inline in
      if case .image(let image) = inline { image } else { nil }
    }
  }
}

extension StoryBlock {
  fileprivate var texts: [[StoryInline]] {
    (inlines.map { [$0] } ?? []) + children.flatMap(\.texts)
  }
}

extension [StoryInline] {
  fileprivate var text: String {
    inLine(isUnicode: true).map { $0.text(lineBreak: " ") }.joined()
  }
}

extension StoryText {
  /// The words that are shown as one line of plain text, for searches.
  package var line: String { line(hasPictures: true) }

  package var lineWithoutPictures: String { line(hasPictures: false) }

  private func line(hasPictures: Bool) -> String {
    guard isHTML else { return bytes.withUnsafeBufferPointer { SafeText.line(utf8: $0) } }
    if let line = StoryMarkup.line(bytes, hasPictures: hasPictures) { return line }
    let document = StoryDocumentReader.document(self, link: "")
    return SafeText.line(document.words(hasPictures: hasPictures))
  }

  /// The number of words (`WordCount`); nil where there are none.
  package var words: Int? { Self.count(line) }

  package static func words(ofSummary summary: String?) -> Int? { summary.flatMap(count) }

  private static func count(_ text: String) -> Int? {
    let words = WordCount.words(text)
    return words > 0 ? words : nil
  }

  /// True if the text is not whole: its page shows only the beginning, or it is beyond the limits.
  package var isShortened: Bool {
    guard !isCut, isHTML else { return isCut }
    // With fewer tags nothing is too deep or too long.
    let tags = bytes.lazy.count { $0 == UInt8(ascii: "<") }
    return tags >= 256 && HTMLTree.fragment(bytes).isCut
  }
}
