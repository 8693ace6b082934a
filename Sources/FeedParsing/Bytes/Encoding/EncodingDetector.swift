/// Decides on a document's encoding from its first bytes and what the transport says.
///
/// The order is that of RFC 7303 §3: byte order mark, transport, declaration, UTF-8; except where
/// the bytes themselves show that it cannot be so, as they do in the wild.
struct EncodingDetector {
  struct Decision: Hashable {
    var encoding: TextEncoding
    /// The bytes of the mark, which is no part of the document.
    var markLength = 0
    /// What bytes are that are not UTF-8, when the encoding is.
    var fallback: TextEncoding?
    var notes: [String] = []
  }

  /// How many first bytes are looked at.
  static let windowSize = 4096

  private let window: UnsafeRawBufferPointer
  private let evidence: UTF8Evidence

  private init(_ window: UnsafeRawBufferPointer) {
    self.window = window
    evidence = UTF8Evidence(window)
  }

  /// Decides.
  ///
  /// - Parameters:
  ///   - window: The document's first `windowSize` bytes, or all of it.
  ///   - charset: Of the transport, nil or empty when it names none.
  /// - Returns: The encoding, and what was odd about how it is declared.
  /// - Throws: `unsupportedEncoding` for one that is refused.
  static func decide(
    _ window: UnsafeRawBufferPointer,
    charset: String?,
  ) throws(FeedParsingError) -> Decision {
    let detector = EncodingDetector(window)
    let declared = DeclaredEncoding.label(in: window).map(EncodingLabel.init)
    if let (encoding, length) = ByteOrderMark.read(window) {
      return detector.marked(encoding, length, declared)
    }
    if let wide = ByteOrderMark.guess(window) { return Decision(encoding: wide) }
    let named = charset.flatMap { $0.isEmpty ? nil : EncodingLabel($0) }
    var notes: [String] = []
    let transport = try detector.usable(named, "the transport", &notes)
    // The transport overrides a declaration, even one that would be refused.
    let own = transport == nil ? try detector.usable(declared, "the declaration", &notes) : nil
    let declaration = own ?? declared?.encoding?.asciiCompatible
    var decision = detector.choose(transport: transport, declared: declaration)
    decision.notes.insert(contentsOf: notes, at: 0)
    return decision
  }

  private func marked(
    _ encoding: TextEncoding,
    _ length: Int,
    _ declared: EncodingLabel?,
  ) -> Decision {
    let other = encoding == .utf8 ? declared?.encoding?.asciiCompatible : nil
    return Decision(encoding: encoding, markLength: length, fallback: other)
  }

  /// The encoding that a label names, if these bytes can be in it.
  private func usable(
    _ label: EncodingLabel?,
    _ source: String,
    _ notes: inout [String],
  ) throws(FeedParsingError) -> TextEncoding? {
    switch label {
    case nil: return nil
    case .refused(let name): throw .unsupportedEncoding(name)
    case .unknown(let name):
      notes.append("\(source) names an unknown encoding, \(name)")
      return nil
    case .known(let encoding):
      if encoding.asciiCompatible == nil, encoding.form != .multiByte {
        // Converted somewhere on the way without a change of the label: seen from .NET and IIS.
        notes.append("\(source) says \(encoding.name), but the document is not in it")
        return nil
      }
      return encoding
    }
  }

  private func choose(transport: TextEncoding?, declared: TextEncoding?) -> Decision {
    guard let transport else { return trust(declared ?? .utf8) }
    guard let declared, declared != transport else { return trust(transport) }
    if transport == .windows1252 {
      // What servers say of everything by default (RFC 2616 §3.7.1, Apache's AddDefaultCharset),
      // without a look at the document.
      return trust(
        declared,
        note: "the transport says \(transport.name): the declaration is right",
      )
    }
    if transport == .utf8, declared.form == .multiByte, evidence.isNotUTF8 {
      return trust(declared, note: "the transport says UTF-8, but the document is not in it")
    }
    var decision = trust(transport)
    if decision.encoding == .utf8 { decision.fallback = declared }
    return decision
  }

  /// An encoding that was named, unless the bytes are plainly UTF-8.
  private func trust(_ encoding: TextEncoding, note: String? = nil) -> Decision {
    var decision = Decision(encoding: encoding, notes: note.map { [$0] } ?? [])
    if encoding != .utf8, evidence.speaks(against: encoding) {
      decision = Decision(encoding: .utf8, fallback: encoding)
      decision.notes.append("declared as \(encoding.name), but in UTF-8")
    }
    return decision
  }
}

extension EncodingLabel {
  fileprivate var encoding: TextEncoding? {
    guard case .known(let encoding) = self else { return nil }
    return encoding
  }
}

extension TextEncoding {
  /// Itself if its ASCII is ASCII.
  fileprivate var asciiCompatible: TextEncoding? { isASCIICompatible ? self : nil }
}
