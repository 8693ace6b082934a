import FeedModel
import System

extension ItemBuilder {
  /// Returns nil where the summary already says all of the longest field.
  ///
  /// `summary` is the number of the summary's bytes.
  func wholeText(summary: Int) -> StoryText? {
    var longest: (element: FeedElement, field: FieldDraft)?
    for element in FieldPriority.wholeText {
      guard let field = draft.field(element) else { continue }
      if field.span.count > longest?.field.span.count ?? 0 { longest = (element, field) }
    }
    guard let (element, field) = longest else { return nil }
    let whole = draft.wholes.first { $0.element == element }
    let text = text(of: field, whole)
    guard let text, !text.bytes.isEmpty else { return nil }
    let hasMarkup = text.isHTML && text.bytes.contains(UInt8(ascii: "<"))
    return hasMarkup || text.bytes.count > summary || hasLines(text.bytes) ? text : nil
  }

  private func hasLines(_ bytes: [UInt8]) -> Bool {
    let end = bytes.lastIndex { !$0.isASCIISpace } ?? 0
    return bytes[..<end].drop(while: \.isASCIISpace).contains(UInt8(ascii: "\n"))
  }

  private func text(of field: FieldDraft, _ whole: WholeDraft?) -> StoryText? {
    let base = whole.flatMap { bases.indices.contains($0.base) ? bases[$0.base] : nil }
    if let whole, !whole.markup.isEmpty {
      return StoryText(isHTML: true, base: base, bytes: Array(draft.markup.bytes(whole.markup)))
    }
    let bytes = buffer.bytes(field.span)
    switch field.mode {
    case .html: return StoryText(isHTML: true, base: base, bytes: Array(bytes))
    case .plain: return StoryText(isHTML: false, base: base, bytes: Array(bytes))
    case .base64HTML, .base64Plain:
      // Text that is not base64 is taken as it stands; a picture has no text.
      let isHTML = field.mode == .base64HTML
      guard let data = Base64.decode(bytes) else {
        return StoryText(isHTML: isHTML, base: base, bytes: Array(bytes))
      }
      guard String(validating: data, as: UTF8.self) != nil else { return nil }
      return StoryText(isHTML: isHTML, base: base, bytes: data)
    }
  }
}
