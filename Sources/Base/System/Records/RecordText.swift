/// A kind of text in a record: a reader takes no other, and a writer makes the text fit.
package enum RecordText: CaseIterable, Hashable, Sendable {
  /// One line for people: printable, without signs that hide or reorder others (`SafeText`).
  case line
  /// Text for people, with line feeds, tabs and blanks as they are.
  case text
  /// Text that is read again before people see it: no control but tab and line ends.
  case source
  /// An absolute http or https URL without an account, or nothing.
  case webURL
  /// A `webURL`, or the URL of a local file; links are resolved against it.
  case base
  /// A link of a document: a `webURL`, a mail address, or a reference whose base is not known.
  case link
  /// Printable ASCII, at most 1 KiB, such as the value of a header field.
  case field
  /// The keeper's own words to the process that reads, of which nothing crosses back.
  case own

  private static let maximumField = 1_024

  var isAddress: Bool { self == .webURL || self == .base || self == .link }

  package func accepts(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .line: SafeText.isClean(utf8) || SafeText.isVisible(utf8)
    case .text: SafeText.isVisible(utf8, besides: [0x09, 0x0a])
    case .source: Self.isSource(UnsafeRawBufferPointer(utf8))
    case .webURL: utf8.isEmpty || WebURL.isPublic(utf8)
    case .base: utf8.isEmpty || WebURL.isPublic(utf8) || Self.isFile(utf8)
    case .link: utf8.isEmpty || WebURL.isPublic(utf8) || Self.isReference(utf8)
    case .field: utf8.count <= Self.maximumField && utf8.allSatisfy { (0x20...0x7e).contains($0) }
    case .own: true
    }
  }

  /// Returns the nearest text of the kind; an address loses its account, and is else none.
  func fitting(_ text: String) -> String {
    switch self {
    case .line: SafeText.line(text)
    case .text: SafeText.spaced(text)
    case .source: String(decoding: text.utf8.map { Self.isControl($0) ? 0x20 : $0 }, as: UTF8.self)
    case .field: String(text.prefix(Self.maximumField / 4).filter { (" "..."~").contains($0) })
    case .webURL, .base, .link: Self.withoutAccount(text, self)
    case .own: text
    }
  }

  private static func withoutAccount(_ url: String, _ kind: RecordText) -> String {
    var url = WebURL.withoutAccount(url)
    return url.withUTF8(kind.accepts) ? url : ""
  }

  package static func isSource(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // PERF: a loop without an early end takes many bytes at a time.
    var hasControls = false
    for byte in bytes { hasControls = isControl(byte) || hasControls }
    return !hasControls && UTF8Scalar.isValid(bytes)
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d || byte == 0x7f
  }

  private static func isFile(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.count <= SafeLink.maximumBytes && utf8.starts(with: "file:".utf8)
      && utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func isReference(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count <= SafeLink.maximumBytes, SafeText.isVisible(utf8) else { return false }
    let text = String(decoding: utf8, as: UTF8.self)
    return WebURL.isRelative(text) || WebURL.isMail(text)
  }
}
