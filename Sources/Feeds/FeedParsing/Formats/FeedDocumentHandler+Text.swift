internal import HTMLParsing
internal import System

extension FeedDocumentHandler {
  func startText(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope {
    let type = TextConstruct(code, attributes)
    capture = Capture(
      element: code.element,
      start: buffer.count,
      mode: type.mode,
      isOpaque: type.isOpaque,
    )
    if code.element.mayBeWholeText {
      // PERF: most bytes of a document are in texts that no line needs.
      capture.maximumBytes = draft.needsNoText ? 0 : Draft.maximumTextBytes
      capture.base = bases.current
    }
    return .text
  }

  func startInText(
    _ code: FeedElementCode,
    _ attributes: XMLAttributes,
  ) throws(FeedParsingError) -> Scope? {
    if endsText(code.element) {
      closeText()
      switch scope {
      case .item: return startInItem(code, attributes)
      case .feed: return startInFeed(code, attributes)
      default: return nil
      }
    }
    if code.element == .scriptMarkup { return startInMedia(code, attributes) }
    if code.tag == HTMLTagName.formula {
      capture.formula = (buffer.count, draft.markup.count)
    } else if code.tag == HTMLTagName.input {
      appendBox(attributes)
    }
    if code.tag > 0 { startTag(code.tag, attributes) }
    switch code.element {
    case .blockMarkup, .xhtmlBody, .summary: endWord()
    case .inlineMarkup
    where capture.element.mayBeWholeText
      && [HTMLTagName.raised, HTMLTagName.lowered].contains(code.tag):
      capture.raised.append(buffer.count)
    default:
      if capture.element == .picture { buffer.append(UInt8(ascii: " ")) }
    }
    return .markup
  }

  private func endsText(_ element: FeedElement) -> Bool {
    guard !capture.isOpaque else { return false }
    switch element {
    case .item, .guid, .pubDate, .dcDate, .date, .published, .issued, .updated, .modified, .creator,
      .contentEncoded, .enclosure, .category, .author, .description, .mediaContent, .mediaGroup,
      .dcSubject:
      return true
    // These are elements of HTML, too.
    case .title, .link, .id, .summary, .content:
      return !capture.isMarkup
    default: return false
    }
  }

  func endMarkup(_ frame: Frame) {
    if frame.tag > 0 { endTag(frame.tag) }
    if frame.tag == HTMLTagName.formula { endFormula() }
    if frame.tag == HTMLTagName.raised { endRaised(.raised) }
    if frame.tag == HTMLTagName.lowered { endRaised(.lowered) }
    if [.blockMarkup, .xhtmlBody, .summary].contains(frame.element) { endWord() }
  }

  /// Puts a space in the place of the white space at the end, where a line break may be no space.
  private func endWord() {
    let start = max(capture.start, capture.raised.last ?? 0, capture.formula?.text ?? 0)
    let text = TextSpan(start: start, end: buffer.count)
    let space = buffer.bytes(text).reversed().prefix(while: \.isXMLWhitespace).count
    buffer.truncate(to: buffer.count - space)
    buffer.append(UInt8(ascii: " "))
  }

  /// `2<sup>l+1</sup>` is `2^(l+1)`, escaped or not.
  private func endRaised(_ place: RaisedText.Place) {
    guard let start = capture.raised.popLast() else { return }
    func text(from start: Int, to end: Int) -> String {
      String(decoding: buffer.bytes(TextSpan(start: start, end: end)), as: UTF8.self)
    }
    let raised = SafeText.line(text(from: start, to: buffer.count))
    let base = text(from: max(capture.start, start - 16), to: start)
    buffer.truncate(to: start)
    buffer.append(RaisedText(raised, place, behind: base).line(raised))
  }

  private func endFormula() {
    guard let (start, markup) = capture.formula, markup < draft.markup.count else { return }
    capture.formula = nil
    let html = draft.markup.bytes(TextSpan(start: markup, end: draft.markup.count))
    guard let line = HTMLTree.fragment(Array(html)).formula else { return }
    buffer.truncate(to: start)
    buffer.append(line)
  }

  private func appendBox(_ attributes: XMLAttributes) {
    let all = attributes.all()
    guard all.contains(where: { $0.name.local == "type" && $0.value == "checkbox" }) else { return }
    buffer.append(all.contains { $0.name.local == "checked" } ? "[x] " : "[ ] ")
  }

  func endText() {
    let start = capture.start
    let span = buffer.trimmed(TextSpan(start: start, end: buffer.count))
    guard !span.isEmpty, keep(span) else {
      if let markup = capture.markupStart { draft.markup.truncate(to: markup) }
      return buffer.truncate(to: start)
    }
  }

  private func keep(_ span: TextSpan) -> Bool {
    let field = FieldDraft(span: span, mode: capture.mode)
    switch capture.element {
    case .link: keepLink(span, rank: FieldPriority.textLinkRank)
    case .originalLink: keepLink(span, rank: FieldPriority.originalLinkRank)
    case .enclosure: draft.enclosures.indices.last.map { draft.enclosures[$0].url = span }
    case .picture: keepPicture(firstWord(span), .own)
    case .thumbnail: keepPicture(firstWord(span), .thumbnail)
    case .category, .dcSubject, .mediaCategory: keepCategory(span, mode: capture.mode)
    case .keywords: keepKeywords(span)
    case .creator: draft.authors.appendWithinLimit(field)
    case .name: person.name = person.name ?? field
    case .email: person.email = person.email ?? field
    case .pictureText:
      if let url = draft.picture { draft.pictureTexts.appendWithinLimit((url, field)) }
      draft.keep(field, as: capture.element)
    case .podcastPerson: draft.people.indices.last.map { draft.people[$0].name = field }
    case .hour, .day: results.skip(buffer.bytes(span), capture.element)
    default:
      guard draft.keep(field, as: capture.element) else { return false }
      keepWhole()
      if capture.element == .title, limits.kept == .lines, draft !== feedDraft {
        draft.needsNoText = FieldText.surelyHasWords(field, in: buffer)
      }
    }
    return true
  }

  private func keepKeywords(_ span: TextSpan) {
    var start = span.start
    for (offset, byte) in buffer.bytes(span).enumerated() where byte == UInt8(ascii: ",") {
      keepCategory(buffer.trimmed(TextSpan(start: start, end: span.start + offset)))
      start = span.start + offset + 1
    }
    keepCategory(buffer.trimmed(TextSpan(start: start, end: span.end)))
  }

  func startPerson(_ code: FeedElementCode) -> Scope {
    let start = buffer.count
    let isInSource = scope == .source
    person = PersonDraft(start: start, isAtom: code.isAtom, isInSource: isInSource)
    capture = Capture(element: .author, start: start, mode: code.isAtom ? .plain : .html)
    return .person
  }

  func startInPerson(
    _ code: FeedElementCode,
    _ attributes: XMLAttributes,
  ) throws(FeedParsingError) -> Scope? {
    switch code.element {
    case .name, .email:
      person.textEnd = person.textEnd ?? buffer.count
      return startText(code, attributes)
    case .inlineMarkup, .blockMarkup, .xhtmlBody: return try startInText(code, attributes)
    default: return nil
    }
  }

  func endPerson() {
    let own = ownText()
    guard let field = person.name ?? (own.span.isEmpty ? person.email : own) else { return }
    if person.isInSource {
      draft.sourceAuthors.appendWithinLimit(field)
    } else {
      draft.authors.appendWithinLimit(field)
    }
  }

  private func ownText() -> FieldDraft {
    let text = TextSpan(start: person.start, end: person.textEnd ?? buffer.count)
    return FieldDraft(span: buffer.trimmed(text), mode: person.isAtom ? .plain : .html)
  }

  /// Ends the field whose end tag is missing: what follows belongs to what is around it.
  private func closeText() {
    var index = frames.count - 1
    while index >= 0, [.text, .markup, .person].contains(frames[index].scope) {
      end(frames[index])
      index -= 1
    }
    neutralize(after: index, scope: index >= 0 ? frames[index].scope : .feed)
  }

  func closeItem() {
    var index = frames.count - 1
    while index >= 0, !(frames[index].scope == .item && frames[index].element == .item) {
      end(frames[index])
      index -= 1
    }
    guard index >= 0 else { return }
    end(frames[index])
    neutralize(after: index - 1, scope: .aside)
  }
}
