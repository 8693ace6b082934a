internal import FeedModel

/// Which headings only say again what the page is called.
enum ArticleTitles {
  private static let separators: Set<Character> = [
    "|", "-", "–", "—", "·", "»", "«", ":", "•", "/",
  ]
  private static let maximumNodes = 64

  static func headings(_ facts: PageFacts) -> [Bool] {
    let titles = facts.tree.titles.map(key).filter { !$0.isEmpty }
    let parts = Set(
      facts.tree.titles.flatMap { $0.split(whereSeparator: separators.contains) }.map(key)
    )
    return facts.tree.nodes.indices.map { index in
      let node = facts.tree.nodes[index]
      guard node.tag == .h1 || node.tag == .h2, let heading = text(facts, index) else {
        return false
      }
      if heading.isEmpty { return false }
      return parts.contains(heading) || titles.contains { isTitle(heading, $0) }
    }
  }

  private static func isTitle(_ heading: String, _ title: String) -> Bool {
    heading == title
      || heading.count >= 10 && (title.hasPrefix(heading) || title.hasSuffix(heading))
  }

  /// Letters and digits alone.
  private static func key(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static func text(_ facts: PageFacts, _ heading: Int) -> String? {
    let range = heading..<facts.tree.nodes[heading].end
    guard range.count <= maximumNodes else { return nil }
    var bytes: [UInt8] = []
    for index in range where facts.tree.nodes[index].tag == .text {
      bytes += facts.tree.text[facts.tree.nodes[index].content].prefix(1024)
    }
    return bytes.count > 4096 ? nil : key(String(decoding: bytes, as: UTF8.self))
  }
}
