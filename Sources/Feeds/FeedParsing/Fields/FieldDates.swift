import System

/// The dates of a feed and its items.
///
/// A date that has a time is better than one of the same day without; a name of a zone that means
/// several is told apart by the feed's language and the zones of its other dates.
final class FieldDates {
  /// The fields of the feed, and the language of its root.
  @exclusivity(unchecked) var feed: (draft: Draft, language: String?)?
  /// True where a zone stayed unknown, and its times are taken as they stand.
  private(set) var hasUnknownZone = false
  private let latest: Int
  private var place: DatePlace?

  init(latestYear: Int) {
    latest = CivilDate.daysSinceEpoch(year: latestYear + 1, month: 1, day: 1) * 86_400
  }

  func date(_ draft: Draft, of sources: [FeedElement]) -> Date? {
    if let date = date(draft, of: sources, ignoresNames: false) { return date }
    guard sources.contains(where: { draft.field($0).map { isNamed($0, draft) } ?? false }),
      let date = date(draft, of: sources, ignoresNames: true)
    else { return nil }
    hasUnknownZone = true
    return date
  }

  private func date(_ draft: Draft, of sources: [FeedElement], ignoresNames: Bool) -> Date? {
    var day: Date?
    var date: Date?
    draft.firstField(of: sources) { field, source in
      let bytes = draft.buffer.bytes(field.span)
      let place = isNamed(field, draft) ? place(of: draft, ignoresNames) : nil
      guard let found = FeedDate.ofField(bytes, until: latest, in: place) else { return false }
      if let day, !isTime(found, on: day, source) { return false }
      if isDay(found, bytes) { day = day ?? found } else { date = found }
      return date != nil
    }
    return date ?? day
  }

  private func isDay(_ date: Date, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !bytes.contains(UInt8(ascii: ":")) && date.wholeSeconds % 86_400 == 0
  }

  /// True of the time of a publication on a day that is known already.
  private func isTime(_ date: Date, on day: Date, _ source: FeedElement) -> Bool {
    let isPublication = [.dcDate, .date, .published, .issued].contains(source)
    return isPublication && abs(date.timeIntervalSince1970 - day.timeIntervalSince1970) < 86_400
  }

  private func isNamed(_ field: FieldDraft, _ draft: Draft) -> Bool {
    DatePlace.isNamed(draft.buffer.bytes(field.span))
  }

  private func place(of item: Draft, _ ignoresNames: Bool) -> DatePlace {
    var place = place ?? DatePlace(language: language)
    // The feed's own fields stand before the items, if anywhere.
    if self.place == nil { add(offsetsOf: feed?.draft, to: &place) }
    self.place = place
    add(offsetsOf: item, to: &place)
    place.ignoresNames = ignoresNames
    return place
  }

  private var language: String {
    let field = FieldPriority.language.lazy.compactMap { self.feed?.draft.field($0) }.first
    let own = field.flatMap { field in feed.map { FieldText.line(field, in: $0.draft.buffer) } }
    return String((own ?? feed?.language ?? "").lowercased().map { $0 == "_" ? "-" : $0 })
  }

  private func add(offsetsOf draft: Draft?, to place: inout DatePlace) {
    for source in FieldPriority.date {
      guard let draft, let field = draft.field(source) else { continue }
      let fields = FeedDate.fields(draft.buffer.bytes(field.span))
      if let offset = fields?.offset { place.offsets.insert(offset / 60) }
    }
  }
}
