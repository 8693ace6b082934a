/// The beginning of a story in its feed: a page with that text has the story.
struct TeaserText {
  /// Letters and figures alone, in lower case: signs and white space differ.
  private let letters: [UInt32]
  /// The length of the feed's text and a quarter more: a shorter article brings nothing new.
  let length: Int

  /// The least number of letters that tell a page from any other.
  private static let fewest = 24
  private static let most = 80

  init?(_ text: String) {
    letters = Self.letters(of: text.unicodeScalars.prefix(2 * Self.most))
    length = text.count + text.count / 4
    if letters.count < Self.fewest { return nil }
  }

  func block(in facts: PageFacts) -> Int? {
    var (text, nodes): ([UInt32], [(index: Int, start: Int)]) = ([], [])
    for index in facts.tree.nodes.indices where facts.tree.nodes[index].tag == .text {
      let bytes = facts.tree.text[facts.tree.nodes[index].content]
      let own = Self.letters(of: String(decoding: bytes, as: UTF8.self).unicodeScalars)
      nodes.append((index, text.count))
      text += own
    }
    guard let range = text.firstRange(of: letters),
      let first = nodes.last(where: { $0.start <= range.lowerBound })?.index,
      let last = nodes.last(where: { $0.start < range.upperBound })?.index
    else { return nil }
    var block = facts.tree.nodes[first].parent
    while facts.tree.nodes[block].end <= last || facts.tree.nodes[block].tag.isPhrasing {
      block = facts.tree.nodes[block].parent
    }
    return block
  }

  private static func letters(of text: some Sequence<Unicode.Scalar>) -> [UInt32] {
    text.compactMap { scalar in
      switch scalar {
      case "a"..."z", "0"..."9": scalar.value
      case "A"..."Z": scalar.value | 0x20
      default: !scalar.isASCII && scalar.properties.isAlphabetic ? scalar.value : nil
      }
    }
  }
}
