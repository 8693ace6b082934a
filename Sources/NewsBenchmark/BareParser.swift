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
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { _, _, _, _, _, _, _, _, _ in }
    handler.endElementNs = { _, _, _, _ in }
    handler.characters = { _, _, _ in }
    handler.cdataBlock = { _, _, _ in }
    handler.serror = { _, _ in }
    var user = 0
    guard let context = xmlCreatePushParserCtxt(&handler, &user, nil, 0, nil) else { return }
    defer { xmlFreeParserCtxt(context) }
    if faults == .recovered {
      _ = xmlCtxtUseOptions(context, Int32(XML_PARSE_RECOVER.rawValue))
    }
    document.withUnsafeBytes { bytes in
      for chunk in chunks(of: bytes) {
        _ = xmlParseChunk(
          context,
          chunk.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(chunk.count),
          0,
        )
      }
    }
    _ = xmlParseChunk(context, nil, 0, 1)
  }
}

/// The pieces of 16 KiB of a document.
func chunks(of bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
  stride(from: 0, to: bytes.count, by: 16_384).map { start in
    UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 16_384, bytes.count)])
  }
}
