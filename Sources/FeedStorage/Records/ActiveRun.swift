internal import Synchronization
internal import System

/// The record of a run that goes on: which feeds it is asking, for the next run to see if this one
/// ends without a word.
///
/// A file `running.NUMBER` in the home, locked for as long as the process lives and removed at the
/// run's end. A line for each feed, whose first byte says how far it is; the first line says whether
/// something is being saved. A byte that is written outlives the process at once, and costs about a
/// microsecond; nothing is synchronized, so that a machine without power may forget it all.
package final class ActiveRun: Sendable {
  package enum Progress: UInt8, Sendable {
    /// Not asked yet, or everything of it is saved.
    case settled = 0x2D
    /// Asked: its server may not have answered at all.
    case asked = 0x61
    /// Its document is coming in, or is being read.
    case answering = 0x72
    /// Everything has come, and waits to be saved.
    case arrived = 0x64
  }

  private struct Record {
    let file: OpenFile
    let folder: OpenFile
    let name: String
  }

  static let prefix = "running."
  static let saving = UInt8(ascii: "s")

  private let record: Mutex<Record>
  private let offsets: [Int]

  /// A record in the store's folder, of these subscriptions' URLs.
  package init(in home: String, feeds: [String]) throws(StorageError) {
    var text: [UInt8] = Array("- saving\n".utf8)
    var offsets: [Int] = []
    for feed in feeds {
      offsets.append(text.count)
      text += Array("- \(feed)\n".utf8)
    }
    let folder = try OpenFile.folder(home)
    let (file, name) = try Self.claim(in: folder)
    do throws(StorageError) {
      try file.write(text)
    } catch {
      // The first error is the one to tell.
      try? folder.remove(name)
      throw error
    }
    self.offsets = offsets
    record = Mutex(Record(file: file, folder: folder, name: name))
  }

  /// An empty file of a new name, locked.
  private static func claim(
    in folder: OpenFile
  ) throws(StorageError) -> (OpenFile, String) {
    while true {
      let name = prefix + String(UInt32.random(in: 0...UInt32.max), radix: 36)
      let file = try folder.create(name)
      // Before it was locked another run may have taken it for a dead one's, and removed it.
      if try file.tryLock(), try folder.has(file, named: name) {
        return (file, name)
      }
    }
  }

  /// Notes how far a feed is; callable from any thread.
  package func note(_ progress: Progress, of feed: Int) {
    write(progress.rawValue, at: offsets[feed])
  }

  package func note(isSaving: Bool) {
    write(isSaving ? Self.saving : Progress.settled.rawValue, at: 0)
  }

  private func write(_ byte: UInt8, at offset: Int) {
    record.withLock { record in
      // What cannot be noted is not known to the next run, which is no harm to this one.
      _ = withUnsafeBytes(of: byte) { bytes in
        pwrite(record.file.number, bytes.baseAddress, 1, off_t(offset))
      }
    }
  }

  /// Removes the record: the run has ended as it should.
  package func end() {
    record.withLock { record in
      // Where it stays, the next run takes this one for dead, and asks a few feeds by themselves.
      try? record.folder.remove(record.name)
    }
  }
}

/// A run that ended without a word: killed, or crashed.
package struct DeadRun {
  /// A feed that it had asked, and of which not everything was saved.
  package struct Suspect: Hashable, Sendable {
    package let url: String
    /// Whether its document was coming in, or being read, when the run ended.
    package let wasAnswering: Bool
  }

  /// The feeds at which it may have died.
  package let suspects: [Suspect]
  /// Locked, so that no other run counts it too.
  private let file: OpenFile
  private let folder: OpenFile
  /// Of its record, in the home.
  package let name: String

  /// nil for the record of a run that goes on, and for one that is gone.
  fileprivate init?(_ name: String, in folder: OpenFile) throws(StorageError) {
    let path = "\(folder.path)/\(name)"
    guard let (file, status) = try OpenFile.reading(path),
      try file.tryLock(), try folder.has(file, named: name)
    else { return nil }
    self.file = file
    self.folder = folder
    self.name = name
    let isSensible = status.size <= Self.maximumSize
    suspects = isSensible ? Self.suspects(try file.readAll(limit: status.size)) : []
  }

  /// No number of subscriptions that anybody has makes a larger one.
  private static let maximumSize = 16 << 20

  private static func suspects(_ record: [UInt8]) -> [Suspect] {
    let wasSaving = record.first == ActiveRun.saving
    return record.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
      guard let first = line.first, line.dropFirst().first == UInt8(ascii: " ") else { return nil }
      let url = String(decoding: line.dropFirst(2), as: UTF8.self)
      return switch ActiveRun.Progress(rawValue: first) {
      case .answering: Suspect(url: url, wasAnswering: true)
      case .asked: Suspect(url: url, wasAnswering: false)
      case .arrived where wasSaving: Suspect(url: url, wasAnswering: false)
      default: nil
      }
    }
  }

  /// Forgets the run: what it tells has been taken note of.
  package func remove() throws(StorageError) {
    try folder.remove(name)
  }
}

extension LibraryStore {
  /// The runs that ended without a word and have not been taken note of.
  ///
  /// What cannot be read as a record is left to `news doctor`.
  package func deadRuns() -> [DeadRun] {
    // Without a home there was no run.
    guard let names = try? names(beginning: ActiveRun.prefix), !names.isEmpty,
      let folder = try? OpenFile.folder(home)
    else { return [] }
    return names.compactMap { name in (try? DeadRun(name, in: folder)) ?? nil }
  }
}
