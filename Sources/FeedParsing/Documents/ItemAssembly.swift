import FeedModel

/// The stories of a document, made of what was collected of them.
final class ItemAssembly {
  @exclusivity(unchecked) var items: [Item] = []
  /// Items with relative references, whose base may stand after them.
  @exclusivity(unchecked) private(set) var unresolved: [Int] = []
  @exclusivity(unchecked) private(set) var hasRelativeLinks = false
  private let memory = BuilderMemory()

  /// Makes stories of a batch, which can be used again afterwards.
  func add(_ batch: ItemBatch) {
    for (index, place) in batch.places.enumerated() { add(batch.draft(index), place) }
    batch.reset()
  }

  private func add(_ draft: Draft, _ place: ItemBatch.Place) {
    if let link = draft.links.first, !draft.buffer.bytes(link.url).hasPrefix("http") {
      hasRelativeLinks = true
    }
    var builder = ItemBuilder(
      draft,
      bases: place.bases,
      outerBase: place.outerBase,
      memory: memory,
    )
    let item = builder.item()
    if builder.isUnresolved { unresolved.append(items.count) }
    items.append(consume item)
  }
}
