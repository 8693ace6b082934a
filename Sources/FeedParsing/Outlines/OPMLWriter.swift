package import FeedModel
import System

package struct OPMLWriter {
  /// The time of writing, in the form of RFC 822.
  let created: String
  /// True where passwords stay in URLs.
  let hasPasswords: Bool

  package init(created: String, hasPasswords: Bool = false) {
    self.created = created
    self.hasPasswords = hasPasswords
  }

  package func lines(_ subscriptions: [Subscription], _ document: OutlineDocument) -> [String] {
    let body = OutlineArrangement(document.body, subscriptions).elements()
    let head = document.head.isEmpty ? usualHead : document.head
    var namespaces = OutlineNamespaces(document.attributes)
    for element in head + body { namespaces.add(element.attributes) }
    let root = [OutlineAttribute("version", "2.0")] + namespaces.rootAttributes
    let elements = OutlineLines(namespaces: namespaces, hasPasswords: hasPasswords)
    return [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<opml\(XMLText.attributes(root))>", "  <head>",
    ] + elements.lines(head) + ["  </head>", "  <body>"] + elements.lines(body)
      + ["  </body>", "</opml>"]
  }

  private var usualHead: [OutlineElement] {
    [
      OutlineElement(name: "title", text: "Subscriptions"),
      OutlineElement(name: "dateCreated", text: created),
    ]
  }
}

struct OutlineLines {
  let namespaces: OutlineNamespaces
  let hasPasswords: Bool

  package func lines(_ elements: [OutlineElement]) -> [String] {
    var lines: [String] = []
    lines.reserveCapacity(elements.count + elements.count / 8)
    var open: [String] = []
    for (index, element) in elements.enumerated() {
      while open.count > element.depth, let name = open.popLast() {
        lines.append("\(Self.indent(open.count))</\(name)>")
      }
      let next = elements.indices.contains(index + 1) ? elements[index + 1].depth : 0
      lines.append(line(element, hasChildren: next > element.depth))
      if next > element.depth { open.append(Self.name(element)) }
    }
    while let name = open.popLast() { lines.append("\(Self.indent(open.count))</\(name)>") }
    return lines
  }

  private func line(_ element: OutlineElement, hasChildren: Bool) -> String {
    let attributes = XMLText.attributes(
      namespaces.withoutDeclared(element.attributes).map(withoutPassword)
    )
    let name = Self.name(element)
    let start = "\(Self.indent(element.depth))<\(name)\(attributes)"
    let text = XMLText.escaped(element.text)
    if hasChildren { return "\(start)>\(text)" }
    return text.isEmpty ? "\(start)/>" : "\(start)>\(text)</\(name)>"
  }

  private func withoutPassword(_ attribute: OutlineAttribute) -> OutlineAttribute {
    guard !hasPasswords, WebURL.isWeb(attribute.value) else { return attribute }
    return OutlineAttribute(attribute.name, WebURL.withoutPassword(attribute.value))
  }

  /// The file that keeps the elements may have been changed by another program.
  private static func name(_ element: OutlineElement) -> String {
    XMLText.isName(element.name) ? element.name : "outline"
  }

  private static func indent(_ depth: Int) -> String {
    String(repeating: "  ", count: depth + 2)
  }
}

/// The namespaces of a list, declared once at its root where no prefix has two meanings.
struct OutlineNamespaces {
  private(set) var rootAttributes: [OutlineAttribute]
  private var meanings: [String: String] = [:]

  init(_ attributes: [OutlineAttribute]) {
    rootAttributes = attributes.filter { XMLText.isName($0.name) && $0.name != "version" }
    for attribute in rootAttributes where attribute.name.hasPrefix("xmlns:") {
      meanings[attribute.name] = attribute.value
    }
    add(rootAttributes)
  }

  mutating func add(_ others: [OutlineAttribute]) {
    for attribute in others where attribute.name.hasPrefix("xmlns:") {
      declare(attribute.name, attribute.value)
    }
    for attribute in others {
      guard let colon = attribute.name.firstIndex(of: ":") else { continue }
      let prefix = attribute.name[..<colon]
      // A prefix that nobody declared makes the document unreadable for most programs.
      if prefix != "xmlns", prefix != "xml" {
        declare("xmlns:\(prefix)", "urn:undeclared:\(prefix)")
      }
    }
  }

  func withoutDeclared(_ others: [OutlineAttribute]) -> [OutlineAttribute] {
    others.filter { meanings[$0.name] != $0.value || !$0.name.hasPrefix("xmlns:") }
  }

  private mutating func declare(_ name: String, _ value: String) {
    guard meanings[name] == nil, XMLText.isName(name), !value.isEmpty else { return }
    meanings[name] = value
    rootAttributes.append(OutlineAttribute(name, value))
  }
}

package enum XMLText {
  /// Writes attributes as in a tag, each behind a space, without invalid names and second ones of a
  /// name.
  static func attributes(_ attributes: [OutlineAttribute]) -> String {
    var text = ""
    var names: Set<String> = []
    for attribute in attributes
    where isName(attribute.name) && names.insert(attribute.name).inserted {
      text += " \(attribute.name)=\"\(escaped(attribute.value))\""
    }
    return text
  }

  /// Escapes text or an attribute's value for XML.
  ///
  /// Characters that XML forbids are left out; characters that could change a terminal become
  /// references.
  package static func escaped(_ value: String) -> String {
    if value.utf8.allSatisfy(isPlain) { return value }
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n", "\t", "\r": text += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value): break
      case _ where scalar.value & 0xfffe == 0xfffe: break
      case _ where SafeText.isHidden(scalar): text += "&#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { part in
        guard let first = part.unicodeScalars.first, first.properties.isAlphabetic || first == "_"
        else { return false }
        return part.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || ("0"..."9").contains($0)
            || "-._".unicodeScalars.contains($0)
        }
      }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
    default: byte >= 0x20 && byte < 0x7f
    }
  }
}
