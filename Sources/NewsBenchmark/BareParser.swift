internal import CLibXML2

/// libxml2's push parser with callbacks that do nothing: what parsing costs at the least.
enum BareParser {
  enum Faults {
    /// The first one ends the document.
    case fatal
    case recovered
  }

  /// Parses a document in chunks of 16 KiB, as libcurl delivers them.
  static func parse(_ document: [UInt8], faults: Faults = .fatal) {
    precondition(clibxml2_load() == nil, "libxml2 is missing")
    var handler = clibxml2_handler()
    handler.start_element = { _, _, _, _, _, _, _, _, _ in }
    handler.end_element = { _, _, _, _ in }
    handler.characters = { _, _, _ in }
    handler.cdata = { _, _, _ in }
    handler.error = { _, _ in }
    var user = 0
    let options = faults == .recovered ? CLIBXML2_RECOVERING : CLIBXML2_STRICT
    guard let parser = clibxml2_create(&handler, &user, UInt32(options)) else { return }
    defer { clibxml2_free(parser) }
    document.withUnsafeBytes { bytes in
      for chunk in chunks(of: bytes) {
        let start = chunk.baseAddress?.assumingMemoryBound(to: CChar.self)
        clibxml2_parse(parser, start, Int32(chunk.count), false)
      }
    }
    clibxml2_parse(parser, nil, 0, true)
  }
}

/// The pieces of 16 KiB of a document.
func chunks(of bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
  stride(from: 0, to: bytes.count, by: 16_384).map { start in
    UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 16_384, bytes.count)])
  }
}
