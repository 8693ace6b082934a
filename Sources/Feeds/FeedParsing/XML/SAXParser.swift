internal import CLibXML2
internal import HTMLParsing

/// The guard around libxml2's SAX2 parser: a whole document in, a handler's calls out.
///
/// Nothing outside the document is ever loaded, and no declaration that could expand is accepted.
/// It lives and dies in one thread.
final class SAXParser {
  enum Faults {
    case fatal
    case recovered
  }

  struct Recovery: Hashable, Sendable {
    let line: Int
    let reason: String
    let isEnd: Bool
  }

  private(set) var recovered: [Recovery] = []
  /// True where the document has to be repaired: the handler heard only a part of it.
  @exclusivity(unchecked) private(set) var isBroken = false
  private(set) var findings = MarkupFindings()
  private let handler: any XMLEventHandler
  private let faults: Faults
  private let limits: ParsingLimits
  @exclusivity(unchecked) private var parser: OpaquePointer?
  @exclusivity(unchecked) private var failure: FeedParsingError?
  // PERF: asked at each piece of text.
  @exclusivity(unchecked) private var isReading = true
  /// The handler's codes of the names seen.
  ///
  /// libxml2 keeps each name once in its dictionary for as long as the parser lives, so two
  /// pointers name an element.
  @exclusivity(unchecked) private var codes: [NamePointers: UInt16] = [:]
  /// The last names of each place in a short table, with their codes.
  ///
  /// PERF: to hash a name took a thirtieth of the time of a document.
  @exclusivity(unchecked) private var recent = [(name: NamePointers, code: UInt16)?](
    repeating: nil,
    count: 256,
  )
  @exclusivity(unchecked) private var open: [(code: UInt16, namespaces: Int)] = []
  @exclusivity(unchecked) private var elements = 0
  /// True after an error: libxml2's `wellFormed` has to be set back before the next event.
  @exclusivity(unchecked) private var needsReset = false
  private var failures = 0
  private static let maximumRecovered = 20
  /// The number of errors after which the document is refused: libxml2 writes a sentence for each.
  private static let maximumFailures = 500_000

  private struct NamePointers: Hashable {
    let local: UnsafePointer<UInt8>
    /// The namespace, or the prefix of an undeclared one.
    let scope: UnsafePointer<UInt8>?

    /// A place in `recent`.
    var place: Int {
      let sum = UInt(bitPattern: local) &+ UInt(bitPattern: scope) &* 31
      return Int((sum ^ sum >> 8) & 255)
    }
  }

  init(handler: any XMLEventHandler, faults: Faults, limits: ParsingLimits) {
    self.handler = handler
    self.faults = faults
    self.limits = limits
  }

  func parse(_ utf8: UnsafeRawBufferPointer) throws(FeedParsingError) {
    try XMLLibrary.load()
    var callbacks = Self.callbacks
    let options = CLIBXML2_UTF8 | (faults == .recovered ? CLIBXML2_RECOVERING : 0)
    // The parser is freed below: its user pointer never outlives `self`.
    let user = Unmanaged.passUnretained(self).toOpaque()
    let start = utf8.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let parser = clibxml2_open(&callbacks, user, start, utf8.count, UInt32(options)) else {
      throw .malformed(line: 0, reason: "out of memory")
    }
    self.parser = parser
    clibxml2_run(parser)
    clibxml2_free(parser)
    self.parser = nil
    if let failure { throw failure }
  }

  func didStart(
    _ local: UnsafePointer<UInt8>,
    _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?,
    namespaces: Int,
    _ attributes: XMLAttributes,
  ) {
    if needsReset { reset() }
    let namespaces = namespaces + (open.last?.namespaces ?? 0)
    guard isReading, isWithinLimits(attributes, namespaces: namespaces) else { return }
    let pointers = NamePointers(local: local, scope: namespace ?? prefix)
    let code = code(of: pointers, prefix, namespace)
    open.append((code, namespaces))
    do {
      try handler.startElement(code, attributes)
      if handler.hasEnough { stop() }
    } catch {
      stop(error)
    }
  }

  func didEnd() {
    if needsReset { reset() }
    guard isReading, let element = open.popLast() else { return }
    do {
      try handler.endElement(element.code)
    } catch {
      stop(error)
    }
  }

  func didReceiveText(_ utf8: UnsafeBufferPointer<UInt8>) {
    if needsReset { reset() }
    guard isReading, handler.wantsText else { return }
    if utf8.count == 2, let character = Windows1252.character(reference: utf8) {
      findings.add(.windowsReference)
      Array(character.utf8).withUnsafeBufferPointer { handler.text($0) }
    } else {
      handler.text(utf8)
    }
  }

  func didFail(_ error: OpaquePointer) {
    guard isReading else { return }
    if faults == .fatal, clibxml2_error_is_fatal(error) { return breakOff() }
    needsReset = true
    failures += 1
    guard failures <= Self.maximumFailures else {
      return exceed("number of faults", Self.maximumFailures)
    }
    guard recovered.count < Self.maximumRecovered else { return }
    recovered.append(
      Recovery(
        line: Int(clibxml2_error_line(error)),
        reason: clibxml2_error_message(error).map { String(cString: $0) } ?? "error",
        isEnd: clibxml2_error_is_end(error),
      )
    )
  }

  func refuse(_ kind: String) {
    if faults == .fatal { breakOff() } else { stop(.declarationRefused(kind: kind)) }
  }

  private func isWithinLimits(_ attributes: XMLAttributes, namespaces: Int) -> Bool {
    elements += 1
    if open.count >= limits.maximumDepth {
      // A broken document is this deep where its elements were never closed.
      if faults == .fatal { breakOff() } else { exceed("depth of elements", limits.maximumDepth) }
    } else if elements > limits.maximumElements {
      exceed("number of elements", limits.maximumElements)
    } else if attributes.count > limits.maximumAttributes {
      exceed("attributes of an element", limits.maximumAttributes)
    } else if namespaces > limits.maximumNamespaces {
      exceed("namespaces in one place", limits.maximumNamespaces)
    } else if let parser, Int(clibxml2_name_count(parser)) > limits.maximumNames {
      exceed("number of different names", limits.maximumNames)
    }
    return isReading
  }

  private func code(
    of name: NamePointers,
    _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?,
  ) -> UInt16 {
    let place = name.place
    if let known = recent[place], known.name == name { return known.code }
    let code = codes[name] ?? resolve(name, prefix, namespace)
    recent[place] = (name, code)
    return code
  }

  private func resolve(
    _ pointers: NamePointers,
    _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?,
  ) -> UInt16 {
    let name = XMLName(
      local: String(cString: pointers.local),
      prefix: prefix.map { String(cString: $0) },
      namespace: namespace.map { String(cString: $0) },
    )
    let code = handler.code(of: name)
    codes[pointers] = code
    return code
  }

  /// libxml2 2.9 drops every reference, `&amp;` too, after an error that it recovered from.
  private func reset() {
    needsReset = false
    if let parser, faults == .recovered { clibxml2_forget_error(parser) }
  }

  private func exceed(_ name: String, _ limit: Int) {
    stop(.limitExceeded(name: name, limit: limit))
  }

  private func stop(_ error: FeedParsingError) {
    if failure == nil { failure = error }
    stop()
  }

  private func breakOff() {
    isBroken = true
    stop()
  }

  private func stop() {
    isReading = false
    if let parser { clibxml2_stop(parser) }
  }
}
