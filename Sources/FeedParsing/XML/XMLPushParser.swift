internal import CLibXML2

/// libxml2's SAX2 push parser, guarded: bytes in, a handler's calls out.
///
/// Nothing outside the document is ever loaded, and no declaration that could expand is accepted.
/// It lives and dies in one thread.
final class XMLPushParser {
  /// What libxml2 recovered from, at most `maximumRecovered`.
  private(set) var recovered: [XMLRecovery] = []
  private let handler: any XMLEventHandler
  private let texts: MarkupTexts
  private let limits: ParsingLimits
  @exclusivity(unchecked) private var context: xmlParserCtxtPtr?
  @exclusivity(unchecked) private var failure: FeedParsingError?
  @exclusivity(unchecked) private var cache = XMLCodeCache()
  @exclusivity(unchecked) private var elements = 0
  @exclusivity(unchecked) private var depth = 0
  private let codes: UnsafeMutablePointer<UInt16>
  /// An error was reported since the last event: `wellFormed` has to be set back.
  @exclusivity(unchecked) private var needsReset = false
  private static let maximumRecovered = 20

  /// - Parameters:
  ///   - handler: Who is told what is in the document.
  ///   - limits: How much of it is taken.
  ///   - texts: The texts for whose marks the document has CDATA sections.
  init(handler: any XMLEventHandler, limits: ParsingLimits, texts: MarkupTexts) {
    self.handler = handler
    self.texts = texts
    self.limits = limits
    codes = .allocate(capacity: limits.maximumDepth + 1)
    XMLLibrary.prepare()
    var callbacks = Self.callbacks
    // `self` owns the context, so the context's user pointer never outlives it. It is never NULL:
    // libxml2 would then take its own context for it and expand entities (10 GB from 400 KB).
    let user = Unmanaged.passUnretained(self).toOpaque()
    context = xmlCreatePushParserCtxt(&callbacks, user, nil, 0, nil)
    guard let context else { return }
    let options = [XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_IGNORE_ENC]
    xmlCtxtUseOptions(context, Int32(options.reduce(0) { $0 | $1.rawValue }))
    xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
  }

  deinit {
    if let context { xmlFreeParserCtxt(context) }
    codes.deallocate()
  }

  /// Takes the next bytes of the document, UTF-8, at most 1 MiB at once.
  func parse(_ bytes: UnsafeRawBufferPointer) throws(FeedParsingError) {
    try push(bytes, isLast: false)
  }

  /// The document has ended.
  func finish() throws(FeedParsingError) {
    try push(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
  }

  private func push(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(FeedParsingError) {
    if let failure { throw failure }
    guard let context else { throw .malformed(line: 0, reason: "out of memory") }
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    // What it returns is the first error ever, recovered or not: the callbacks know more.
    _ = xmlParseChunk(context, start, Int32(clamping: bytes.count), isLast ? 1 : 0)
    texts.sweep()
    if let failure { throw failure }
  }

  // MARK: - What the callbacks say

  func didStart(
    _ local: UnsafePointer<UInt8>,
    _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?,
    _ attributes: XMLAttributes,
  ) {
    if needsReset { reset() }
    guard failure == nil, isWithinLimits(attributes) else { return }
    let scope = namespace ?? prefix
    let code = cache.code(local, scope) ?? resolve(local, prefix, namespace)
    codes[depth] = code
    depth += 1
    do {
      try handler.startElement(code, attributes)
    } catch {
      stop(error)
    }
  }

  func didEnd() {
    if needsReset { reset() }
    guard failure == nil, depth > 0 else { return }
    depth -= 1
    do {
      try handler.endElement(codes[depth])
    } catch {
      stop(error)
    }
  }

  @inline(__always)
  func didReceiveText(_ utf8: UnsafeBufferPointer<UInt8>) {
    if needsReset { reset() }
    guard handler.wantsText else { return }
    handler.text(utf8)
  }

  /// A CDATA section's content, or a part of it: a mark comes first, and line feeds follow.
  @inline(__always)
  func didReceiveMark(_ mark: UInt8) {
    if needsReset { reset() }
    guard let text = texts.take(mark), handler.wantsText else { return }
    handler.text(text)
  }

  func didRecover(line: Int, code: Int32, message: String) {
    needsReset = true
    guard recovered.count < Self.maximumRecovered else { return }
    recovered.append(XMLRecovery(line: line, reason: message, isEnd: XMLLibrary.isEnd(code)))
  }

  func refuse(_ kind: String) {
    stop(.declarationRefused(kind: kind))
  }

  private func isWithinLimits(_ attributes: XMLAttributes) -> Bool {
    elements += 1
    if depth >= limits.maximumDepth {
      stop(.limitExceeded(name: "depth of elements", limit: limits.maximumDepth))
    } else if elements > limits.maximumElements {
      stop(.limitExceeded(name: "number of elements", limit: limits.maximumElements))
    } else if attributes.count > limits.maximumAttributes {
      stop(.limitExceeded(name: "attributes of an element", limit: limits.maximumAttributes))
    }
    return failure == nil
  }

  private func resolve(
    _ local: UnsafePointer<UInt8>,
    _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?,
  ) -> UInt16 {
    if let context, xmlDictSize(context.pointee.dict) > Int32(clamping: limits.maximumNames) {
      stop(.limitExceeded(name: "number of different names", limit: limits.maximumNames))
      return 0
    }
    let name = XMLName(
      local: String(cString: local),
      prefix: prefix.map { String(cString: $0) },
      namespace: namespace.map { String(cString: $0) },
    )
    let code = handler.code(of: name)
    cache.insert(code, local, namespace ?? prefix)
    return code
  }

  /// After an error that it recovered from, libxml2 2.9 drops every reference, `&amp;` too.
  private func reset() {
    needsReset = false
    context?.pointee.wellFormed = 1
  }

  private func stop(_ error: FeedParsingError) {
    if failure == nil { failure = error }
    if let context { xmlStopParser(context) }
  }
}
