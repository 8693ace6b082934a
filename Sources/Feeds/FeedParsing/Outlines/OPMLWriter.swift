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
    let head = document.head.isEmpty ? usualHead : document.head
    let body = SubscriptionOutlines(subscriptions, in: document.body).elements
    let namespaces = OutlineNamespaces(document.attributes, of: head + body)
    let root = [OutlineAttribute("version", "2.0")] + namespaces.rootAttributes
    return [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<opml\(XMLText.attributes(root))>",
    ]
      + [OutlineElement(name: "head", children: head), .init(name: "body", children: body)]
      .flatMap { lines($0, namespaces, indent: "  ") } + ["</opml>"]
  }

  private var usualHead: [OutlineElement] {
    [
      OutlineElement(name: "title", text: "Subscriptions"),
      OutlineElement(name: "dateCreated", text: created),
    ]
  }

  private func lines(
    _ element: OutlineElement,
    _ namespaces: OutlineNamespaces,
    indent: String,
  ) -> [String] {
    // The file that keeps the elements may have been changed by another program.
    let name = XMLText.isName(element.name) ? element.name : "outline"
    let attributes = namespaces.withoutDeclared(element.attributes).map(withoutPassword)
    let start = "\(indent)<\(name)\(XMLText.attributes(attributes))"
    let text = XMLText.escaped(element.text)
    guard !element.children.isEmpty else {
      return [text.isEmpty ? "\(start)/>" : "\(start)>\(text)</\(name)>"]
    }
    return ["\(start)>\(text)"]
      + element.children.flatMap { lines($0, namespaces, indent: indent + "  ") }
      + ["\(indent)</\(name)>"]
  }

  private func withoutPassword(_ attribute: OutlineAttribute) -> OutlineAttribute {
    guard !hasPasswords, WebURL.isWeb(attribute.value) else { return attribute }
    return OutlineAttribute(attribute.name, WebURL.withoutPassword(attribute.value))
  }
}

/// The namespaces of a list, declared once at its root where no prefix has two meanings.
struct OutlineNamespaces {
  private(set) var rootAttributes: [OutlineAttribute]
  private var meanings: [String: String] = [:]

  init(_ attributes: [OutlineAttribute], of elements: [OutlineElement]) {
    rootAttributes = attributes.filter { XMLText.isName($0.name) && $0.name != "version" }
    for attribute in rootAttributes where attribute.name.hasPrefix("xmlns:") {
      meanings[attribute.name] = attribute.value
    }
    add(OutlineElement(attributes: rootAttributes, children: elements))
  }

  private mutating func add(_ element: OutlineElement) {
    for attribute in element.attributes where attribute.name.hasPrefix("xmlns:") {
      declare(attribute.name, attribute.value)
    }
    for attribute in element.attributes {
      guard let colon = attribute.name.firstIndex(of: ":") else { continue }
      let prefix = attribute.name[..<colon]
      // A prefix that nobody declared makes the document unreadable for most programs.
      if prefix != "xmlns", prefix != "xml" {
        declare("xmlns:\(prefix)", "urn:undeclared:\(prefix)")
      }
    }
    for child in element.children { add(child) }
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
