internal import System

/// Finds the headings that only repeat the page's title.
enum ArticleTitles {
  private static let separators: Set<Unicode.Scalar> = [
    "|", "-", "–", "—", "·", "»", "«", ":", "•", "/",
  ]
  private static let maximumNodes = 64

  static func headings(_ tree: PageTree) -> [Bool] {
    let titles = tree.titles.map { key($0.utf8) }.filter { !$0.isEmpty }
    let parts = Set(
      tree.titles.flatMap { $0.unicodeScalars.split(whereSeparator: separators.contains) }
        .map { key(String($0).utf8) }
    )
    return tree.nodes.indices.map { index in
      let node = tree.nodes[index]
      guard node.tag == .h1 || node.tag == .h2, let heading = text(tree, index) else {
        return false
      }
      if heading.isEmpty { return false }
      return parts.contains(heading) || titles.contains { isTitle(heading, $0) }
    }
  }

  private static func isTitle(_ heading: [UInt8], _ title: [UInt8]) -> Bool {
    heading == title
      || heading.count >= 10
        && (title.starts(with: heading) || title.suffix(heading.count).elementsEqual(heading))
  }

  /// Returns letters and digits alone, as `PhraseText` folds them; other scripts' signs stay.
  private static func key(_ utf8: some Collection<UInt8>) -> [UInt8] {
    let folded = PhraseText.folded(utf8)
    var key: [UInt8] = []
    var index = 0
    while index < folded.count {
      let byte = folded[index]
      if byte == 0xC2 || byte == 0xE2 {
        // The lead bytes of typographic signs: quotation marks, dashes.
        index += byte == 0xC2 ? 2 : 3
        continue
      }
      if byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit { key.append(byte) }
      index += 1
    }
    return key
  }

  private static func text(_ tree: PageTree, _ heading: Int) -> [UInt8]? {
    let range = heading..<tree.nodes[heading].end
    guard range.count <= maximumNodes else { return nil }
    var bytes: [UInt8] = []
    for index in range where tree.nodes[index].tag == .text {
      bytes += tree.text[tree.nodes[index].content].prefix(1024)
    }
    return bytes.count > 4096 ? nil : key(bytes)
  }
}
