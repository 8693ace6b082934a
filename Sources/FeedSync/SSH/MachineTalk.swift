internal import FeedFetching
internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
package import System

/// What two machines tell each other through one connection: three times one says something, and the
/// other waits for it.
///
/// The one that was called says what it knows; the caller merges that, and says what it knows now, and
/// the stories that the other lacks; the other merges it, and says the stories that the caller lacks.
/// Whatever breaks off leaves both as they are, or one further than the other, as by a folder.
package struct MachineTalk {
  let pipe: ProgramPipe
  let patience: ProgramPipe.Patience
  /// Who the other one is, for messages.
  let name: String

  package init(pipe: ProgramPipe, patience: ProgramPipe.Patience, name: String) {
    self.pipe = pipe
    self.patience = patience
    self.name = name
  }

  private static let greeting = "news-sync 1 "
  /// The greeting, a length of ten digits, a line feed.
  private static let headLength = greeting.utf8.count + 11
  private static let maximumBytes = 2 * StorySharing.maximumBytes

  func say(_ bytes: [UInt8]) throws(SyncError) {
    let head = Self.greeting + bytes.count.padded(to: 10) + "\n"
    guard pipe.write(Array(head.utf8) + bytes, patience) else { throw brokenOff }
  }

  func hear() throws(SyncError) -> [UInt8] {
    guard let head = pipe.read(Self.headLength, patience) else { throw brokenOff }
    let text = String(decoding: head, as: UTF8.self)
    guard text.hasPrefix(Self.greeting), text.hasSuffix("\n"),
      let length = Int(text.dropFirst(Self.greeting.count).dropLast())
    else {
      throw SyncError(
        "\(name): it does not talk as news does (does its shell print something when it begins?)"
      )
    }
    guard (0...Self.maximumBytes).contains(length) else {
      throw SyncError("\(name): refused: more than \(Self.maximumBytes) bytes at once")
    }
    guard let bytes = pipe.read(length, patience) else { throw brokenOff }
    return bytes
  }

  private var brokenOff: SyncError { SyncError("\(name): the connection broke off") }
}

extension MachineTalk {
  /// Hears what the other one knows.
  func file(on date: Date) throws(SyncError) -> SyncFile {
    let bytes = try hear()
    do throws(StorageError) {
      return try SyncFile(bytes, from: name, latest: SyncFolder.latest(on: date))
    } catch {
      guard case .damaged(_, let reason) = error else { throw SyncError("\(error)") }
      throw SyncError("\(name): what it says cannot be read: \(reason)")
    }
  }

  /// Hears the stories that this home lacks, and takes them in; gives how many are new.
  func takeStories(_ merged: MachinesMerge, _ home: HomeSync) throws(SyncError) -> Int {
    let bytes = try hear()
    guard !bytes.isEmpty, merged.own.state.stories != nil else { return 0 }
    let body = ReceivedBody()
    bytes.withUnsafeBytes { body.append($0) }
    return try body.withBytes { bytes throws(SyncError) in
      try home.sharing.take(ReaderExport(bytes, name: name), but: merged.own.state)
    }
  }

  /// Says the stories that the other one lacks.
  func sayStories(_ merged: MachinesMerge, _ home: HomeSync) throws(SyncError) {
    let isWanted = merged.own.state.stories != nil
    try say(isWanted ? try home.sharing.stories(for: merged.wanting) ?? [] : [])
  }
}
