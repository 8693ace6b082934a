internal import System

/// The statements of a page about its article for search engines: `meta`, and JSON-LD (schema.org).
///
/// The JSON is searched as text: in many pages it has an error at which a parser would end.
package struct PageClaims: Sendable {
  package var isArticle = false
  /// True where not everybody may read all of it (`isAccessibleForFree`, `article:content_tier`).
  package var isLimited = false
  package var isFree = false
  /// The classes of the parts that not everybody may read (`hasPart.cssSelector`).
  package private(set) var limitedClasses: Set<String> = []
  /// The longest `articleBody`: UTF-8, plain text or HTML.
  package private(set) var body: [UInt8] = []
  /// The `wordCount`; 0 where it is not told.
  package private(set) var words = 0

  package init() {}

  private static let maximumString = 1 << 20

  package init(_ page: HTMLTree) {
    self.init()
    for node in page.nodes where node.tag == .script && node.first != HTMLTree.Node.none {
      guard HTMLAttributes(page, node.content)["type"]?.contains("ld+json") == true else {
        continue
      }
      let content = page[node.first].content
      page.text.withUnsafeBytes { text in
        let range = Int(content.lowerBound)..<Int(content.upperBound)
        add(json: UnsafeRawBufferPointer(rebasing: text[range]))
      }
    }
  }

  package mutating func add(property: String, content: String) {
    switch property {
    case "og:type": if content == "article" { isArticle = true }
    case "article:content_tier": if content == "locked" { isLimited = true }
    case "isAccessibleForFree": if Self.isFalse(Array(content.utf8)) { isLimited = true }
    default: break
    }
  }

  mutating func add(json: UnsafeRawBufferPointer) {
    var position = 0
    var key: [UInt8] = []
    while let start = ByteScan.first(UInt8(ascii: "\""), in: json, from: position) {
      guard let end = Self.stringEnd(json, start + 1) else { return }
      let string = UnsafeRawBufferPointer(rebasing: json[start + 1..<end])
      position = Self.behindSpace(json, end + 1)
      guard position < json.count, json[position] == UInt8(ascii: ":") else {
        if !key.isEmpty { take(string, of: key) }
        // A list's strings all belong to its key.
        if position == json.count || json[position] != UInt8(ascii: ",") { key = [] }
        continue
      }
      key = string.count <= 32 ? Array(string) : []
      position = Self.behindSpace(json, position + 1)
      takeLiteral(UnsafeRawBufferPointer(rebasing: json[position...].prefix(16)), of: key)
    }
  }

  private mutating func take(_ string: UnsafeRawBufferPointer, of key: [UInt8]) {
    if key.elementsEqual("articleBody".utf8) {
      guard string.count > body.count, string.count <= Self.maximumString else { return }
      body = JSONLDString.decoded(string)
    } else if key.elementsEqual("isAccessibleForFree".utf8) {
      if Self.isFalse(Array(string)) { isLimited = true } else { isFree = true }
    } else if key.elementsEqual("cssSelector".utf8) {
      guard string.count <= 256, limitedClasses.count < 16 else { return }
      takeSelector(String(decoding: JSONLDString.decoded(string), as: UTF8.self))
    } else if key.elementsEqual("@type".utf8) {
      let type = String(decoding: string.prefix(64), as: UTF8.self)
      if type.hasSuffix("Article") || type.hasSuffix("BlogPosting") { isArticle = true }
    } else if key.elementsEqual("wordCount".utf8) {
      words = max(words, Int(String(decoding: string.prefix(8), as: UTF8.self)) ?? 0)
    }
  }

  private mutating func takeLiteral(_ text: UnsafeRawBufferPointer, of key: [UInt8]) {
    if key.elementsEqual("isAccessibleForFree".utf8) {
      if text.hasASCII("false", at: 0) { isLimited = true }
      if text.hasASCII("true", at: 0) { isFree = true }
    } else if key.elementsEqual("wordCount".utf8) {
      let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      words = max(words, Int(String(decoding: digits.prefix(8), as: UTF8.self)) ?? 0)
    }
  }

  /// Takes the last class of each selector in `.article .paywall, .premium`.
  private mutating func takeSelector(_ text: String) {
    for selector in text.split(separator: ",") {
      guard let last = selector.split(separator: " ").last, let dot = last.lastIndex(of: ".") else {
        continue
      }
      limitedClasses.insert(last[last.index(after: dot)...].lowercased())
    }
  }

  /// Recognizes `False`, `false` and `http://schema.org/False`.
  private static func isFalse(_ text: [UInt8]) -> Bool {
    String(decoding: text.suffix(5), as: UTF8.self).lowercased() == "false"
  }

  private static func stringEnd(_ json: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    var position = start
    while position < json.count {
      switch json[position] {
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: "\""): return position
      default: position += 1
      }
    }
    return nil
  }

  private static func behindSpace(_ json: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var position = start
    while position < json.count, json[position] <= 0x20 { position += 1 }
    return position
  }
}

enum JSONLDString {
  static func decoded(_ string: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(string.count)
    var units: [UInt16] = []
    var position = 0
    func endUnits() {
      if !units.isEmpty { result += Array(String(decoding: units, as: UTF16.self).utf8) }
      units = []
    }
    while position < string.count {
      guard string[position] == UInt8(ascii: "\\"), position + 1 < string.count else {
        endUnits()
        result.append(string[position])
        position += 1
        continue
      }
      let escape = string[position + 1]
      position += 2
      if escape == UInt8(ascii: "u"), let unit = unit(string[position...].prefix(4)) {
        units.append(unit)
        position += 4
      } else {
        endUnits()
        result.append(character(escape))
      }
    }
    endUnits()
    return result
  }

  private static func unit(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt16? {
    digits.count == 4 ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }

  private static func character(_ escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): 0x0A
    case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): 0x20
    default: escape
    }
  }
}

extension HTMLTree {
  /// The templates of HTML in scripts that have at least 250 bytes and no placeholder.
  package var templates: [[UInt8]] {
    nodes.indices.compactMap { index in
      let node = nodes[index]
      guard node.tag == .script, node.first != Node.none,
        let type = HTMLAttributes(self, node.content)["type"]?.lowercased(),
        ["text/template", "text/html", "text/x-template"].contains(type)
      else { return nil }
      let content = Array(string(node.first).utf8)
      // Other templates wait for a program to fill them.
      return content.count >= 250 && !content.contains("{{".utf8) && !content.contains("<%".utf8)
        ? content : nil
    }
  }
}
