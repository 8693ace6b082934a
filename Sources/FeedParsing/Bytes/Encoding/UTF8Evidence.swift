/// What the first bytes of a document say for and against UTF-8.
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

  /// Whether text in the encoding would hardly look like this.
  ///
  /// A western text has no Ã© and â€™; in other one-byte sets and in those of two bytes, single
  /// characters do pass for UTF-8 (the `联通` of GBK), eight in a row without an error do not.
  func speaks(against encoding: TextEncoding) -> Bool {
    guard encoding.isASCIICompatible, errors == 0 else { return false }
    return characters >= (encoding == .windows1252 ? 1 : 8)
  }
}
