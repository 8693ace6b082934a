internal import PropertyLists
internal import System

/// The file of the last steps that `news undo` can take back, `history.plist`.
///
/// The stories that a step has taken away lie beside the data file in a file of their own each. If
/// all stories went, that is the data file itself, renamed: it costs the same for any number of
/// them.
struct HistoryFile {
  let store: LibraryStore
  let dataPath: String

  static let version = 1
  private static let mostSteps = 100
  /// The most bytes of all steps but the last, with the stories that they have taken away.
  private static let mostBytes = 8 << 20
  /// The most bytes of their facts, which each new step copies.
  private static let mostFactBytes = 1 << 20

  init(_ store: LibraryStore) throws {
    self.store = store
    dataPath = try OpenFile.resolvingLinks(store.dataPath)
  }

  var path: String { store.path(.history) }

  private func asidePath(_ number: Int) -> String { dataPath + ".cleared-\(number)" }

  // MARK: Reading

  func read() throws -> [HistoryStep] {
    var steps: [HistoryStep] = []
    if let list = try StepList(path) {
      for object in list.objects {
        guard let step = try list.step(object) else {
          throw StorageError.damaged(path: path, reason: "it does not say what was done")
        }
        steps.append(step)
      }
    }
    if let last = steps.last, isUnmade(last) { steps.removeLast() }
    return steps
  }

  /// Returns the stories that a step has taken away; nil if it took none, or they are in the data
  /// file.
  func cleared(by step: HistoryStep) throws -> ItemTable? {
    guard let file = step.dataFile else { return nil }
    let path = asidePath(file.number)
    guard let (reader, status) = try LibraryStore.reader(path) else { return nil }
    guard file.isSame(as: status) else {
      // A clearing that was stopped has not replaced the file of the one before it.
      if let (_, kept) = try OpenFile.reading(dataPath), file.isSame(as: kept) { return nil }
      let reason = "it is not the file that \(FilePath.name(of: self.path)) tells of"
      throw StorageError.damaged(path: path, reason: reason)
    }
    let stories = try ItemTable(reader, path: path, status: status)
    guard step.isWhole || step.counts(stories) else {
      throw StorageError.damaged(
        path: path,
        reason: "it has not as many stories as it is said to have",
      )
    }
    return stories
  }

  static func check(_ root: PropertyListDictionary, atMost known: Int, _ path: String) throws {
    let version = Int(root["version"]?.integer ?? 1)
    guard version <= known else {
      throw StorageError.newerVersion(path: path, version: version, supported: known)
    }
  }

  // MARK: Changes that were never made

  private func isUnmade(_ step: HistoryStep) -> Bool {
    step.before.isCurrent(in: store, notedIn: path, isOfStories: step.isOfStories)
  }

  /// Returns the last step if its change was never made, or not that of its stories; nil for any
  /// other.
  func unmade() throws -> HistoryStep? {
    guard let list = try known(), let last = list.steps.last, isUnmade(last.step) else {
      return nil
    }
    return try list.step(last.object)
  }

  func dropLast() throws {
    let list = try known()
    try AtomicFile(path: path).replace { write in
      try Self.write((list?.steps ?? []).dropLast(), of: list, nil, to: write)
    }
  }

  // MARK: Writing

  struct Prepared {
    fileprivate let file: PreparedFile
    fileprivate let stories: PreparedFile?
    fileprivate let number: Int
    /// True if the stories of an earlier step can no longer be brought back.
    let endsStories: Bool
    fileprivate let isCollectionDue: Bool

    func commit() throws {
      try stories?.commit()
      try file.commit()
    }

    func discard() {
      stories?.discard()
      file.discard()
    }
  }

  /// Writes the steps with another one beside the old file; the caller holds the lock.
  ///
  /// With `dataFile` all stories go: the data file is set aside afterwards.
  func prepare(
    _ step: HistoryStep,
    of table: ItemTable,
    madeFrom before: StoreGeneration,
    settingAside dataFile: FileStatus? = nil,
  ) throws -> Prepared {
    let list = try known()
    var kept = list?.steps ?? []
    var (step, stories) = (step, nil as PreparedFile?)
    if step.joinsLast { try join(&step, &kept, of: list) }
    step.number = (kept.last?.step.number ?? 0) + 1
    step.before = before
    if let dataFile {
      step.dataFile = SetAsideFile(dataFile, number: step.number)
    } else if !step.clearing.isEmpty {
      stories = try prepare(&step, table)
    }
    let count = kept.count
    let ended = evict(&kept)
    do {
      let file = try AtomicFile(path: path).prepare { write in
        try Self.write(kept, of: list, step, to: write)
      }
      return Prepared(
        file: file,
        stories: stories,
        number: step.number,
        endsStories: ended,
        isCollectionDue: ended || count < (list?.objects.count ?? 0) || step.hasCleared,
      )
    } catch {
      stories?.discard()
      throw error
    }
  }

