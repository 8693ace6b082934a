import FeedModel
import System

extension FeedDocumentHandler {
  func startInFeed(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    switch code.element {
    case .channel, .feed:
      hasChannel = true
      results.language = attributes.xmlValue("lang") ?? results.language
      if code.element == .channel { takeCDFAttributes(attributes) }
      return .feed
    case .item: return startItem(code, attributes)
    case .link: return startLink(code, attributes)
    case .author: return startPerson(code)
    case .skipHours, .skipDays: return .feed
    case .title, .dcTitle, .itunesTitle, .description, .summary, .subtitle, .dcDescription,
      .itunesSummary, .itunesSubtitle, .pubDate, .dcDate, .date, .published, .issued, .updated,
      .modified,
      .created, .lastBuildDate, .language, .dcLanguage, .timeToLive, .hour, .day, .updatePeriod,
      .updateFrequency, .updateBase, .newFeedURL, .creator, .icon:
      return startText(code, attributes)
    case .picture:
      if let url = attributes.value("href", into: buffer) {
        draft.keep(FieldDraft(span: url, mode: .plain), as: .icon)
      }
      return .aside
    default: return startAside(code, attributes)
    }
  }

  /// Stories may stand in a wrapper of the feed's own vocabulary; those in another's are another's.
  func startAside(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    switch code.element {
    case .item: startItem(code, attributes)
    case .imageURL where frames.last?.element == .picture: startText(code, attributes)
    case .foreign: nil
    default: .aside
    }
  }

  func startInItem(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    switch code.element {
    case .item:
      closeItem()
      return startItem(code, attributes)
    case .link: return startLink(code, attributes)
    case .author: return startPerson(code)
    case .source: return .source
    case .mediaGroup:
      draft.groups = min(draft.groups + 1, Draft.maximumListLength)
      return .item
    case .mediaContent:
      keepMedia(attributes)
      return .item
    case .mediaDescription where draft.picture != nil && frames.last?.element == .mediaContent:
      return startText(FeedElementCode(.pictureText, isAtom: code.isAtom), attributes)
    case .enclosure:
      let hasURL = keepEnclosure(attributes, url: "url", length: "length")
      return hasURL ? nil : startEnclosureText(code, attributes)
    case .picture, .thumbnail: return startPicture(code, attributes)
    case .alternateEnclosure, .alternateSource, .chapters, .transcript:
      return startRelated(code.element, attributes)
    case .chapterList: return .item
    case .chapter:
      keepChapter(attributes)
      return nil
    case .podcastPerson: return startPodcastPerson(code, attributes)
    case .itunesCategory:
      keepCategory(attributes.value("text", into: buffer))
      return .item
    case .category:
      let label = attributes.value("label", into: buffer).flatMap { $0.isEmpty ? nil : $0 }
      keepCategory(label ?? attributes.value("term", into: buffer))
      return startText(code, attributes)
    case .content:
      keepContentElsewhere(attributes)
      return startText(code, attributes)
    case .guid:
      if attributes.count > 0 { draft.isPermaLink = Self.isPermaLink(attributes) }
      return startText(code, attributes)
    case .unknown, .foreign, .rss, .rdf, .feed, .channel, .skipHours, .skipDays, .name, .email,
      .about,
      .language, .dcLanguage, .timeToLive, .hour, .day, .updatePeriod, .updateFrequency,
      .updateBase, .newFeedURL, .inlineMarkup, .blockMarkup,
      .scriptMarkup, .lastBuildDate, .icon, .imageURL:
      return nil
    default: return startText(code, attributes)
    }
  }

  private static func isPermaLink(_ attributes: XMLAttributes) -> Bool? {
    if attributes.has("isPermaLink", "true") { return true }
    return attributes.has("isPermaLink", "false") ? false : nil
  }

  func startItem(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    guard results.hasRoom else {
      results.isCut = true
      return nil
    }
    draft = results.startItem(baseCount: bases.count)
    if attributes.count > 0 {
      if let about = attributes.value("about", into: buffer), !about.isEmpty {
        draft.keep(FieldDraft(span: about, mode: .plain), as: .about)
      }
      takeCDFAttributes(attributes)
    }
    return .item
  }

  func endItem() {
    results.endItem(bases: bases.bases, feed: feedDraft)
    draft = feedDraft
    bases.forget(after: results.baseCount)
  }

  /// Takes a link's address from an attribute (Atom, and RSS as some write it), or from the text
  /// (RSS).
  private func startLink(_ code: FeedElementCode, _ attributes: XMLAttributes) -> Scope? {
    guard attributes.count > 0 else { return startText(code, attributes) }
    let relation = LinkRelation(attributes.raw("rel"))
    guard
      let url =
        attributes.value("href", into: buffer) ?? attributes.value("resource", into: buffer)
    else {
      switch relation {
      case .alternate: return startText(code, attributes)
      case .enclosure: return startEnclosureText(code, attributes)
      case .itself, .replies, .page, .older, .other: return nil
      }
    }
    switch relation {
    case .alternate:
      keepLink(url, rank: FieldPriority.linkRank(type: attributes.raw("type")))
    case .enclosure: keepEnclosure(attributes, url: "href", length: "length")
    case .page(let role) where draft !== feedDraft: keepPage(role, url, attributes)
    case .replies where FieldPriority.isPage(type: attributes.raw("type")):
      draft.keep(FieldDraft(span: url, mode: .plain), as: .comments)
    case .itself where draft === feedDraft: results.takeOwnLink(buffer.bytes(url).string)
    case .older(let isArchive) where draft === feedDraft:
      let base = bases.base(bases.current)
      results.takeOlder(buffer.bytes(url).string, base: base, isArchive: isArchive)
    case .itself, .replies, .page, .older, .other: break
    }
    return nil
  }

