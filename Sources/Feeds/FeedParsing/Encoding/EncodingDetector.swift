import System

/// The decision on a document's encoding from its first bytes and the transport's charset.
///
/// The order is that of RFC 7303 §3: byte order mark, transport, declaration, UTF-8; except where
/// the bytes themselves show that it cannot be so, as they do in the wild.
struct EncodingDetector {
  struct Decision: Hashable {
    var encoding: TextEncoding
    var markLength = 0
    var fallback: TextEncoding?
    var notes: [String] = []
  }

  static let windowSize = 4096

  private let window: UnsafeRawBufferPointer
  private let evidence: UTF8Evidence

  private init(_ window: UnsafeRawBufferPointer) {
    self.window = window
    evidence = UTF8Evidence(window)
  }

  static func decide(
    _ window: UnsafeRawBufferPointer,
    charset: String?,
  ) throws(FeedParsingError) -> Decision {
    let detector = EncodingDetector(window)
    let declared = DeclaredEncoding.label(in: window).map(EncodingLabel.init)
    if let (encoding, length) = ByteOrderMark.read(window) {
      let other = encoding == .utf8 ? declared?.encoding?.asciiCompatible : nil
      return Decision(encoding: encoding, markLength: length, fallback: other)
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
      // Servers say this of everything by default (RFC 2616 §3.7.1, Apache's AddDefaultCharset),
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
    if case .known(let encoding) = self { encoding } else { nil }
  }
}

extension TextEncoding {
  fileprivate var asciiCompatible: TextEncoding? { isASCIICompatible ? self : nil }
}

enum ByteOrderMark {
  static func read(_ bytes: UnsafeRawBufferPointer) -> (TextEncoding, length: Int)? {
    let first = Array(bytes.prefix(4))
    // UTF-32 first: its little-endian mark begins like that of UTF-16.
    if first == [0xFF, 0xFE, 0x00, 0x00] { return (.utf32LE, 4) }
    if first == [0x00, 0x00, 0xFE, 0xFF] { return (.utf32BE, 4) }
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if first.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
    if first.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
    return nil
  }

  /// Returns the encoding that the pattern of NUL bytes shows.
  ///
  /// The document has to begin with two ASCII characters, as any XML and JSON does.
  static func guess(_ bytes: UnsafeRawBufferPointer) -> TextEncoding? {
    let candidates: [(TextEncoding, [Bool])] = [
      (.utf32LE, [true, false, false, false, true, false, false, false]),
      (.utf32BE, [false, false, false, true, false, false, false, true]),
      (.utf16LE, [true, false, true, false]),
      (.utf16BE, [false, true, false, true]),
    ]
    return candidates.first { matches(bytes, pattern: $0.1) }?.0
  }

  private static func matches(_ bytes: UnsafeRawBufferPointer, pattern: [Bool]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return zip(bytes, pattern).allSatisfy { byte, isCharacter in
      isCharacter ? (0x09...0x7E).contains(byte) : byte == 0
    }
  }
}

struct UTF8Evidence: Hashable {
  private var characters = 0
  private var errors = 0

  init(_ window: UnsafeRawBufferPointer) {
    var position = ByteScan.firstUnusual(window, from: 0)
    while position < window.count {
      switch UTF8Sequence(window, at: position) {
      case .valid(let length):
        if length > 1 { characters += 1 }
        position += length
      case .invalid(let length):
        errors += 1
        position += length
      case .surrogatePair:
        characters += 1
        position += 6
      case .incomplete:
        return
      }
      position = ByteScan.firstUnusual(window, from: position)
    }
  }

  var isNotUTF8: Bool { errors > 0 }

  /// Says that text in the encoding would hardly look like this.
  ///
  /// A western text has no Ã© and â€™. In other one-byte sets and in those of two bytes, single
  /// characters do pass for UTF-8 (the `联通` of GBK); eight in a row without an error do not.
  func speaks(against encoding: TextEncoding) -> Bool {
    guard encoding.isASCIICompatible, errors == 0 else { return false }
    return characters >= (encoding == .windows1252 ? 1 : 8)
  }
}

enum DeclaredEncoding {
  /// Returns the label in the XML declaration, which may come after junk, or in an HTML page's
  /// `meta`.
  static func label(in window: UnsafeRawBufferPointer) -> String? {
    xmlLabel(window[...]) ?? htmlLabel(window[...])
  }

  private static func xmlLabel(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
    guard let start = end(of: "<?xml", in: text), let next = text[start...].first,
      next.isASCIISpace
    else { return nil }
    let rest = text[start...]
    let declaration = rest.prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    return end(of: "encoding", in: declaration).flatMap { value(in: declaration[$0...]) }
  }

  private static func htmlLabel(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
    var rest = text
    while let start = end(of: "<meta", in: rest) {
      let tag = text[start...].prefix { $0 != UInt8(ascii: ">") }
      if let label = end(of: "charset", in: tag).flatMap({ value(in: tag[$0...]) }) {
        return label
      }
      rest = text[tag.endIndex...]
    }
    return nil
  }

  private static func value(in text: Slice<UnsafeRawBufferPointer>) -> String? {
    let rest = text.drop(while: \.isASCIISpace)
    guard rest.first == UInt8(ascii: "=") else { return nil }
    let open = rest.dropFirst().drop(while: \.isASCIISpace)
    let label = open.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      .prefix { !$0.isASCIISpace && !labelEnds.contains($0) }
    return label.isEmpty
      ? nil : String(decoding: label.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  private static let labelEnds = Array("\"'?;/".utf8)

  /// Returns the end of a word in lower case, which the text may have in any.
  private static func end(of word: StaticString, in text: Slice<UnsafeRawBufferPointer>) -> Int? {
    let base = UnsafeRawBufferPointer(rebasing: text)
    let first = word.utf8Start.pointee
    let start = base.indices.first {
      base[$0].asciiLowercased == first && base.hasASCII(word, at: $0)
    }
    return start.map { text.startIndex + $0 + word.utf8CodeUnitCount }
  }
}
