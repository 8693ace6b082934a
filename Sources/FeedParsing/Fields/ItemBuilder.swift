import FeedModel
import System

/// From a draft to an item: each field from the first of its sources that says anything.
struct ItemBuilder {
  let draft: Draft
  /// By their numbers.
  let bases: [String]
  /// The base of what no `xml:base` holds for.
  let outerBase: String?
  /// Whether a reference stayed relative, because nobody knows its base yet.
  private(set) var isUnresolved = false

  private let memory: BuilderMemory
  private var buffer: TextBuffer { draft.buffer }

  init(_ draft: Draft, bases: [String], outerBase: String?, memory: BuilderMemory) {
    self.memory = memory
    self.draft = draft
    self.bases = bases
    self.outerBase = outerBase
  }

  mutating func item() -> Item {
    var layout = ItemTextLayout()
    let texts = memory.texts
    texts.truncate(to: 0)
    appendTitle()
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
    appendSummary()
    layout[.summary] = texts.count
    details.author =
      authors(draft.authors) ?? authors(draft.sourceAuthors) ?? line(FieldPriority.author)
    details.categories = categories()
    let all = texts.bytes(TextSpan(start: 0, end: texts.count))
    return Item(texts: all, layout: layout, details: details)
  }

  // MARK: - The texts of an item, one after the other

  private func appendTitle() {
    let start = memory.texts.count
    draft.firstField(of: FieldPriority.title) { field, _ in
      FieldText.appendLine(field, in: buffer, to: memory.texts, scratch: memory.scratch)
      return memory.texts.count > start
    }
  }

  private func appendSummary() {
    let start = memory.texts.count
    draft.firstField(of: FieldPriority.summary) { field, _ in
      FieldText.appendSummary(field, in: buffer, to: memory.texts, scratch: memory.scratch)
      return memory.texts.count > start
    }
  }

  /// The date of the first source that is one, or else the text of the first.
  private func appendDate() -> Date? {
    let start = memory.texts.count
    var date: Date?
    draft.firstField(of: FieldPriority.date) { field, _ in
      let bytes = buffer.bytes(field.span)
      if memory.texts.count == start { appendLine(bytes) }
      date = FeedDate.date(utf8: bytes)
      return date != nil
    }
    return date
  }

  /// - Returns: Whether it is the story's permanent URL.
  private func appendGUID() -> Bool {
    let start = memory.texts.count
    var isPermanent = false
    draft.firstField(of: FieldPriority.guid) { field, source in
      guard field.span.count <= 4096 else { return false }
      appendLine(buffer.bytes(field.span))
      let span = TextSpan(start: start, end: memory.texts.count)
      guard !span.isEmpty else { return false }
      isPermanent = source == .guid && isPermaLink(memory.texts.bytes(span))
      return true
    }
    return isPermanent
  }

  private func appendLine(_ bytes: UnsafeBufferPointer<UInt8>) {
    if let line = SafeText.cleanLine(utf8: bytes) {
      memory.texts.append(line)
    } else {
      memory.texts.append(SafeText.line(utf8: bytes))
    }
  }

  private mutating func appendLink(permalink: TextSpan?, _ enclosures: [Enclosure]) {
    // The first link of the lowest rank needs no work in nearly all feeds.
    if let link = draft.links.min(by: { $0.rank < $1.rank }) {
      let bytes = buffer.bytes(link.url)
      if WebURL.isClean(bytes) { return memory.texts.append(bytes) }
    }
    let guid = permalink.map { memory.texts.bytes($0).string }
    memory.texts.append(
      bestLink() ?? self.permalink(guid) ?? originalLink() ?? enclosures.first?.url ?? ""
    )
  }

  // MARK: - Text

  func line(_ sources: FieldSources) -> String? {
    guard draft.hasAny(of: sources) else { return nil }
    for source in sources.elements {
      guard let field = draft.field(source) else { continue }
      let text = FieldText.line(field, in: buffer, scratch: memory.scratch)
      if !text.isEmpty { return text }
    }
    return nil
  }

  func summary(_ sources: FieldSources = FieldPriority.summary) -> String? {
    guard draft.hasAny(of: sources) else { return nil }
    for source in sources.elements {
      guard let field = draft.field(source) else { continue }
      let text = FieldText.summary(field, in: buffer, scratch: memory.scratch)
      if !text.isEmpty { return text }
    }
    return nil
  }