  func keepLink(_ url: TextSpan, rank: UInt8) {
    guard !url.isEmpty else { return }
    draft.links.appendWithinLimit(LinkDraft(url: url, rank: rank, base: bases.current))
  }

  @discardableResult
  func keepEnclosure(
    _ attributes: XMLAttributes,
    url: StaticString,
    length: StaticString,
    group: Int? = nil,
  ) -> Bool {
    guard
      let url = attributes.value(url, into: buffer) ?? attributes.value("href", into: buffer),
      !url.isEmpty
    else { return false }
    appendEnclosure(url, attributes, length: length, group: group)
    return true
  }

  private func appendEnclosure(
    _ url: TextSpan,
    _ attributes: XMLAttributes,
    length: StaticString,
    group: Int? = nil,
  ) {
    draft.enclosures.appendWithinLimit(
      EnclosureDraft(
        url: url,
        type: attributes.value("type", into: buffer),
        length: attributes.value(length, into: buffer),
        duration: group != nil ? attributes.value("duration", into: buffer) : nil,
        base: bases.current,
        group: group,
      )
    )
  }

  /// Takes an enclosure's address from the element's text, as some write it.
  private func startEnclosureText(
    _ code: FeedElementCode,
    _ attributes: XMLAttributes,
  ) -> Scope? {
    guard draft !== feedDraft, draft.enclosures.count < Draft.maximumListLength else { return nil }
    appendEnclosure(TextSpan(), attributes, length: "length")
    let scope = startText(code, attributes)
    capture.element = .enclosure
    return scope
  }

  /// Takes the address of content that stands elsewhere (RFC 4287 §4.1.3.2): a file, or the story's
  /// page where no link says it.
  private func keepContentElsewhere(_ attributes: XMLAttributes) {
    guard attributes.count > 0, let url = attributes.value("src", into: buffer) else { return }
    let type = attributes.raw("type")
    let isFile = ["audio/", "video/", "image/"].contains { type?.hasPrefix($0) ?? false }
    if isFile {
      keepEnclosure(attributes, url: "src", length: "length")
    } else {
      keepLink(url, rank: FieldPriority.contentRank)
    }
  }

  private func keepPage(_ role: RelatedFile.Role, _ url: TextSpan, _ attributes: XMLAttributes) {
    guard !url.isEmpty else { return }
    draft.related.appendWithinLimit(
      RelatedDraft(
        role: role,
        url: url,
        type: attributes.value("type", into: buffer),
        length: attributes.value("length", into: buffer),
        language: attributes.value("hreflang", into: buffer),
        base: bases.current,
      )
    )
  }

  private func startRelated(_ element: FeedElement, _ attributes: XMLAttributes) -> Scope? {
    func value(_ name: StaticString) -> TextSpan? { attributes.value(name, into: buffer) }
    var file = RelatedDraft(type: value("type"), base: bases.current)
    switch element {
    case .alternateEnclosure:
      file.length = value("length")
      file.language = value("lang")
      file.alternate = draft.alternate.alternate + 1
      draft.alternate = file
      return .item
    case .alternateSource:
      guard draft.alternate.alternate > 0 else { return nil }
      file = draft.alternate
      file.url = value("uri")
      file.type = value("contentType") ?? file.type
      file.base = bases.current
    default:
      file.role = element == .chapters ? .chapters : .transcript
      file.language = value("language")
      file.url = value("url")
    }
    if file.url?.isEmpty == false { draft.related.appendWithinLimit(file) }
    return nil
  }

  private func keepChapter(_ attributes: XMLAttributes) {
    guard let start = attributes.value("start", into: buffer),
      let title = attributes.value("title", into: buffer)
    else { return }
    let url = attributes.value("href", into: buffer)
    let chapter = ChapterDraft(start: start, title: title, url: url, base: bases.current)
    draft.chapters.appendWithinLimit(chapter, Chapter.maximumCount)
  }

  private func startPodcastPerson(
    _ code: FeedElementCode,
    _ attributes: XMLAttributes,
  ) -> Scope? {
    guard draft.people.count < Person.maximumCount else { return nil }
    let role = attributes.value("role", into: buffer)
    let url = attributes.value("href", into: buffer)
    draft.people.append(PodcastPersonDraft(role: role, url: url, base: bases.current))
    return startText(code, attributes)
  }

  func keepCategory(_ span: TextSpan?, mode: TextMode = .plain) {
    guard let span, !span.isEmpty else { return }
    draft.categories.appendWithinLimit(FieldDraft(span: span, mode: mode))
  }
}
