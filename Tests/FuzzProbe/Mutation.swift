import TestSupport

/// Documents that resemble good ones: unchanged, damaged in a few places, cut off, put together of
/// two, or made of chance alone.
struct Mutation {
  private let seeds: [[UInt8]]
  private var chance: Chance

  init(of seeds: [[UInt8]], seed: UInt64) {
    self.seeds = seeds
    chance = Chance(seed: seed)
  }

  mutating func next() -> [UInt8] {
    switch chance.below(32) {
    case 0: return anySeed()
    case 1: return (0..<chance.below(300)).map { _ in UInt8(chance.below(256)) }
    default:
      var bytes = anySeed()
      for _ in 0...chance.below(8) { mutate(&bytes) }
      return bytes
    }
  }

  private mutating func anySeed() -> [UInt8] {
    seeds[chance.below(seeds.count)]
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else {
      bytes = [UInt8(chance.below(256))]
      return
    }
    let place = chance.below(bytes.count)
    let part =
      place..<min(place + 1 + chance.below(chance.below(8) == 0 ? 1_000 : 12), bytes.count)
    switch chance.below(10) {
    case 0: bytes[place] = UInt8(chance.below(256))
    case 1: bytes[place] ^= 1 << UInt8(chance.below(8))
    case 2: bytes.removeSubrange(part)
    case 3: bytes.insert(contentsOf: bytes[part], at: chance.below(bytes.count))
    case 4: bytes.replaceSubrange(part, with: repeatElement(bytes[place], count: part.count * 3))
    case 5 where chance.below(4) == 0: bytes.removeSubrange(place...)
    case 6 where chance.below(4) == 0: bytes.replaceSubrange(place..., with: tail(of: anySeed()))
    case 7: bytes.replaceSubrange(part, with: tail(of: anySeed()).prefix(part.count))
    default: bytes.insert(contentsOf: Self.pieces[chance.below(Self.pieces.count)].utf8, at: place)
    }
  }

  private mutating func tail(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.isEmpty ? [] : bytes[chance.below(bytes.count)...]
  }

  private static let pieces = [
    "<", ">", "&", "\"", "'", "/", "=", "]]>", "<![CDATA[", "<!--", "-->", "<?xml ", "?>", "&#",
    ";",
    "&amp;", "&nbsp;", "&#x1F600;", "&#xD800;", "&lt;p&gt;", "<!DOCTYPE r [", "<!ENTITY a 'b'>",
    "&a;",
    "<item>", "</item>", "<entry>", "</channel>", "</rss>", "<rdf:RDF>", "<title type='xhtml'>",
    "xml:base='../'", "xmlns='http://www.w3.org/2005/Atom'", "encoding='utf-16'",
    "encoding='gb18030'",
    "\u{FEFF}", "\u{0}", "\u{202E}", "\u{200D}", "é", "👩", "\r\n", "{", "}", "[", "]", ",", ":",
    "\\ud83d", "\\u0000", "1e999", "<outline ", "<array>", "</dict>", "<key>", "<data>", "<date>",
    "bplist00", "\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}",
  ]
}
