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
  @exclusivity(unchecked) private var parser: OpaquePointer?
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
    do {
      try XMLLibrary.load()
    } catch {
      failure = error
      return
    }
    var callbacks = Self.callbacks
    // `self` owns the parser, so the parser's user pointer never outlives it.
    let user = Unmanaged.passUnretained(self).toOpaque()
    parser = clibxml2_create(&callbacks, user, UInt32(CLIBXML2_RECOVERING | CLIBXML2_UTF8))
    if parser == nil { failure = .malformed(line: 0, reason: "out of memory") }
  }

  deinit {
    if let parser { clibxml2_free(parser) }
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
    guard let parser else { return }
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    clibxml2_parse(parser, start, Int32(clamping: bytes.count), isLast)
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

  func didRecover(_ error: OpaquePointer) {
    needsReset = true
    guard recovered.count < Self.maximumRecovered else { return }
    recovered.append(
      XMLRecovery(
        line: Int(clibxml2_error_line(error)),
        reason: clibxml2_error_message(error).map { String(cString: $0) } ?? "error",
        isEnd: clibxml2_error_is_end(error),
      )
    )
  }

  func refuse(_ kind: String) {
    stop(.declarationRefused(kind: kind))
  }

  private func isWithinLimits(_ attributes: XMLAttributes) -> Bool {
    elements += 1
    let names = parser.map { Int(clibxml2_name_count($0)) } ?? 0
    if depth >= limits.maximumDepth {
      stop(.limitExceeded(name: "depth of elements", limit: limits.maximumDepth))
    } else if elements > limits.maximumElements {
      stop(.limitExceeded(name: "number of elements", limit: limits.maximumElements))
    } else if attributes.count > limits.maximumAttributes {
      stop(.limitExceeded(name: "attributes of an element", limit: limits.maximumAttributes))
    } else if names > limits.maximumNames {
      stop(.limitExceeded(name: "number of different names", limit: limits.maximumNames))
    }
    return failure == nil
  }

  private func resolve(
    _ local: UnsafePointer<UInt8>,
    _ prefix: UnsafePointer<UInt8>?,
    _ namespace: UnsafePointer<UInt8>?,
  ) -> UInt16 {
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
    if let parser { clibxml2_forget_error(parser) }
  }

  private func stop(_ error: FeedParsingError) {
    if failure == nil { failure = error }
    if let parser { clibxml2_stop(parser) }
  }
}
