internal import FeedModel
internal import PropertyLists
internal import System

/// The log, `history.plist`: the last steps that `news undo` can take back, and the changes that
/// other machines and servers are to hear of.
///
/// The stories that a step has taken away lie beside the data file in a file of their own each. If
/// all stories went, that is the data file itself, renamed: it costs the same for any number of
/// them.
struct HistoryFile {
  let store: LibraryStore
  let dataPath: String

  static let version = 2
  init(_ store: LibraryStore) throws {
    self.store = store
    dataPath = try OpenFile.resolvingLinks(store.dataPath)
  }

  var path: String { store.path(.history) }

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
    return steps.lastOfChanges { $0 }
  }

  /// Returns the stories that a step has taken away; nil if it took none, or they are in the data
  /// file.
  func cleared(by step: HistoryStep) throws -> ItemTable? {
    guard let file = step.dataFile else { return nil }
    let path = asidePath(file.number)
    guard let (reader, status) = try LibraryStore.reader(path) else { return nil }
    guard try isSame(file, path) else {
      // A clearing that was stopped has not replaced the file of the one before it.
      if try isSame(file, dataPath) { return nil }
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

  private func isSame(_ file: SetAsideFile, _ path: String) throws -> Bool {
    guard let (found, status) = try OpenFile.reading(path) else { return false }
    return try file.isSame(as: found, status)
  }

  // MARK: Changes that were never made

  private func isUnmade(_ step: HistoryStep) -> Bool {
    step.before.isCurrent(in: store, isOfStories: step.isOfStories)
  }

  func isUnmade(_ changes: RecordedChanges) -> Bool {
    StoreGeneration(files: changes.before).isCurrent(in: store)
  }

  /// Returns the last step if its change was never made, or not that of its stories; nil for any
  /// other.
  func unmade() throws -> HistoryStep? {
    guard let list = try known(), let last = list.steps.last, isUnmade(last.step) else {
      return nil
    }
    return try list.step(last.object)
  }

  /// Drops the last change, of which `unmade` is the step, from all that the log has of it.
  func dropLast(_ unmade: HistoryStep?) throws {
    guard let list = try known() else { return }
    let changes = list.untold.flatMap(Self.untold.decode).flatMap { changes in
      unmade?.before.files == changes.before || isUnmade(changes) ? changes.withoutLast : nil
    }
    guard unmade != nil || changes != nil else { return }
    let kept = unmade == nil ? list.steps : list.steps.dropLast()
    let before = kept.last?.step.before.stories ?? .none
    try AtomicFile(path: path, .exactly(before)).replace { write in
      try Self.write(
        kept,
        of: list,
        nil,
        changes.map(Self.untold.encode) ?? list.untold,
        to: write,
      )
    }
  }

  // MARK: Writing

  struct Prepared {
    fileprivate let file: PreparedFile
    fileprivate let stories: PreparedFile?
    fileprivate let number: Int
    /// The names of the files with stories of its steps.
    fileprivate let setAside: Set<String>
    /// True if the stories of an earlier step can no longer be brought back.
    let endsStories: Bool

    func commit() throws {
      try stories?.commit()
      try file.commit()
    }

    func discard() {
      stories?.discard()
      file.discard()
    }
  }

  /// Writes the log with a change beside the old file; the caller holds the lock.
  ///
  /// `untold` is nil where others hear nothing new. With `dataFile` all stories go: the data file is
  /// set aside afterwards.
  func prepare(
    _ step: HistoryStep?,
    _ untold: RecordedChanges? = nil,
    of table: ItemTable,
    madeFrom before: StoreGeneration,
    settingAside dataFile: SetAsideFile? = nil,
  ) throws -> Prepared {
    let list = try readable()
    let all = list?.steps ?? []
    var (kept, step, stories) = (all, step, nil as PreparedFile?)
    if var added = step {
      kept = all.lastOfChanges(\.step)
      added.number = (kept.last?.step.number ?? 0) + 1
      try list?.follow(&added, kept)
      added.before = before
      if let dataFile {
        added.dataFile = dataFile
      } else if !added.clearing.isEmpty {
        stories = try prepare(&added, table)
      }
      added.dataFile?.number = added.number
      HistoryRoom.evict(&kept, besides: added)
      step = added
    }
    let steps = kept.map(\.step) + [step].compactMap(\.self)
    let setAside = Set(steps.compactMap(\.dataFile).map { asideName($0.number) })
    do {
      let untold = untold.map(Self.untold.encode) ?? list?.untold ?? (try? formerUntold())
      let file = try AtomicFile(path: path, .exactly(before.stories)).prepare { write in
        try Self.write(kept, of: list, step, untold, to: write)
      }
      return Prepared(
        file: file,
        stories: stories,
        number: step?.number ?? 0,
        setAside: setAside,
        endsStories: all.contains { former in
          former.step.dataFile.map { !setAside.contains(asideName($0.number)) } ?? false
        },
      )
    } catch {
      stories?.discard()
      throw error
    }
  }

  /// Writes the stories that the step takes away beside the data file.
  private func prepare(_ step: inout HistoryStep, _ table: ItemTable) throws -> PreparedFile {
    let version = step.before.stories
    let file = try AtomicFile(path: asidePath(step.number), .exactly(version)).prepare { write in
      var builder = DataFileBuilder(table)
      try builder.write(step.clearing, to: write)
    }
    guard let status = FileStatus(at: "\(file.folder.path)/\(file.temporary)") else {
      throw StorageError.failed("examine", file.target)
    }
    step.dataFile = SetAsideFile(version, size: status.size)
    return file
  }

  /// The steps that are there; nil for a file that cannot be read, or that a newer version has
  /// written.
  private func known() throws -> StepList? {
    do {
      return try StepList(path)
    } catch StorageError.damaged, StorageError.newerVersion, StorageError.tooLarge {
      return nil
    }
  }

  /// Returns the steps that are there, to which one is added.
  ///
  /// A log that cannot be read is not overwritten: it gets another name, and so do the stories that
  /// its steps have taken away. These do, too, where the log is gone.
  func readable() throws -> StepList? {
    if let list = try known() { return list }
    let isThere = FileStatus(at: path) != nil
    let names = (POSIX.names(inFolder: dataFolder) ?? []).filter(isAside)
    let files = (isThere ? [path] : []) + names.map { "\(dataFolder)/\($0)" }
    guard !files.isEmpty else { return nil }
    let name = FilePath.name(of: path)
    var number = 1
    while files.contains(where: { FileStatus(at: unreadable($0, number)) != nil }) { number += 1 }
    for file in files { try rename(file, to: unreadable(file, number)) }
    store.notice(
      "\(path) \(isThere ? "cannot be read" : "is gone"): what it could undo is kept as "
        + "\(isThere ? name : StoreFile.cleared.named("N")).unreadable-\(number)"
    )
    return nil
  }

  private func unreadable(_ path: String, _ number: Int) -> String {
    "\(path).unreadable-\(number)"
  }

  static func write(
    _ kept: some Sequence<KeptStep>,
    of list: StepList?,
    _ added: HistoryStep?,
    _ untold: PropertyListValue?,
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
    var root: PropertyListDictionary = ["version": .integer(Int64(version)), "steps": .array([])]
    if let untold { root.append("untold", untold) }
    _ = try writer.finish(root: writer.add(root, with: steps, as: "steps"), to: sink)
  }

  // MARK: Stories beside the data file

  private var dataFolder: String { FilePath.folder(of: dataPath) }

  private func asideName(_ number: Int) -> String {
    "\(asideStart)\(number)"
  }

  private func asidePath(_ number: Int) -> String { "\(dataFolder)/\(asideName(number))" }

  private var asideStart: String { "\(FilePath.name(of: dataPath)).cleared-" }

  /// Returns true for the name of a file with stories of a step.
  private func isAside(_ name: String) -> Bool {
    name.hasPrefix(asideStart) && Int(name.dropFirst(asideStart.count)) != nil
  }

  func setAside(_ prepared: Prepared) throws {
    try rename(dataPath, to: asidePath(prepared.number))
  }

  func putBack(_ stories: ItemTable) throws {
    try rename(stories.path, to: dataPath)
  }

  private func rename(_ old: String, to new: String) throws {
    let folder = try OpenFile.folder(FilePath.folder(of: old))
    try folder.rename(FilePath.name(of: old), to: FilePath.name(of: new))
    try folder.synchronize()
  }

  /// Removes the files of steps that are gone, what killed writers have left of such, and the
  /// former record of changes; a file that stays by an error brings nothing back.
  func finish(_ prepared: Prepared) {
    try? AtomicFile(path: formerPath).delete()
    guard let folder = try? OpenFile.folder(dataFolder) else { return }
    for name in POSIX.names(inFolder: dataFolder) ?? [] {
      let isGone = isAside(name) && !prepared.setAside.contains(name)
      if isGone || name.hasPrefix(".\(asideStart)") { try? folder.remove(name) }
    }
  }
}
