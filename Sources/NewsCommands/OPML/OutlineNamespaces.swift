import FeedModel

/// The namespaces of a list, declared once at its root where no prefix has two meanings.
struct OutlineNamespaces {
  private var attributes: [OutlineAttribute]
  /// What each prefix stands for at the root.
  private var meanings: [String: String] = [:]

  init(_ rootAttributes: [OutlineAttribute]) {
    attributes = rootAttributes.filter { XMLText.isName($0.name) && $0.name != "version" }
    for attribute in attributes where attribute.name.hasPrefix("xmlns:") {
      meanings[attribute.name] = attribute.value
    }
    add(attributes)
  }

  var rootAttributes: [OutlineAttribute] { attributes }

  /// Takes note of the prefixes of an element.
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

  /// The attributes of an element without what the root says already.
  func withoutDeclared(_ others: [OutlineAttribute]) -> [OutlineAttribute] {
    others.filter { meanings[$0.name] != $0.value || !$0.name.hasPrefix("xmlns:") }
  }

  private mutating func declare(_ name: String, _ value: String) {
    guard meanings[name] == nil, XMLText.isName(name), !value.isEmpty else { return }
    meanings[name] = value
    attributes.append(OutlineAttribute(name, value))
  }
}
