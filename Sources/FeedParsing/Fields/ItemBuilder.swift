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
  var buffer: TextBuffer { draft.buffer }

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
    append(FieldPriority.summary, for: .summary)
    layout[.summary] = texts.count
    details.author =
      authors(draft.authors) ?? authors(draft.sourceAuthors) ?? text(FieldPriority.author)
    details.categories = categories()
    return Item(texts: texts.all, layout: layout, details: details)
  }

  // MARK: - The texts of an item, one after the other

  private func append(_ sources: FieldSources, for purpose: PlainText.Purpose) {
    let start = memory.texts.count
    draft.firstField(of: sources) { field, _ in
      FieldText.append(field, for: purpose, in: buffer, to: memory.texts)
      return memory.texts.count > start
    }
  }

  /// The date of the first source that is one, or else the text of the first.
  private func appendDate() -> Date? {
    let start = memory.texts.count
    var date: Date?
    draft.firstField(of: FieldPriority.date) { field, _ in
      let bytes = buffer.bytes(field.span)
      if memory.texts.count == start {
        PlainText.append(text: bytes, for: .title, to: memory.texts)
      }
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
      bestLink() ?? self.permalink(guid) ?? originalLink() ?? enclosures.first?.url ?? ""
    )
  }

  // MARK: - Text

  /// The text of the first source that says anything.
  func text(_ sources: FieldSources, for purpose: PlainText.Purpose = .title) -> String? {
    let start = memory.texts.count
    defer { memory.texts.truncate(to: start) }
    append(sources, for: purpose)
    let span = TextSpan(start: start, end: memory.texts.count)
    return span.isEmpty ? nil : memory.texts.bytes(span).string
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
    memory.authors.text(field, in: buffer, make: AuthorName.name)
  }

  private func categories() -> [String] {
    switch draft.categories.count {
    case 0: return []
    case 1: return memory.categories.list(category(draft.categories[0]))
    default: return unique(draft.categories.map(category))
    }
  }

  private func category(_ field: FieldDraft) -> String {
    memory.categories.text(field, in: buffer, make: FieldText.line)
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

  mutating func url(_ span: TextSpan, base: Int) -> String? {
    LinkReference.url(
      buffer.bytes(span).string,
      against: memory.use(bases.indices.contains(base) ? bases[base] : outerBase),
      isUnresolved: &isUnresolved,
    )
  }
}

/// What one builder of items leaves for the next: memory, and texts that come again and again.
final class BuilderMemory {
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
