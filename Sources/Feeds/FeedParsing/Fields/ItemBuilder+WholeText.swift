import FeedModel
import HTMLParsing
import HTMLText
import System

/// A story's text is what its publisher says is its text (`FieldPriority.wholeText`).
///
/// A candidate that says more, and something else, follows under its name; pictures stand with their
/// descriptions at the end.
extension ItemBuilder {
  /// Returns nil where the summary already says all of it.
  func wholeText(besides summary: String) -> StoryText? {
    let elements = FieldPriority.wholeText.filter { draft.field($0) != nil }
    let chosen = chosen(of: elements)
    let text = chosen.flatMap(text) ?? StoryText(isHTML: true, bytes: [])
    let others = elements.count > 1 ? elements.filter { $0 != chosen } : []
    let before = elements.firstIndex { $0 == chosen } ?? 0
    let behind = others.isEmpty ? [] : longer(others, than: text, of: chosen)
    let all = [
      pictures(of: others.prefix(before), text), text.html, behind + pictures(besides: text),
    ]
    guard all[0].isEmpty, all[2].isEmpty else {
      return StoryText(isHTML: true, base: text.base, bytes: Array(all.joined()))
    }
    guard !text.bytes.isEmpty else { return nil }
    let hasMarkup = text.isHTML && text.bytes.contains(UInt8(ascii: "<"))
    let isMore = hasMarkup || text.bytes.count > summary.utf8.count || hasLines(text.bytes)
    return isMore || text.lineWithoutPictures != summary ? text : nil
  }

  /// Returns the first that has words, but of a description and the summary of iTunes the longer.
  private func chosen(of elements: [FeedElement]) -> FeedElement? {
    guard elements.count > 1 else { return elements.first }
    let first = elements.first { surelySays($0, 1) || !words($0).isEmpty } ?? elements.first
    guard first == .description, elements.contains(.itunesSummary),
      words(.itunesSummary).utf8.count > words(.description).utf8.count
    else { return first }
    return .itunesSummary
  }

  /// Returns the markup of candidates that have pictures and no words.
  private func pictures(of elements: ArraySlice<FeedElement>, _ text: StoryText) -> [UInt8] {
    elements.flatMap { element in
      self.text(of: element).flatMap { $0.hasPicture && !text.hasPicture ? $0.bytes : nil } ?? []
    }
  }

  private func longer(
    _ elements: [FeedElement],
    than text: StoryText,
    of chosen: FeedElement?,
  ) -> [UInt8] {
    var (said, html) = (nil as (own: Int, all: String)?, [UInt8]())
    for element in elements {
      guard let chosen, let size = draft.field(element)?.span.count, !surelySays(chosen, size)
      else { continue }
      if said == nil {
        let words = text.lineWithoutPictures
        said = (words.utf8.count, words)
      }
      let new = words(element)
      guard let (own, all) = said, new.utf8.count > own, Self.saysElse(new, than: all),
        let other = self.text(of: element)?.html
      else { continue }
      html += "<h4>\(FieldPriority.name(element))</h4>".utf8 + other
      said = (own, "\(all) \(new)")
    }
    return html
  }

  private func pictures(besides text: StoryText) -> [UInt8] {
    draft.pictureTexts.flatMap { url, field -> [UInt8] in
      let url = Array(buffer.bytes(url))
      guard !text.bytes.contains(url) else { return [] }
      var html = Array("<p><img src=\"".utf8)
      url.withUnsafeBufferPointer { MarkupEscape.append($0, to: &html) }
      html += "\" alt=\"".utf8
      var line = FieldText.line(field, in: buffer)
      line.withUTF8 { MarkupEscape.append($0, to: &html) }
      return html + "\"></p>".utf8
    }
  }

  private func words(_ element: FeedElement) -> String {
    text(of: element)?.lineWithoutPictures ?? ""
  }

  /// True where a fifth of the words are not known: Markdown says what its HTML says.
  private static func saysElse(_ text: String, than known: String) -> Bool {
    func words(_ text: String) -> [String] {
      text.split(separator: " ").filter { !$0.contains("://") }
        .map { $0.filter { $0.isLetter || $0.isNumber } }.filter { !$0.isEmpty }
    }
    let (known, words) = (Set(words(known)), words(text))
    return words.count { !known.contains($0) } * 5 > words.count
  }

  /// True where a field has more bytes of words than `count`; false where that takes a closer look.
  ///
  /// PERF: most content is far longer than the summary beside it.
  private func surelySays(_ element: FeedElement, _ count: Int) -> Bool {
    guard let field = draft.field(element) else { return false }
    let bytes = UnsafeRawBufferPointer(buffer.bytes(field.span))
    var (index, words) = (0, 0)
    while words < count * 2 + 40 {
      let tag = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: index) ?? bytes.count
      words += tag - index
      // Scripts, styles and comments have no words.
      guard tag < bytes.count,
        !["<!", "<sc", "<st"].contains(where: { bytes.hasASCII($0, at: tag) }),
        let end = ByteScan.first(UInt8(ascii: ">"), in: bytes, from: tag)
      else { break }
      index = end + 1
    }
    return words >= count * 2 + 40
  }

  private func hasLines(_ bytes: [UInt8]) -> Bool {
    let end = bytes.lastIndex { !$0.isASCIISpace } ?? 0
    return bytes[..<end].drop(while: \.isASCIISpace).contains(UInt8(ascii: "\n"))
  }

  private func text(of element: FeedElement) -> StoryText? {
    guard let field = draft.field(element) else { return nil }
    let whole = draft.wholes.first { $0.element == element }
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

extension StoryText {
  fileprivate var hasPicture: Bool {
    isHTML && ["<img", "<video", "<audio", "<iframe"].contains { bytes.contains($0.utf8) }
  }

  /// The text as HTML, in which lines stay lines.
  fileprivate var html: [UInt8] {
    guard !bytes.isEmpty, !isHTML || !bytes.contains(UInt8(ascii: "<")) else { return bytes }
    var html = Array("<div style=\"white-space:pre-line\">".utf8)
    if isHTML {
      html += bytes
    } else {
      bytes.withUnsafeBufferPointer { MarkupEscape.append($0, to: &html) }
    }
    return html + "</div>".utf8
  }
}
