package import FeedModel
internal import PropertyLists

extension ItemTable {
  /// The request that first brought a story; nil where the data file does not say.
  package func origin(at index: Int) throws(StorageError) -> StoryOrigin? {
    guard let reader else { return nil }
    let story = try object(at: index)
    let value = try Self.reading(path) { () throws(PropertyListError) -> PropertyListValue? in
      var found: Int?
      _ = try reader.forEachEntry(story, atMost: ItemRow.maximumKeys) {
        (key, value) throws(PropertyListError) in
        if try reader.isString(key, "origin") { found = value }
      }
      return try found.map { (object) throws(PropertyListError) in try reader.value(object) }
    }
    return value?.dictionary.flatMap { StoryOrigin($0) }
  }
}