  func authors(_ fields: [FieldDraft]) -> String? {
    guard fields.count != 1 else {
      let name = author(fields[0])
      return name.isEmpty ? nil : name
    }
    let names = unique(fields.map(author))
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private func author(_ field: FieldDraft) -> String {
    memory.authors.text(field, in: buffer) {
      AuthorName.name($0, in: $1, scratch: memory.scratch)
    }
  }

  private func categories() -> [String] {
    switch draft.categories.count {
    case 0: return []
    case 1: return memory.categories.list(category(draft.categories[0]))
    default: return unique(draft.categories.map(category))
    }
  }

  private func category(_ field: FieldDraft) -> String {
    memory.categories.text(field, in: buffer) {
      FieldText.line($0, in: $1, scratch: memory.scratch)
    }
  }

  private func unique(_ texts: [String]) -> [String] {
    guard texts.count > 1 else { return texts.first?.isEmpty == true ? [] : texts }
    var seen: Set<String> = []
    return texts.filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  // MARK: - Identity

  /// RSS 2.0: a guid is a permalink unless it says not; in the wild, only if it is a URL.
  private func isPermaLink(_ guid: UnsafeBufferPointer<UInt8>) -> Bool {
    switch draft.isPermaLink {
    case false: false
    case true:
      WebURL.isClean(guid) || LinkReference.url(guid.string, against: memory.use(outerBase)) != nil
    case nil: WebURL.isClean(guid) || WebURL.resolve(guid.string, against: nil) != nil
    }
  }

  // MARK: - Links

  private mutating func permalink(_ guid: String?) -> String? {
    guard let guid else { return nil }
    return LinkReference.url(guid, against: memory.use(outerBase), isUnresolved: &isUnresolved)
  }

  private mutating func originalLink() -> String? {
    draft.field(.originalLink).flatMap { url($0.span, base: -1) }
  }

  /// The link of the lowest rank that leads anywhere; among equals the first.
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

  private mutating func url(_ span: TextSpan, base: Int) -> String? {
    LinkReference.url(
      buffer.bytes(span).string,
      against: memory.use(bases.indices.contains(base) ? bases[base] : outerBase),
      isUnresolved: &isUnresolved,
    )
  }

  // MARK: - Enclosures

  private mutating func enclosures() -> [Enclosure] {
    guard !draft.enclosures.isEmpty else { return [] }
    var result: [Enclosure] = []
    for draft in draft.enclosures where !draft.isMedia { merge(draft, into: &result) }
    takeOriginalLink(&result)
    for draft in draft.enclosures where draft.isMedia { merge(draft, into: &result) }
    takeDuration(&result)
    return result
  }

  /// Adds an enclosure, or to the one with the same URL what that does not say.
  private mutating func merge(_ draft: EnclosureDraft, into result: inout [Enclosure]) {
    guard let url = url(draft.url, base: draft.base) else { return }
    let type = draft.type.map { SafeText.line(utf8: buffer.bytes($0)) }
    let new = Enclosure(
      url: url,
      type: type.flatMap { $0.isEmpty ? nil : $0 },
      length: draft.length.flatMap { Int64(buffer.bytes($0).string) }.flatMap { $0 > 0 ? $0 : nil },
      duration: draft.duration.flatMap { PlayingTime.seconds(buffer.bytes($0)) },
    )
    guard let index = result.firstIndex(where: { $0.url == url }) else {
      result.append(new)
      return
    }
    result[index].type = result[index].type ?? new.type
    result[index].length = result[index].length ?? new.length
    result[index].duration = result[index].duration ?? new.duration
  }

  /// FeedBurner puts its own counting address in the place of the only enclosure's.
  private mutating func takeOriginalLink(_ result: inout [Enclosure]) {
    guard result.count == 1, let field = draft.field(.originalEnclosureLink),
      let original = url(field.span, base: -1)
    else { return }
    result[0].url = original
  }

  /// `itunes:duration` is the item's: it belongs to the first enclosure that plays.
  private func takeDuration(_ result: inout [Enclosure]) {
    guard let field = draft.field(.duration),
      let seconds = PlayingTime.seconds(buffer.bytes(field.span)), seconds > 0,
      let index = result.firstIndex(where: { $0.plays }), result[index].duration == nil
    else { return }
    result[index].duration = seconds
  }
}

extension Enclosure {
  /// Whether it is sound or film, as far as its type says.
  var plays: Bool {
    guard let type else { return true }
    return type.hasPrefix("audio/") || type.hasPrefix("video/")
  }
}

/// What one builder of items leaves for the next: memory, and texts that come again and again.
final class BuilderMemory {
  /// Memory for texts in the making.
  let scratch = TextBuffer()
  /// The texts of the item that is built.
  let texts = TextBuffer()
  let authors = ShortTexts()
  let categories = ShortTexts()
  /// Bytes of the bases so far that references were resolved against, and what each costs besides.
  private var baseBytes = 0

  /// Takes note of a base that a reference is resolved against: some short references and a long
  /// base make a hundred times as much of a document.
  func use(_ base: String?) -> String? {
    baseBytes += 64 + (base?.utf8.count ?? 0)
    return base
  }

  /// - Throws: When more was resolved than any honest document needs.
  func checkBases(_ limits: ParsingLimits) throws(FeedParsingError) {
    guard baseBytes <= limits.maximumBytes else {
      throw .limitExceeded(name: "bytes of resolved links", limit: limits.maximumBytes)
    }
  }
}
