internal import FeedModel
internal import PropertyLists
internal import System

struct KeptStep {
  let object: Int
  /// The size of its facts, without the stories that the step has taken away.
  let bytes: Int
  let step: HistoryStep
}

extension Array {
  /// The last step of each change.
  ///
  /// The one before it stays in the file until another step is written: a change may turn out to
  /// have never been made.
  func lastOfChanges(_ step: (Element) -> HistoryStep) -> [Element] {
    Array(reversed()).distinct { step($0).change }.reversed()
  }
}

struct StepList {
  let path: String
  let reader: BinaryPropertyListReader
  let objects: [Int]
  /// The changes that others are to hear of, as they are stored; nil for a home that is not
  /// synchronized.
  let untold: PropertyListValue?

  init?(_ path: String) throws {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    (self.path, self.reader) = (path, reader)
    let (version, steps, untold) = try StorageError.translating(path) {
      let version = try reader.value(of: "version", in: reader.root).flatMap(reader.integer)
      let steps = try reader.value(of: "steps", in: reader.root).flatMap(reader.elements)
      let untold = try reader.value(of: "untold", in: reader.root).map { object in
        try reader.value(object)
      }
      return (Int(version ?? 1), steps, untold)
    }
    guard version <= HistoryFile.version else {
      throw StorageError.newerVersion(
        path: path,
        version: version,
        supported: HistoryFile.version,
      )
    }
    guard let steps else { throw StorageError.damaged(path: path, reason: "it has no steps") }
    (objects, self.untold) = (steps, untold)
  }

  private static let small = [
    "number", "command", "date", "answered", "isBack", "author", "turns", "before", "isOfStories",
    "dataFile", "bytes",
  ]

  func step(_ object: Int) throws -> HistoryStep? {
    HistoryStep.table.contents(try dictionary(object))
  }

  private func dictionary(_ object: Int, isSmall: Bool = false) throws -> PropertyListDictionary {
    var dictionary = PropertyListDictionary()
    try StorageError.translating(path) {
      _ = try reader.forEachEntry(object, atMost: EntryShape.maximumKeys) { (key, value) in
        guard let name = try reader.string(key), !isSmall || Self.small.contains(name) else {
          return
        }
        dictionary.append(name, try reader.value(value))
      }
    }
    return dictionary
  }

  var steps: [KeptStep] {
    objects.compactMap { object in
      guard let small = try? dictionary(object, isSmall: true),
        let step = HistoryStep.table.contents(small)
      else { return nil }
      return KeptStep(object: object, bytes: max(small["bytes"]?.asInt ?? 0, 0), step: step)
    }
  }
}
