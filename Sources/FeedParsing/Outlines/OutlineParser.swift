package import FeedModel
import HTMLParsing
import System

/// The reader of subscription lists (OPML 1.0, 1.1, 2.0), by the same guarded stages as a feed.
package enum OutlineParser {
  package static let maximumElements = 100_000
  package static let maximumDepth = 64

  package struct Result: Hashable, Sendable {
    package var document = OutlineDocument()
    package var isComplete = false

    package init() {}

    init(document: OutlineDocument, isComplete: Bool) {
      (self.document, self.isComplete) = (document, isComplete)
    }
  }

  /// Returns the elements of a list, all without `feed`.
  ///
  /// - Throws: `notAFeed` when its root element is not `opml`, or the reason why it is no XML or
  ///   refused.
  package static func read(_ bytes: [UInt8]) throws(FeedParsingError) -> Result {
    let limits = ParsingLimits.standard
    return try bytes.withUnsafeBufferPointer { (bytes) throws(FeedParsingError) in
      let source = UnsafeRawBufferPointer(bytes)
      let decoder = try DocumentDecoder(source, maximumBytes: limits.maximumBytes)
      return try decoder.withBytes(of: source) { (utf8) throws(FeedParsingError) in
        let outline = try MarkupDocument(utf8, url: nil, limits: limits) { OutlineHandler() }
        guard outline.handler.hasRoot else { throw .unrecognized }
        return Result(document: outline.handler.document, isComplete: outline.isComplete)
      }
    }
  }
}

extension OutlineElement {
  /// The `text`, or else the `title`, as one line without markup, which OPML 2.0 allows there; nil
  /// where nothing is left.
  package var displayTitle: String? {
    for name in ["text", "title"] {
      guard let value = value(name) else { continue }
      let title = PlainText.fromHTML(value)
      if !title.isEmpty { return title }
    }
    return nil
  }
}

final class OutlineHandler: XMLEventHandler {
  private enum Section: Int {
    case head
    case body
  }

  private enum Open {
    case root
    case section(Section)
    case element(Section, Int)
  }

  private(set) var hasRoot = false
  private var rootAttributes: [OutlineAttribute] = []
  private var elements: [[OutlineElement]] = [[], []]
  private var open: [Open] = []
  private var names: [XMLName] = []
  private var codes: [XMLName: UInt16] = [:]
  private let texts = TextBuffer(capacity: 256)
  /// The namespace of OPML's own elements: none, or one that some programs declare there.
  private var ownNamespace: String?

  var document: OutlineDocument {
    var document = OutlineDocument()
    document.attributes = rootAttributes
    document.head = elements[Section.head.rawValue]
    document.body = elements[Section.body.rawValue]
    return document
  }

  func code(of name: XMLName) -> UInt16 {
    if let code = codes[name] { return code }
    let code = UInt16(truncatingIfNeeded: names.count)
    names.append(name)
    codes[name] = code
    return code
  }

  func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError) {
    let name = names[Int(code)]
    guard hasRoot else { return try startRoot(name, attributes) }
    switch (open.last, name.local.lowercased()) {
    case (.root, "head"): open.append(.section(.head))
    case (.root, "body"): open.append(.section(.body))
    case (.section(let section), _), (.element(let section, _), _):
      try start(name, attributes, in: section)
    // Some programs leave the body out.
    default: try start(name, attributes, in: .body)
    }
  }

  func endElement(_ code: UInt16) throws(FeedParsingError) {
    keepText()
    _ = open.popLast()
  }

  let hasEnough = false

  var wantsText: Bool {
    guard case .element(let section, let index) = open.last else { return false }
    return section == .head || !elements[section.rawValue][index].isOutline
  }

  package func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    texts.append(utf8)
  }

  private func startRoot(
    _ name: XMLName,
    _ attributes: XMLAttributes,
  ) throws(FeedParsingError) {
    guard name.local.lowercased() == "opml" else { throw .notAFeed(root: name.qualified) }
    hasRoot = true
    ownNamespace = name.namespace
    open.append(.root)
    rootAttributes = Self.attributes(attributes).filter { $0.name.lowercased() != "version" }
  }

  private func start(
    _ name: XMLName,
    _ attributes: XMLAttributes,
    in section: Section,
  ) throws(FeedParsingError) {
    keepText()
    var element = OutlineElement(depth: depth, name: name.qualified)
    guard element.depth < OutlineParser.maximumDepth else {
      throw .limitExceeded(name: "depth of folders", limit: OutlineParser.maximumDepth)
    }
    guard elements[0].count + elements[1].count < OutlineParser.maximumElements else {
      throw .limitExceeded(name: "number of outlines", limit: OutlineParser.maximumElements)
    }
    element.attributes = Self.attributes(attributes)
    let namespace = name.namespace ?? name.prefix.map(Self.undeclared)
    if let namespace, namespace != ownNamespace { element.declare(name.prefix, as: namespace) }
    open.append(.element(section, elements[section.rawValue].count))
    elements[section.rawValue].append(element)
  }

  private var depth: Int {
    open.reduce(0) { count, open in
      if case .element = open { count + 1 } else { count }
    }
  }

  private func keepText() {
    defer { texts.truncate(to: 0) }
    guard case .element(let section, let index) = open.last else { return }
    let span = texts.trimmed(TextSpan(start: 0, end: texts.count))
    if !span.isEmpty { elements[section.rawValue][index].text += texts.bytes(span).string }
  }

  /// Names the namespace of an undeclared prefix, with which most programs read no document.
  private static func undeclared(_ prefix: String) -> String {
    "urn:undeclared:\(prefix)"
  }

  private static func attributes(_ attributes: XMLAttributes) -> [OutlineAttribute] {
    var element = OutlineElement()
    for (name, value) in attributes.all() {
      element.attributes.append(OutlineAttribute(name.qualified, value))
      if let prefix = name.prefix, prefix != "xml" {
        element.declare(prefix, as: name.namespace ?? undeclared(prefix))
      }
    }
    return element.attributes
  }
}

extension OutlineElement {
  fileprivate mutating func declare(_ prefix: String?, as namespace: String) {
    let name = prefix.map { "xmlns:\($0)" } ?? "xmlns"
    if !attributes.contains(where: { $0.name == name }) {
      attributes.append(OutlineAttribute(name, namespace))
    }
  }
}
