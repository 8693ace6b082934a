/// Items as they were collected, one after the other, until stories are made of them.
final class ItemBatch {
  /// Where an item's references begin.
  struct Place {
    /// By their numbers (`LinkDraft.base`).
    let bases: [String]
    /// The base of what no `xml:base` holds for.
    let outerBase: String?
  }

  private static let maximumCount = 256
  private static let maximumBytes = 256 << 10

  /// What has been collected of all items.
  let buffer = TextBuffer()
  @exclusivity(unchecked) private(set) var places: [Place] = []
  @exclusivity(unchecked) private var drafts: [Draft] = []
  /// How much had been collected when the last item began.
  @exclusivity(unchecked) private var start = 0

  var isFull: Bool { places.count >= Self.maximumCount || buffer.count >= Self.maximumBytes }

  /// Begins an item; what was begun before and not added is forgotten.
  func begin() -> Draft {
    if places.count == drafts.count { drafts.append(Draft(buffer: buffer)) }
    let draft = drafts[places.count]
    draft.reset()
    start = buffer.count
    return draft
  }

  /// Adds the item that was begun.
  func add(_ place: Place) {
    places.append(place)
  }

  /// Forgets the item that was begun.
  func drop() {
    buffer.truncate(to: start)
  }

  func draft(_ index: Int) -> Draft { drafts[index] }

  func reset() {
    places.removeAll(keepingCapacity: true)
    buffer.truncate(to: 0)
  }
}
