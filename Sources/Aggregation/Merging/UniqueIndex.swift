/// Finds the one element that has a key; a key that several have finds none.
struct UniqueIndex<Key: Hashable> {
  private var places: [Key: Int] = [:]
  private static var ambiguous: Int { -1 }

  /// - Parameter keys: of each element in turn; nil for one that has none.
  init(_ keys: some Sequence<Key?>) {
    for (place, key) in keys.enumerated() {
      guard let key else { continue }
      places[key] = places[key] == nil ? place : Self.ambiguous
    }
  }

  subscript(key: Key?) -> Int? {
    guard let key, let place = places[key], place != Self.ambiguous else { return nil }
    return place
  }
}
