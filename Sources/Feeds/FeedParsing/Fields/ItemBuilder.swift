import FeedModel
import HTMLParsing
import HTMLText
import System

struct ItemBuilder {
  let draft: Draft
  let bases: [String]
  let outerBase: String?
  private(set) var isUnresolved = false
  /// The other forms of the enclosures.
  var forms: [RelatedDraft] = []

  let memory: BuilderMemory
  var buffer: TextBuffer { draft.buffer }

  /// Builds the item; `wholeText` returns the text to keep, given the summary beside it.
  mutating func item(keeping wholeText: ((ItemBuilder, String) -> StoryText?)? = nil) -> Item {
    var layout = ItemTextLayout()
    let texts = memory.texts
    texts.truncate(to: 0)
    append(FieldPriority.title, for: .title)
    layout[.title] = texts.count
    var details = ItemDetails()
    details.date = appendDate()
    layout[.pubDate] = texts.count
    details.guidIsPermaLink = appendGUID()
    layout[.guid] = texts.count
    let guid = TextSpan(start: layout[.pubDate], end: layout[.guid])
    details.enclosures = enclosures()
    appendLink(permalink: details.guidIsPermaLink ? guid : nil, details.enclosures)
    layout[.link] = texts.count
    let link = TextSpan(start: layout[.guid], end: layout[.link])
    details.related = related(besides: details.enclosures, link)
    append(FieldPriority.summary, for: .summary)
    let summary = TextSpan(start: layout[.link], end: texts.count)
    if let wholeText {
      let short = shortened(summary)
      if let text = wholeText(self, short ?? texts.bytes(summary).string) {
        details.textNumber = text.number
        if let short { replace(summary, by: short, besides: layout) }
      }
    }
    layout[.summary] = texts.count
    details.author =
      authors(draft.authors) ?? authors(draft.sourceAuthors) ?? text(FieldPriority.author)
    details.categories = categories()
    details.comments = draft.field(.comments).flatMap { self.link($0.span, base: -1) }
    details.season = draft.number(.season, in: 1...999_999_999)
    details.episode = draft.number(.episode, in: 1...999_999_999)
    if !draft.chapters.isEmpty { details.chapters = chapters() }
    if !draft.people.isEmpty { details.people = people() }
    return Item(texts: texts.all, layout: layout, details: details)
  }

  /// Appends the line of the item, whose link stays relative where its base is not known yet.
  mutating func append(to lines: inout StoryLines) {
    memory.texts.truncate(to: 0)
    append(FieldPriority.title, for: .title)
    let date = memory.dates.date(draft, of: FieldPriority.date)
    let link = draft.links.min { $0.rank < $1.rank }.map { buffer.bytes($0.url) }
    let line = SafeText.lineIfSafe(utf8: memory.texts.all)
    if let link, WebURL.isClean(link), let line, !line.isEmpty {
      return lines.append(date, link: link, title: line)
    }
    let item = item()
    var (url, title) = (SafeText.line(item.link), StoryTitle.text(item))
    url.withUTF8 { url in title.withUTF8 { lines.append(date, link: url, title: $0) } }
  }

  private func shortened(_ summary: TextSpan) -> String? {
    SafeText.beginning(
      ofUTF8: memory.texts.bytes(summary),
      maximumCharacters: Item.shortSummary,
    )
  }

  /// An item without a title keeps its summary, which is what identifies it.
  private func replace(_ summary: TextSpan, by short: String, besides layout: ItemTextLayout) {
    guard layout[.title] > 0 else { return }
    memory.texts.truncate(to: summary.start)
    memory.texts.append(short)
  }

  private func append(_ sources: [FeedElement], for purpose: PlainText.Purpose) {
    let start = memory.texts.count
    draft.firstField(of: sources) { field, _ in
      FieldText.append(field, for: purpose, in: buffer, to: memory.texts)
      return memory.texts.count > start
    }
  }

  /// Returns the best source that is a date; the text kept is that of the first source.
  private func appendDate() -> Date? {
    draft.firstField(of: FieldPriority.date) { field, _ in
      let start = memory.texts.count
      PlainText.append(text: buffer.bytes(field.span), for: .title, to: memory.texts)
      return memory.texts.count > start
    }
    return memory.dates.date(draft, of: FieldPriority.date)
  }

  private func appendGUID() -> Bool {
    let start = memory.texts.count
    var isPermanent = false
    draft.firstField(of: FieldPriority.guid) { field, source in
      guard field.span.count <= 4096 else { return false }
      PlainText.append(text: buffer.bytes(field.span), for: .title, to: memory.texts)
      let span = TextSpan(start: start, end: memory.texts.count)
      guard !span.isEmpty else { return false }
      isPermanent = source == .guid && isPermaLink(memory.texts.bytes(span))
      return true
    }
    return isPermanent
  }

  private mutating func appendLink(permalink: TextSpan?, _ enclosures: [Enclosure]) {
    // The first link of the lowest rank needs no work in nearly all feeds.
    if let link = draft.links.min(by: { $0.rank < $1.rank }) {
      let bytes = buffer.bytes(link.url)
      if WebURL.isClean(bytes) { return memory.texts.append(bytes) }
    }
    let guid = permalink.map { memory.texts.bytes($0).string }
    memory.texts.append(
      bestLink() ?? self.permalink(guid) ?? addressOfID() ?? firstFile(enclosures) ?? ""
    )
  }

  /// Returns the first file as published, on which the identity of a story without link rests.
  private mutating func firstFile(_ enclosures: [Enclosure]) -> String? {
    guard let first = draft.enclosures.first, draft.enclosures.allSatisfy({ $0.group != nil })
    else {
      return enclosures.first?.url
    }
    return url(first.url, base: first.base) ?? enclosures.first?.url
  }

