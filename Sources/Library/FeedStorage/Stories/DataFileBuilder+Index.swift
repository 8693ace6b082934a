internal import FeedModel
internal import PropertyLists

extension DataFileBuilder {
  /// Writes the note with the keys of what is kept; where no stories are added, only if they are
  /// known already.
  mutating func addIndex(to sink: Sink) throws {
    let isIndexed = kept.map { !$0.index.isEmpty || changes.made != nil } ?? false
    let size = isIndexed ? elements.count * StoryKeys.size : 0
    stories.output.beginNote(bytes: size + StoryIndex.trailer)
    var (sum, reader) = (StoryIndexChecksum(), ItemReader(table))
    var element = 0
    for (start, positions) in copied + [(elements.count, 0..<0)] where isIndexed {
      for _ in element..<start { try append(.unknown, &sum, to: sink) }
      for position in positions {
        try append(kept?.index[position] ?? keys(at: position, &reader), &sum, to: sink)
      }
      element = start + positions.count
    }
    append(UInt64(kept?.unused ?? 0), &sum)
    for object in elements { sum.add(object.number.bigEndian) }
    append(sum.value, &sum)
  }

  private mutating func append(
    _ value: some BitwiseCopyable,
    _ sum: inout StoryIndexChecksum,
  ) {
    withUnsafeBytes(of: value) { bytes in
      sum.add(bytes)
      stories.output.append(bytes)
    }
  }

  private mutating func append(
    _ keys: StoryKeys,
    _ sum: inout StoryIndexChecksum,
    to sink: Sink,
  ) throws {
    append(keys, &sum)
    try forward(to: sink)
  }

  /// The keys of a kept story; under marks alone it is not read.
  private func keys(at position: Int, _ reader: inout ItemReader?) throws -> StoryKeys {
    guard changes.made != nil else { return .unknown }
    try reader?.move(to: position)
    return try reader.map { try StoryKeys($0) } ?? .unknown
  }
}

/// The part of a data file that its next version takes as it is.
struct KeptStories: Sendable {
  let objects: KeptObjects
  let index: StoryIndex
  /// The bytes that nothing will use any more.
  let unused: Int
}

extension ItemTable {
  /// Returns what the file's next version keeps; nil where that is better written whole.
  ///
  /// Up to a 24th of the file is used no longer, so that a story still takes 600 bytes.
  func kept(under changes: StoryChanges) -> KeptStories? {
    // Whoever copies object by object meets what cannot be read, if it is still needed.
    guard let reader, count > 0, let index = StoryIndex(self),
      let objects = try? reader.keptObjects()
    else { return nil }
    let most = objects.bytes / 24
    guard index.unused <= most else { return nil }
    // A story that is only marked leaves its dictionary.
    let others = changes.adjusted.filter { !$0.value.isOfMarksAlone }.keys
    var unused = index.unused + 128 * (changes.adjusted.count - others.count)
    for position in changes.removed.union(changes.replaced.keys).union(others)
    where unused <= most {
      // As many bytes as a story has in the mean, since lists of feeds are shared, or more.
      let size = (try? object(at: position)).map { reader.size(of: $0, most: most) } ?? 0
      unused += max(objects.bytes / count, size)
    }
    guard unused <= most else { return nil }
    return KeptStories(objects: objects, index: index, unused: unused)
  }
}
