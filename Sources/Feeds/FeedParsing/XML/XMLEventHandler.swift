import HTMLParsing
import System

/// The listener to a document's elements.
///
/// It is called in document order, with start and end always in pairs except where the document
/// breaks off.
protocol XMLEventHandler: AnyObject {
  /// Returns the handler's own number for an element; asked once for each different name.
  func code(of name: XMLName) -> UInt16

  func startElement(_ code: UInt16, _ attributes: XMLAttributes) throws(FeedParsingError)

  func endElement(_ code: UInt16) throws(FeedParsingError)

  var hasEnough: Bool { get }

  var wantsText: Bool { get }

  /// Takes a piece of text, valid only during the call; the next may continue it.
  func text(_ utf8: UnsafeBufferPointer<UInt8>)
}

struct XMLName: Hashable, Sendable {
  let local: String
  let prefix: String?
  /// The URI of the prefix, or the default one; nil where neither is declared.
  let namespace: String?

  init(local: String, prefix: String?, namespace: String?) {
    (self.local, self.prefix, self.namespace) = (local, prefix, namespace)
  }

  init(qualified name: String) {
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    self.init(local: parts.last ?? "", prefix: parts.count > 1 ? parts[0] : nil, namespace: nil)
  }

  var qualified: String {
    prefix.map { "\($0):\(local)" } ?? local
  }
}

/// The attributes of the element that starts, valid only during that event.
///
/// libxml2 hands over five pointers for each: local name, prefix, namespace, value and its end. The
/// value's `&` arrive as `&#38;` (it keeps them escaped unless entities are replaced).
struct XMLAttributes {
  typealias Pointers = UnsafeMutablePointer<UnsafePointer<UInt8>?>

  let count: Int
  private let pointers: Pointers?
  private let namespaces: UnsafeBufferPointer<UnsafePointer<UInt8>?>

  init(
    _ pointers: Pointers?,
    count: Int,
    namespaces: UnsafeBufferPointer<UnsafePointer<UInt8>?> = .init(start: nil, count: 0),
  ) {
    self.pointers = pointers
    self.count = pointers == nil ? 0 : max(count, 0)
    self.namespaces = namespaces
  }

  static func with(
    _ attributes: [(name: String, value: String)],
    _ body: (XMLAttributes) throws(FeedParsingError) -> Void,
  ) throws(FeedParsingError) {
    guard !attributes.isEmpty else { return try body(XMLAttributes(nil, count: 0)) }
    var texts: [UInt8] = []
    for (name, value) in attributes {
      texts += name.utf8
      texts.append(0)
      texts += value.utf8
      texts.append(0)
    }
    try texts.withUnsafeBufferPointer { (texts) throws(FeedParsingError) in
      var pointers: [UnsafePointer<UInt8>?] = []
      var next = texts.baseAddress
      for (name, value) in attributes {
        let start = next.map { $0 + name.utf8.count + 1 }
        let end = start.map { $0 + value.utf8.count }
        pointers += [next, nil, nil, start, end]
        next = end.map { $0 + 1 }
      }
      try pointers.withUnsafeMutableBufferPointer { (pointers) throws(FeedParsingError) in
        try body(XMLAttributes(pointers.baseAddress, count: attributes.count))
      }
    }
  }

  var defaultNamespace: String? {
    for index in stride(from: 0, to: namespaces.count, by: 2) where namespaces[index] == nil {
      return namespaces[index + 1].map { String(cString: $0) }
    }
    return nil
  }

  /// Appends the value of the first attribute of that local name, in any case and any namespace but
  /// `xml`.
  func value(_ name: StaticString, into buffer: TextBuffer) -> TextSpan? {
    for index in 0..<count where isNamed(name, at: index) && !isInXMLNamespace(at: index) {
      return append(raw(at: index), to: buffer)
    }
    return nil
  }

  func xmlValue(_ name: StaticString) -> String? {
    for index in 0..<count where isInXMLNamespace(at: index) && isNamed(name, at: index) {
      let buffer = TextBuffer(capacity: raw(at: index).count)
      let span = append(raw(at: index), to: buffer)
      return buffer.bytes(span).string
    }
    return nil
  }

  func has(_ name: StaticString, _ value: StaticString) -> Bool {
    for index in 0..<count where isNamed(name, at: index) {
      return raw(at: index).trimmed.isEqual(ignoringCase: value)
    }
    return false
  }

  /// Returns the value as it came, `&` as `&#38;`: enough to compare it with words.
  func raw(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    for index in 0..<count where isNamed(name, at: index) && !isInXMLNamespace(at: index) {
      return raw(at: index).trimmed
    }
    return nil
  }

  func all() -> [(name: XMLName, value: String)] {
    (0..<count).map { index in
      let name = XMLName(
        local: string(index * 5) ?? "",
        prefix: string(index * 5 + 1),
        namespace: string(index * 5 + 2),
      )
      let buffer = TextBuffer(capacity: raw(at: index).count)
      _ = append(raw(at: index), to: buffer)
      return (name, buffer.bytes(TextSpan(start: 0, end: buffer.count)).string)
    }
  }

  private func string(_ position: Int) -> String? {
    pointers?[position].map { String(cString: $0) }
  }

  private func isNamed(_ name: StaticString, at index: Int) -> Bool {
    guard var local = pointers?[index * 5] else { return false }
    var expected = name.utf8Start
    for _ in 0..<name.utf8CodeUnitCount {
      guard local.pointee.asciiLowercased == expected.pointee.asciiLowercased else { return false }
      local += 1
      expected += 1
    }
    return local.pointee == 0
  }

  private func isInXMLNamespace(at index: Int) -> Bool {
    guard let prefix = pointers?[index * 5 + 1] else { return false }
    return prefix[0] == UInt8(ascii: "x") && prefix[1] == UInt8(ascii: "m")
      && prefix[2] == UInt8(ascii: "l") && prefix[3] == 0
  }

  private func raw(at index: Int) -> UnsafeBufferPointer<UInt8> {
    guard let pointers, let start = pointers[index * 5 + 3], let end = pointers[index * 5 + 4]
    else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: start, count: max(end - start, 0))
  }

  private func append(
    _ value: UnsafeBufferPointer<UInt8>,
    to buffer: TextBuffer,
  ) -> TextSpan {
    let start = buffer.count
    guard let first = value.baseAddress,
      memchr(first, 0x26, value.count) != nil || memchr(first, 0xC2, value.count) != nil
    else {
      buffer.append(value)
      return buffer.trimmed(TextSpan(start: start, end: buffer.count))
    }
    var index = 0
    while index < value.count {
      let pair = UnsafeBufferPointer(rebasing: value[index...].prefix(2))
      if let character = Windows1252.character(reference: pair) {
        buffer.append(String(character))
        index += 2
      } else {
        buffer.append(value[index])
        index += value[index] == UInt8(ascii: "&") && isEscapedAmpersand(value, index) ? 5 : 1
      }
    }
    return buffer.trimmed(TextSpan(start: start, end: buffer.count))
  }

  private func isEscapedAmpersand(_ value: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index + 4 < value.count && value[index + 1] == UInt8(ascii: "#")
      && value[index + 2] == UInt8(ascii: "3") && value[index + 3] == UInt8(ascii: "8")
      && value[index + 4] == UInt8(ascii: ";")
  }
}