  func text(_ sources: [FeedElement], for purpose: PlainText.Purpose = .title) -> String? {
    let start = memory.texts.count
    defer { memory.texts.truncate(to: start) }
    append(sources, for: purpose)
    let span = TextSpan(start: start, end: memory.texts.count)
    return span.isEmpty ? nil : memory.texts.bytes(span).string
  }

  func authors(_ fields: [FieldDraft]) -> String? {
    let names = unique(fields.count > 1 ? named(fields) : fields, text: authorName)
    return names.count > 1 ? names.joined(separator: ", ") : names.first
  }

  private func authorName(_ field: FieldDraft) -> String {
    memory.authors.text(field, in: buffer, make: AuthorName.name)
  }

  /// Leaves out the mail address of RSS `author` where `dc:creator` names the one who has it.
  private func named(_ fields: [FieldDraft]) -> [FieldDraft] {
    let isAddress = fields.map { field in
      field.mode == .html && AuthorName.isAddress(authorName(field))
    }
    let isNamed = zip(fields, isAddress).contains { $0.mode == .html && !$1 }
    return isNamed ? zip(fields, isAddress).filter { !$1 }.map(\.0) : fields
  }

  private func categories() -> [String] {
    unique(draft.categories) { memory.categories.text($0, in: buffer, make: FieldText.line) }
  }

  private func unique(_ fields: [FieldDraft], text: (FieldDraft) -> String) -> [String] {
    var texts: [String] = []
    for field in fields {
      let text = text(field)
      if !text.isEmpty, !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  /// RSS 2.0: a guid is a permalink unless it says not; in the wild, only if it is a URL.
  private func isPermaLink(_ guid: UnsafeBufferPointer<UInt8>) -> Bool {
    switch draft.isPermaLink {
    case false: false
    case true:
      WebURL.isClean(guid) || LinkReference.url(guid.string, against: memory.use(outerBase)) != nil
    case nil: WebURL.isClean(guid) || WebURL.resolve(guid.string, against: nil) != nil
    }
  }

  private mutating func permalink(_ guid: String?) -> String? {
    guard let guid else { return nil }
    return LinkReference.url(guid, against: memory.use(outerBase), isUnresolved: &isUnresolved)
  }

  private func addressOfID() -> String? {
    draft.field(.id).flatMap { WebURL.resolve(buffer.bytes($0.span).string, against: nil) }
  }

  mutating func bestLink() -> String? {
    guard draft.links.count != 1 else { return url(draft.links[0].url, base: draft.links[0].base) }
    var unresolved: String?
    for link in draft.links.sorted(by: { $0.rank < $1.rank }) {
      guard let url = url(link.url, base: link.base) else { continue }
      guard LinkReference.isUnresolved(url.utf8) else { return url }
      unresolved = unresolved ?? url
    }
    return unresolved
  }

  mutating func url(_ span: TextSpan, base: Int) -> String? {
    let base = outerBase(base)
    return LinkReference.url(
      buffer.bytes(span).string,
      against: base,
      isUnresolved: &isUnresolved,
    )
  }

  /// Resolves a link that is dropped if its base is unknown, as no later one is waited for.
  func link(_ span: TextSpan, base: Int) -> String? {
    let url = LinkReference.url(buffer.bytes(span).string, against: outerBase(base))
    return url.flatMap { LinkReference.isUnresolved($0.utf8) ? nil : $0 }
  }

  private func outerBase(_ base: Int) -> String? {
    memory.use(bases.indices.contains(base) ? bases[base] : outerBase)
  }
}

final class BuilderMemory {
  let texts = TextBuffer()
  let dates: FieldDates
  let authors = ShortTexts()
  let categories = ShortTexts()
  /// The bytes of all bases that references were resolved against, and 64 for each reference.
  ///
  /// Short references and a long base can make a hundred times as much of a document.
  private var baseBytes = 0

  init(_ limits: ParsingLimits) {
    dates = FieldDates(latestYear: limits.latestYear)
  }

  func use(_ base: String?) -> String? {
    baseBytes += 64 + (base?.utf8.count ?? 0)
    return base
  }

  func checkBases(_ limits: ParsingLimits) throws(FeedParsingError) {
    guard baseBytes <= limits.maximumBytes else {
      throw .limitExceeded(name: "bytes of resolved links", limit: limits.maximumBytes)
    }
  }
}

/// A cache of texts that come again and again (authors, categories).
///
/// PERF: a look-up costs 20 ns; cleaning the bytes and making a string of them, 100 ns and more.
final class ShortTexts {
  private struct Slot {
    var key: [UInt8]
    var mode: TextMode
    var text: String
  }

  private static let size = 128
  private static let maximumLength = 64
  private var slots = [Slot](
    repeating: Slot(key: [], mode: .plain, text: ""),
    count: size,
  )

  func text(
    _ field: FieldDraft,
    in buffer: TextBuffer,
    make: (FieldDraft, TextBuffer) -> String,
  ) -> String {
    let bytes = buffer.bytes(field.span)
    guard !bytes.isEmpty, bytes.count <= Self.maximumLength else { return make(field, buffer) }
    let index = Self.hash(bytes) % Self.size
    if slots[index].mode == field.mode, bytes.elementsEqual(slots[index].key) {
      return slots[index].text
    }
    let text = make(field, buffer)
    slots[index] = Slot(key: Array(bytes), mode: field.mode, text: text)
    return text
  }

  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = FNV1a.hash(bytes)
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
  }
}
