internal import CLibXML2

/// What hears an HTML document: its elements are balanced, whatever the document does.
package protocol HTMLEventHandler: AnyObject {
  /// Whether anything more of the document is wanted.
  var isReading: Bool { get }

  func startElement(_ name: String, _ attributes: HTMLAttributes)
  func endElement(_ name: String)
  func text(_ utf8: UnsafeBufferPointer<UInt8>)
}

/// libxml2's HTML parser, guarded: it ends early rather than late.
///
/// libxml2 compares each attribute of a tag with each before it, and only then calls: documents
/// that go on for long without a call end there.
package final class HTMLReader {
  package private(set) var isCut = false
  private let handler: any HTMLEventHandler
  /// Bytes read since the last call.
  private var silence = 0
  /// Bytes read in silences that were long already.
  private var longSilence = 0
  private static let longestSilence = 65_536
  private static let mostLongSilence = 262_144
  private static let usualSilence = 8_192

  package init(_ handler: any HTMLEventHandler) {
    self.handler = handler
  }

  /// Takes valid UTF-8.
  package func read(_ html: [UInt8]) throws(FeedParsingError) {
    try XMLLibrary.load()
    var callbacks = Self.callbacks
    // libxml2's parser lives within the call: its user pointer never outlives `self`.
    let user = Unmanaged.passUnretained(self).toOpaque()
    let hasMemory = html.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return true }
      return clibxml2_read_html(
        &callbacks,
        user,
        start.assumingMemoryBound(to: CChar.self),
        bytes.count,
      )
    }
    guard hasMemory else { throw .malformed(line: 0, reason: "out of memory") }
  }

  private static var callbacks: clibxml2_html_handler {
    clibxml2_html_handler(
      wants_more: { user, size in
        guard let user else { return false }
        return Unmanaged<HTMLReader>.fromOpaque(user)._withUnsafeGuaranteedRef {
          $0.wantsMore(size)
        }
      },
      start_element: { user, name, attributes in
        guard let user, let name else { return }
        Unmanaged<HTMLReader>.fromOpaque(user)._withUnsafeGuaranteedRef {
          $0.didStart(name, HTMLAttributes(attributes))
        }
      },
      end_element: { user, name in
        guard let user, let name else { return }
        Unmanaged<HTMLReader>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didEnd(name) }
      },
      characters: { user, bytes, count in
        guard let user, let bytes, count > 0 else { return }
        Unmanaged<HTMLReader>.fromOpaque(user)._withUnsafeGuaranteedRef {
          $0.didReceiveText(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
      },
    )
  }

  private func wantsMore(_ size: Int) -> Bool {
    silence += size
    if silence > Self.usualSilence { longSilence += size }
    guard silence <= Self.longestSilence, longSilence <= Self.mostLongSilence else {
      isCut = true
      return false
    }
    return handler.isReading
  }

  private func didStart(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    silence = 0
    if handler.isReading { handler.startElement(String(cString: name), attributes) }
  }

  private func didEnd(_ name: UnsafePointer<UInt8>) {
    silence = 0
    // Also behind the end: what is open has to be closed.
    handler.endElement(String(cString: name))
  }

  private func didReceiveText(_ utf8: UnsafeBufferPointer<UInt8>) {
    silence = 0
    if handler.isReading { handler.text(utf8) }
  }
}

/// The attributes of a tag, for as long as a call about it lasts.
package struct HTMLAttributes {
  private let pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

  init(_ pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    self.pairs = pairs
  }

  /// The value of the attribute, empty where it has none; nil when there is no such attribute.
  package subscript(name: StaticString) -> String? {
    guard let pairs else { return nil }
    var index = 0
    while let attribute = pairs[index] {
      if strcmp(attribute, name) { return pairs[index + 1].map { String(cString: $0) } ?? "" }
      index += 2
    }
    return nil
  }

  /// Whether they are those of an element that nobody is to see.
  package var areHidden: Bool {
    if self["hidden"] != nil { return true }
    guard let style = self["style"] else { return false }
    let words = style.lowercased().filter { $0 != " " }
    return words.contains("display:none") || words.contains("visibility:hidden")
  }

  private func strcmp(_ text: UnsafePointer<UInt8>, _ name: StaticString) -> Bool {
    for index in 0..<name.utf8CodeUnitCount where text[index] != name.utf8Start[index] {
      return false
    }
    return text[name.utf8CodeUnitCount] == 0
  }
}
