/// An index of elements by key, in which a key of several elements finds none.
@usableFromInline package struct UniqueIndex<Key: Hashable> {
  @usableFromInline var places: [Key: Int?] = [:]

  @inlinable
  package init(_ keys: some Sequence<Key?>) {
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      places.updateValue(places[key] == nil ? index : nil, forKey: key)
    }
  }

  @inlinable
  package subscript(key: Key?) -> Int? {
    key.flatMap { places[$0] ?? nil }
  }

  @inlinable
  package var indices: some Sequence<Int> { places.values.lazy.compactMap(\.self) }
  @inlinable
  package var count: Int { places.values.count { $0 != nil } }
}
