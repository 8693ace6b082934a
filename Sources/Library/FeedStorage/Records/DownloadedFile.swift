package import System

/// A file of a `DownloadFolder`, locked until this is gone.
package final class DownloadedFile {
  private var entry: DownloadRecord
  private let folder: DownloadFolder
  private var part: OpenFile?
  package private(set) var count: Int
  private let countBefore: Int
  /// The count up to which there was room at the last look.
  private var checked = 0

  init(_ entry: DownloadRecord, folder: DownloadFolder, part: OpenFile?, count: Int) {
    (self.entry, self.folder, self.part, self.count) = (entry, folder, part, count)
    countBefore = count
  }

  package var path: String { "\(folder.path)/\(entry.name)" }
  package var isWhole: Bool { part == nil }
  package var size: Int? { entry.size }

  /// The validator to ask for the rest with; nil if the file must be asked for from its beginning.
  package var validator: String? { count > 0 ? entry.validator : nil }

  package func restart(size: Int?, validator: String?) throws {
    if let size { try checkRoom(for: size - count) }
    (entry.size, entry.validator) = (nil, nil)
    // In this order no bytes are ever taken for those of another version.
    try note()
    if count > 0 {
      try part?.empty()
      try part?.synchronize()
    }
    (count, checked) = (0, 0)
    (entry.size, entry.validator) = (size, validator)
    try note()
  }

  package func learn(size: Int?) throws {
    try checkRoom(for: (size ?? entry.size ?? count) - count)
    guard entry.size == nil, let size else { return }
    entry.size = size
    try note()
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    if count + bytes.count > checked {
      // Others write to the disk, too, and not every server tells the size.
      let next = max(bytes.count, min((entry.size ?? .max) - count, Self.bytesBetweenLooks))
      try checkRoom(for: next)
      checked = count + next
    }
    try part?.write(bytes)
    count += bytes.count
  }

  /// Names the file, all of which has come; with another name if somebody has taken its own.
  package func finish() throws {
    guard let part else { return }
    try part.synchronize()
    entry.size = count
    (entry.failures, entry.failed) = (0, nil)
    try note()
    try folder.change { (record, open) in
      let old = FilePath.name(of: entry.part)
      guard let parent = try open.parent(of: entry.name) else {
        throw StorageError.refused("\(FilePath.folder(of: path)) is gone meanwhile")
      }
      if try parent.folder.status(parent.name) != nil {
        entry.name = try folder.freeName(entry.name, record, in: open)
      }
      try parent.folder.rename(part, from: old, to: FilePath.name(of: entry.name))
      entry.isWhole = true
      put(into: &record)
    }
    part.unlock()
    self.part = nil
  }

  /// Ends an incomplete download, of which nothing stays if nothing came.
  ///
  /// `failed` is the time of a failure, or nil if it is not the file's. A run that brought bytes
  /// with which the next can go on has not failed.
  package func giveUp(failed: Date?) throws {
    guard let part else { return }
    if validator != nil, count > countBefore {
      (entry.failures, entry.failed) = (0, nil)
    } else if let failed {
      (entry.failures, entry.failed) = (min(entry.failures + 1, 100), failed)
    }
    try folder.change { (record, open) in
      if count == 0, let parent = try open.parent(of: entry.part) {
        try parent.folder.remove(parent.name)
      }
      put(into: &record)
      if count == 0, entry.failures == 0 { record.removeLast() }
      DownloadFolder.forgetFailed(&record)
    }
    part.unlock()
    self.part = nil
  }

  private func note() throws {
    try folder.change { (record, _) in put(into: &record) }
  }

  private func put(into record: inout [DownloadRecord]) {
    record.removeAll { $0.story == entry.story && $0.home == entry.home }
    record.append(entry)
  }

  /// Throws if the disk lacks room for so many bytes more and its reserve: a full disk takes more
  /// from its user than an episode.
  package func checkRoom(for bytes: Int = 0) throws {
    guard let (free, all) = POSIX.space(at: folder.path) else { return }
    let reserve = min(Self.largestReserve, all / 20)
    guard bytes > free - reserve else { return }
    let wanted = bytes > 0 ? "\(bytes) bytes are wanted" : "nothing more is saved"
    throw StorageError.refused(
      "\(wanted) in \(folder.path): \(free) are free, and \(reserve) stay free"
    )
  }

  private static let largestReserve = 1 << 30
  private static let bytesBetweenLooks = 1 << 20
}
