import FeedModel

/// Subscriptions as OPML 2.0, with what imported lists had besides them.
struct OPMLWriter {
  /// When the list is written, as RFC 822 has it.
  let created: String

  /// The document, line by line.
  func lines(_ subscriptions: [Subscription], _ document: OutlineDocument) -> [String] {
    let body = OutlineArrangement(document.body, subscriptions).elements()
    let head = document.head.isEmpty ? usualHead : document.head
    var namespaces = OutlineNamespaces(document.attributes)
    for element in head + body { namespaces.add(element.attributes) }
    let root = [OutlineAttribute("version", "2.0")] + namespaces.rootAttributes
    let elements = OutlineLines(namespaces: namespaces)
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
