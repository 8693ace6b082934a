struct PageMeasure: Sendable {
  /// The number of characters, with single spaces between words; an ideograph or a syllable counts
  /// for as many letters as say the same.
  var length: Int32 = 0
  /// Tenths of the characters in links; those that stay on the page count for less.
  var linkTenths: Int32 = 0
  /// Those of `linkTenths` in paragraphs that are sentences, which no headline is.
  var sentenceTenths: Int32 = 0
  /// The number of texts that end as sentences do.
  var stops: Int32 = 0
  var commas: Int32 = 0
  var paragraphs: Int32 = 0
  var images: Int32 = 0
  /// The number of things to see or hear that are no text.
  var fillings: Int32 = 0
  var items: Int32 = 0
  var inputs: Int32 = 0
  var headingLength: Int32 = 0
  var listLength: Int32 = 0
  var players: Int32 = 0
  var dataTables: Int32 = 0

  init() {}

  init(_ utf8: ArraySlice<UInt8>) {
    var isBehindSpace = false
    var last: (UInt8, UInt8) = (0, 0)
    for byte in utf8 {
      if byte <= 0x20 {
        isBehindSpace = length > 0
        continue
      }
      if isBehindSpace { length += 1 }
      isBehindSpace = false
      if byte & 0xC0 != 0x80 { length += Self.letters(byte) }
      if byte == UInt8(ascii: ",") || Self.isComma(last, byte) { commas += 1 }
      last = (last.1, byte)
    }
    if Self.endsSentence(utf8) { stops = 1 }
  }

  /// Finds a stop at the end of a text, before quotation marks and brackets.
  private static func endsSentence(_ utf8: ArraySlice<UInt8>) -> Bool {
    var rest = utf8
    while let byte = rest.last {
      if byte <= 0x20 || closings.contains(byte) {
        rest.removeLast()
      } else if byte < 0x80 {
        return fullStops.contains(byte)
      } else if let closing = wideClosings.first(where: { rest.suffix($0.count) == $0[...] }) {
        rest.removeLast(closing.count)
      } else {
        return wideStops.contains { rest.suffix($0.count) == $0[...] }
      }
    }
    return false
  }

  private static let closings = Array("\"')]".utf8)
  private static let wideClosings = ["”", "“", "’", "»", "」", "』", "）"].map { Array($0.utf8) }
  private static let fullStops = Array(".!?".utf8)
  private static let wideStops = ["。", "！", "？", "।", "۔", "؟", "։"].map { Array($0.utf8) }

  /// Tells scripts by a character's first byte: ideographs and kana from U+3000, Hangul up to
  /// U+D7FF.
  private static func letters(_ first: UInt8) -> Int32 {
    switch first {
    case 0xE3...0xE9: 3
    case 0xEA...0xED: 2
    default: 1
    }
  }

  /// Finds the Arabic, the ideographic, the full-width and the small comma.
  private static func isComma(_ last: (UInt8, UInt8), _ byte: UInt8) -> Bool {
    switch (last.0, last.1, byte) {
    case (_, 0xD8, 0x8C), (0xE3, 0x80, 0x81), (0xEF, 0xBC, 0x8C), (0xEF, 0xB9, 0x90): true
    default: false
    }
  }

  var linkDensity: Float { length == 0 ? 0 : Float(linkTenths) / 10 / Float(length) }
  var headingDensity: Float { length == 0 ? 0 : Float(headingLength) / Float(length) }
  /// The density of the links that are no sentences.
  var labelDensity: Float {
    length == 0 ? 0 : Float(linkTenths - sentenceTenths) / 10 / Float(length)
  }
  /// True of a paragraph that ends as a sentence; headlines do not.
  var isSentence: Bool { stops > 0 && length >= 25 }
  var isEmpty: Bool { length == 0 && fillings == 0 }

  mutating func add(_ other: PageMeasure) {
    length += other.length
    linkTenths += other.linkTenths
    sentenceTenths += other.sentenceTenths
    stops += other.stops
    commas += other.commas
    paragraphs += other.paragraphs
    images += other.images
    fillings += other.fillings
    items += other.items
    inputs += other.inputs
    headingLength += other.headingLength
    listLength += other.listLength
    players += other.players
    dataTables += other.dataTables
  }

  mutating func close(_ node: PageTree.Node) {
    switch node.tag {
    case .a: linkTenths = length * (node.marks.contains(.within) ? 3 : 10)
    case .h1, .h2, .h3, .h4, .h5, .h6: headingLength = length
    case .ul, .ol: listLength = length
    case .li: items += 1
    case .input: if node.marks.contains(.field) { inputs += 1 }
    case .img:
      images += 1
      fillings += 1
    case .audio, .video: fillings += 1
    case .iframe where node.marks.contains(.player):
      players += 1
      fillings += 1
    default: break
    }
  }
}

/// A run of text and of phrasing elements, which is a `p` in the page or could be.
struct PageParagraph: Sendable {
  let owner: Int
  var measure = PageMeasure()
}
