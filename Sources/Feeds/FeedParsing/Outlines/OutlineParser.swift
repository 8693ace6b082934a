package import FeedModel
import System

/// The reader of subscription lists (OPML 1.0, 1.1, 2.0), by the same guarded stages as a feed.
package enum OutlineParser {
  package static let maximumElements = 100_000
  package static let maximumDepth = 64

  /// Returns the elements of a list, all without `feed`.
  ///
  /// - Throws: `notAFeed` when its root element is not `opml`, or the reason why it is no XML or
  ///   refused.
  package static func read(_ bytes: [UInt8]) throws(FeedParsingError) -> OutlineDocument {
    let limits = ParsingLimits.standard
    return try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      let source = UnsafeRawBufferPointer(bytes)
      let decoder = try DocumentDecoder(source, maximumBytes: limits.maximumBytes)
      return try decoder.withBytes(of: source) { (utf8) throws(FeedParsingError) in
        let list = try MarkupDocument(utf8, url: nil, limits: limits) { OutlineHandler() }
        guard let root = list.handler.root() else { throw .unrecognized }
        return OutlineDocument(root, isCutShort: !list.isComplete)
      }
    }
  }
}

extension OutlineDocument {
  fileprivate init(_ root: OutlineElement, isCutShort: Bool) {
    self.init()
    self.isCutShort = isCutShort
    attributes = root.attributes.filter { $0.name.lowercased() != "version" }
    for element in root.children {
      switch XMLName(qualified: element.name).local.lowercased() {
      case "head": head += element.children
      case "body": body += element.children
      // Some programs leave the body out.
      default: body.append(element)
      }
    }
  }
}

final class OutlineHandler: XMLEventHandler {
  /// The root element and those inside it that are not closed.
  private var open: [OutlineElement] = []
  private var count = 0
  private var names: [XMLName] = []
  private let texts = TextBuffer(capacity: 256)
  /// The namespace of OPML's own elements: none, or one that some programs declare there.
  private var ownNamespace: String?

  func code(of name: XMLName) -> UInt16 {
    names.append(name)
    return UInt16(truncatingIfNeeded: names.count - 1)
  }

  func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError) {
    let name = names[Int(code)]
    if open.isEmpty {
      guard name.local.lowercased() == "opml" else { throw .notAFeed(root: name.qualified) }
      ownNamespace = name.namespace
    }
    keepText()
    count += 1
    // The list and its body are around all folders.
    guard open.count < OutlineParser.maximumDepth + 2 else {
      throw .limitExceeded(name: "depth of folders", limit: OutlineParser.maximumDepth)
    }
    guard count <= OutlineParser.maximumElements else {
      throw .limitExceeded(name: "number of outlines", limit: OutlineParser.maximumElements)
    }
    open.append(element(name, attributes))
  }

  func endElement(_ code: UInt16) throws(FeedParsingError) {
    closeLast()
  }

  let hasEnough = false

  var wantsText: Bool { open.last.map { !$0.isOutline } ?? false }

  package func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    texts.append(utf8)
  }

  /// Returns the root element, and in it all that the document has not closed.
  func root() -> OutlineElement? {
    while open.count > 1 { closeLast() }
    return open.first
  }

  private func closeLast() {
    keepText()
    guard open.count > 1, let element = open.popLast() else { return }
    open[open.count - 1].children.append(element)
  }

  private func keepText() {
    let span = texts.trimmed(TextSpan(start: 0, end: texts.count))
    if !span.isEmpty { open[open.count - 1].text += texts.bytes(span).string }
    texts.truncate(to: 0)
  }

  private func element(_ name: XMLName, _ attributes: XMLAttributes) -> OutlineElement {
    var element = OutlineElement(name: name.qualified)
    for (name, value) in attributes.all() {
      element.attributes.append(OutlineAttribute(name.qualified, value))
      if name.prefix != nil, name.prefix != "xml" { element.declareNamespace(of: name) }
    }
    if name.namespace == nil || name.namespace != ownNamespace {
      element.declareNamespace(of: name)
    }
    return element
  }
}

extension OutlineElement {
  /// Declares the namespace of a name; one without a meaning gets one, as most programs read no
  /// document without.
  fileprivate mutating func declareNamespace(of name: XMLName) {
    let attribute = name.prefix.map { "xmlns:\($0)" } ?? "xmlns"
    let namespace = name.namespace ?? name.prefix.map { "urn:undeclared:\($0)" }
    if let namespace, !attributes.contains(where: { $0.name == attribute }) {
      attributes.append(OutlineAttribute(attribute, namespace))
    }
  }
}
