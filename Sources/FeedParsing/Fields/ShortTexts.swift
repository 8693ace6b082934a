import System

/// Texts that come again and again (authors, categories, media types), each made once.
///
/// PERF: a look-up costs 20 ns; to clean the bytes and to make a string of them, 100 ns and more.
final class ShortTexts {
  private struct Slot {
    var key: [UInt8]
    var mode: TextMode
    var text: String
  }

  private static let size = 128
  private static let maximumLength = 64
  private var lastList: [String] = []
  private var slots = [Slot](
    repeating: Slot(key: [], mode: .plain, text: ""),
    count: size,
  )

  /// The text of a field: the one made of the same bytes before, or what `make` makes of them.
  func text(
    _ field: FieldDraft,
    in buffer: TextBuffer,
    make: (FieldDraft, TextBuffer) -> String,
  ) -> String {
    let bytes = buffer.bytes(field.span)
    guard !bytes.isEmpty, bytes.count <= Self.maximumLength else { return make(field, buffer) }
    let index = Self.hash(bytes) % Self.size
    if slots[index].mode == field.mode, bytes.isEqual(to: slots[index].key) {
      return slots[index].text
    }
    let text = make(field, buffer)
    slots[index] = Slot(key: Array(bytes), mode: field.mode, text: text)
    return text
  }

  /// A list of one text (none, if it is empty), the same as last time where it can be.
  func list(_ text: String) -> [String] {
    if lastList.first != text { lastList = text.isEmpty ? [] : [text] }
    return lastList
  }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = FNV1a.hash(bytes)
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }
}
