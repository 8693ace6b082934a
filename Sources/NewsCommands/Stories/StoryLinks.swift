import FeedModel
import FeedParsing

/// A web address that stands in a word of plain text.
struct TextLink: Hashable, Sendable {
  /// Safe to print and to open.
  let url: String
  /// What stands before and after it, such as brackets and the full stop.
  let before: Substring
  let after: Substring

  init?(in word: Substring) {
    guard let start = Self.start(in: word) else { return nil }
    var url = word[start...].prefix { $0.isASCII && !"<>\"`".contains($0) }
    while let last = url.last, ".,;:!?'".contains(last) || Self.isUnopened(last, in: url) {
      url.removeLast()
    }
    guard SafeLink.isSafe(String(url)) else { return nil }
    self.url = String(url)
    before = word[..<start]
    after = word[url.endIndex...]
  }

  private static func start(in word: Substring) -> Substring.Index? {
    guard word.utf8.count > 8 else { return nil }
    return word.indices.first { index in
      word[index] == "h"
        && (word[index...].hasPrefix("https://") || word[index...].hasPrefix("http://"))
    }
  }

  /// A closing bracket whose opening one stands before the URL: "(see https://example.com/)".
  private static func isUnopened(_ character: Character, in url: Substring) -> Bool {
    let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    guard let opening = pairs[character] else { return false }
    return url.count { $0 == opening } < url.count { $0 == character }
  }
}

/// The links of a story, numbered from 1: its own, those in its summary, those of its enclosures and
/// related files; with its whole text: its own, those of the files, those in the text.
struct StoryLinks: Hashable, Sendable {
  /// Safe URLs, none twice.
  private(set) var urls: [String] = []
  private var numbers: [String: Int] = [:]

  init(_ item: Item, _ document: StoryDocument? = nil) {
    add(item.link)
    if document == nil {
      for word in (item.summary ?? "").split(separator: " ") {
        if let link = TextLink(in: word) { add(link.url) }
      }
    }
    for enclosure in item.enclosures { add(enclosure.url) }
    for file in item.related { add(file.url) }
    if let document { add(document.blocks) }
  }

  func number(of url: String) -> Int? {
    numbers[url]
  }

  /// `[3: image: what it shows]`.
  func label(of image: StoryImage) -> String {
    let number = image.url.flatMap(number).map { "\($0): " } ?? ""
    return "[\(number)image\(image.text.isEmpty ? "" : ": \(image.text)")]"
  }

  private mutating func add(_ url: String) {
    guard numbers[url] == nil, SafeLink.isSafe(url) || WebURL.isMail(url) else { return }
    urls.append(url)
    numbers[url] = urls.count
  }
}

extension StoryLinks {
  private mutating func add(_ blocks: [StoryBlock]) {
    for block in blocks {
      switch block {
      case .paragraph(let inlines), .heading(_, let inlines), .preformatted(let inlines):
        add(inlines)
      case .list(let list): for item in list.items { add(item) }
      case .quotation(let blocks): add(blocks)
      case .table(let table):
        add(table.caption)
        for cell in table.rows.joined() { add(cell.blocks) }
      case .rule: break
      case .definitions(let definitions):
        for definition in definitions {
          add(definition.term)
          add(definition.blocks)
        }
      case .figure(let blocks, let caption):
        add(blocks)
        add(caption)
      case .media(let media): if let url = media.url { add(url) }
      }
    }
  }

  private mutating func add(_ inlines: [StoryInline]) {
    for inline in inlines {
      switch inline {
      case .text(let run): if let link = run.link { add(link) }
      case .image(let image): for url in [image.url, image.link] { url.map { add($0) } }
      case .lineBreak: break
      }
    }
  }
}

/// Links that may be printed and opened.
enum SafeLink {
  /// A story's link where it is absolute, else none: a feed in a file has links that lead nowhere.
  static func absolute(_ link: String) -> String { isAbsolute(link) ? link : "" }

  /// Whether `link` leads anywhere by itself.
  static func isAbsolute(_ link: String) -> Bool {
    link.hasPrefix("https://") || link.hasPrefix("http://")
  }

  /// Whether `url` is http or https with a host, and printable ASCII without spaces throughout.
  ///
  /// The data file may come from elsewhere, so what was checked when it was stored is again here.
  static func isSafe(_ url: String) -> Bool {
    let bytes = Array(url.utf8.prefix(8_193))
    guard bytes.count <= 8_192, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
    let start = url.prefix(8).lowercased()
    let prefix = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
    guard prefix > 0, bytes.count > prefix else { return false }
    return bytes[prefix] != UInt8(ascii: "/")
  }
}