  /// Makes a step one with the last one of its command.
  private func join(
    _ step: inout HistoryStep,
    _ kept: inout [KeptStep],
    of list: StepList?,
  ) throws {
    guard let list, let last = kept.last, last.step.command == step.command,
      var all = try list.step(last.object), all.answered == nil
    else { return }
    all.feeds.join(step.feeds)
    all.rules.join(step.rules)
    all.date = step.date
    step = all
    kept.removeLast()
  }

  /// Writes the stories that the step takes away beside the data file.
  private func prepare(_ step: inout HistoryStep, _ table: ItemTable) throws -> PreparedFile {
    let file = try AtomicFile(path: asidePath(step.number)).prepare { write in
      var builder = DataFileBuilder(table)
      try builder.write(step.clearing, to: write)
    }
    guard let status = FileStatus(at: "\(file.folder.path)/\(file.temporary)") else {
      throw StorageError.failed("examine", file.target)
    }
    step.dataFile = SetAsideFile(status, number: step.number)
    return file
  }

  /// The steps that are there.
  ///
  /// A file that cannot be read, or that a newer version has written, begins anew.
  private func known() throws -> StepList? {
    do {
      return try StepList(path)
    } catch StorageError.damaged, StorageError.newerVersion, StorageError.tooLarge {
      return nil
    }
  }

  /// Drops the oldest steps beyond the limits; returns true if any of them has stories.
  private func evict(_ kept: inout [KeptStep]) -> Bool {
    var (room, factRoom) = (Self.mostBytes, Self.mostFactBytes)
    var first = kept.count
    while first > 0, kept.count - first + 1 < Self.mostSteps {
      let stories = kept[first - 1].step.dataFile?.size ?? 0
      room -= kept[first - 1].bytes
      factRoom -= kept[first - 1].bytes - stories
      guard room >= 0, factRoom >= 0 else { break }
      first -= 1
    }
    let hasStories = kept[..<first].contains { $0.step.hasCleared }
    kept.removeFirst(first)
    return hasStories
  }

  private static func write(
    _ kept: some Sequence<KeptStep>,
    of list: StepList?,
    _ added: HistoryStep?,
    to sink: AtomicFile.Sink,
  ) throws {
    var writer = BinaryPropertyListWriter(copyingFrom: list?.reader)
    var objects: [BinaryPropertyListWriter.Object] = []
    let path = list?.path ?? ""
    try StorageError.translating(path) {
      for step in kept { objects.append(try writer.enqueue(step.object)) }
    }
    while try !StorageError.translating(
      path,
      { try writer.copyQueued() },
    ) {
      try sink(writer.piece)
      writer.discardPiece()
    }
    writer.sharesStrings = false
    if let added {
      var dictionary = HistoryStep.table.dictionary(added)
      let bytes = PropertyList.encode(.dictionary(dictionary)).count
      dictionary.append("bytes", .integer(Int64(bytes)))
      objects.append(writer.add(.dictionary(dictionary)))
    }
    let steps = writer.add(array: objects)
    let root: PropertyListDictionary = ["version": .integer(Int64(version)), "steps": .array([])]
    _ = try writer.finish(root: writer.add(root, with: steps, as: "steps"), to: sink)
  }

  // MARK: Stories beside the data file

  func setAside(_ prepared: Prepared) throws {
    try rename(dataPath, to: asidePath(prepared.number))
  }

  func putBack(_ stories: ItemTable) throws {
    try rename(stories.path, to: dataPath)
  }

  private func rename(_ old: String, to new: String) throws {
    let folder = try OpenFile.folder(FilePath.folder(of: dataPath))
    try folder.rename(FilePath.name(of: old), to: FilePath.name(of: new))
    try folder.synchronize()
  }

  /// Removes the files of steps that are gone; a file that stays by an error brings nothing back.
  func finish(_ prepared: Prepared) {
    guard prepared.isCollectionDue, let list = try? StepList(path) else { return }
    let told = Set(list.steps.compactMap(\.step.dataFile).map { asidePath($0.number) })
    let start = FilePath.name(of: dataPath) + ".cleared-"
    guard let folder = try? OpenFile.folder(FilePath.folder(of: dataPath)) else { return }
    for name in POSIX.names(inFolder: folder.path) ?? [] where name.hasPrefix(start) {
      if !told.contains("\(folder.path)/\(name)") { try? folder.remove(name) }
    }
  }
}
