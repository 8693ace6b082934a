internal import PropertyLists

/// What other programs put into a story's dictionary.
package struct UnknownFields: Hashable, Sendable {
  let dictionary: PropertyListDictionary

  package var isEmpty: Bool { dictionary.entries.isEmpty }
}

extension ItemTable {
  /// What `news` does not know of a story.
  package func unknownFields(at index: Int) throws(StorageError) -> UnknownFields {
    let object = try object(at: index)
    var dictionary = PropertyListDictionary()
    guard let reader else { return UnknownFields(dictionary: dictionary) }
    try Self.reading(path) { () throws(PropertyListError) in
      _ = try reader.forEachEntry(object, atMost: ItemRow.maximumKeys) {
        (key, value) throws(PropertyListError) in
        guard let name = try reader.string(key), ItemField(rawValue: name) == nil else { return }
        dictionary.append(name, try reader.value(value))
      }
    }
    return UnknownFields(dictionary: dictionary)
  }
}
