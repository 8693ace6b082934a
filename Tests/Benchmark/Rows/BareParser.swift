internal import CLibXML2

/// libxml2's parser with callbacks that do nothing, the least that parsing costs.
enum BareParser {
  enum Faults {
    case fatal
    case recovered
  }

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
    document.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let parser = clibxml2_open(&handler, &user, start, bytes.count, UInt32(options)) else {
        return
      }
      clibxml2_run(parser)
      clibxml2_free(parser)
    }
  }
}
