internal import FeedModel
internal import System

/// A folder of whole texts, such as `texts/`.
///
/// A file is never written to. A run makes a new one, which takes in the newer ones that are not
/// much larger, so that there are few; of several entries of an id the newest file's counts. Now
/// and then entries go whose story has gone. A file that cannot be read is left as it is.
struct TextFolder {
  let path: String
  /// The owner for whom root makes files here.
  let owner: FileStatus?

  private struct File {
    let number: Int
    let size: Int
    let path: String
  }

  /// The bytes above which a file takes in no other.
  private static let maximumMerged = 256 << 20
  /// The number of runs of which one looks for entries without a story.
  fileprivate static let runsUntilCollection = 32

  private func numbers() throws -> [Int] {
    guard let names = POSIX.names(inFolder: path) else {
      if errno == ENOENT { return [] }
      throw StorageError.failed("open the folder", path)
    }
    return names.compactMap { name in
      name.hasSuffix(".plist") && name.utf8.count <= 16 ? Int(name.dropLast(6)) : nil
    }.sorted(by: >)
  }

  private func files() throws -> [File]? {
    var files: [File] = []
    for number in try numbers() {
      let path = path(of: number)
      guard let status = FileStatus(at: path) else {
        if errno == ENOENT { return nil }
        throw StorageError.failed("examine", path)
      }
      files.append(File(number: number, size: status.size, path: path))
    }
    return files
  }

  private func path(of number: Int) -> String { "\(path)/\(number.padded(to: 8)).plist" }

  var isEmpty: Bool { (try? numbers())?.isEmpty == true }

  // MARK: Reading

  /// Calls `body` with the files, and again if a writer has replaced some meanwhile, which `body`
  /// tells by nil.
  private func reading<R>(_ body: ([File]) throws -> R?) throws -> R {
    for _ in 0..<10 {
      if let files = try files(), let result = try body(files) { return result }
    }
    throw StorageError.system(
      action: "read",
      path: path,
      reason: "its files are there and gone again",
    )
  }

  /// The text with an id; nil if there is none.
  ///
  /// - Throws: if a file that may have it cannot be read.
  func text(of id: String) throws -> StoryText? {
    try reading { (files) -> StoryText?? in
      var failure: (any Error)?
      for file in files {
        do {
          guard let texts = try TextFile(file.path) else { return nil }
          if let text = try texts.text(of: id) { return .some(text) }
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      return .some(nil)
    }
  }

  func index() -> StoryTextIndex {
    var index = StoryTextIndex()
    add(to: &index)
    return index
  }

  func add(to index: inout StoryTextIndex) {
    do {
      index = try reading { [index] (files) -> StoryTextIndex? in
        var index = index
        for file in files {
          do {
            guard let texts = try TextFile(file.path) else { return nil }
            try index.add(texts)
          } catch {
            index.failure = index.failure ?? error
          }
        }
        return index
      }
    } catch {
      index.failure = index.failure ?? error
    }
  }

  // MARK: Writing

  /// Writes new texts, which count from then on.
  ///
  /// `finish` is to be called once their stories are stored, or `discard` if they cannot be.
  ///
  /// `live` gives the ids of all stories that exist or may come back; it is called only if all
  /// becomes one file.
  func add(_ texts: [NewText], live: () throws -> ItemIDs) throws -> AddedTexts? {
    guard !texts.isEmpty else { return nil }
    let files = try files() ?? []
    var size = max(texts.reduce(0) { $0 + $1.stories.textSize(at: $1.index) }, 64 << 10)
    let merged = files.prefix { file in
      guard file.size <= 2 * size, size + file.size <= Self.maximumMerged else { return false }
      size += file.size
      return true
    }
    let kept = merged.count > 1 && merged.count == files.count ? try live() : nil
    let number = (try numbers().first ?? 0) + 1
    var builder = TextFileBuilder(kept)
    var superseded: [String] = []
    try replace(number) { sink in
      // The last text of a story counts, as in the store.
      for text in texts.reversed() { try builder.add(text, to: sink) }
      for file in merged where builder.size < Self.maximumMerged {
        if try builder.add(file.path, to: sink) { superseded.append(file.path) }
      }
      try builder.finish(path, to: sink)
    }
    return AddedTexts(folder: self, number: number, superseded: superseded)
  }

  /// Removes entries without a story from files of which these are a quarter, by replacing the
  /// files.
  func collect(live: ItemIDs) throws {
    var seen = ItemIDs()
    for file in try files() ?? [] {
      guard let ids = (try? TextFile(file.path)?.ids()) ?? nil else { continue }
      let left = ids.filter { live.contains($0) && !seen.contains($0) }
      for id in left { seen.insert(id) }
      guard !left.isEmpty else {
        try remove([file.path])
        continue
      }
      guard left.count * 4 <= ids.count * 3 else { continue }
      var builder = TextFileBuilder(ItemIDs(left))
      try replace(file.number) { sink in
        guard try builder.add(file.path, to: sink) else {
          throw StorageError.damaged(path: file.path, reason: "it cannot be read to its end")
        }
        try builder.finish(file.path, to: sink)
      }
    }
  }

  private func replace(_ number: Int, _ body: (AtomicFile.Sink) throws -> Void) throws {
    try OpenFile.makeFolder(path)
    try AtomicFile(path: path(of: number)).replace(body)
    guard let owner, geteuid() == 0 else { return }
    for path in [path, self.path(of: number)] {
      guard POSIX.retrying({ chown(path, owner.owner, owner.group) }) == 0 else {
        throw StorageError.failed("change the owner of", path)
      }
    }
  }

  fileprivate func remove(_ paths: [String]) throws {
    guard !paths.isEmpty else { return }
    let folder = try OpenFile.folder(path)
    for path in paths { try folder.remove(FilePath.name(of: path)) }
    try folder.synchronize()
  }

  fileprivate func remove(_ number: Int) throws { try remove([path(of: number)]) }
}

package struct NewText: Sendable {
  private let storyID: StoryID
  private let position: Int32
  let stories: SpooledStories

  package init(id: String, of stories: SpooledStories, at index: Int) {
    storyID = StoryID(id)
    (self.stories, position) = (stories, Int32(index))
  }

  var id: String { storyID.text }

  var index: Int { Int(position) }
}

struct AddedTexts {
  fileprivate let folder: TextFolder
  fileprivate let number: Int
  fileprivate let superseded: [String]

  var isCollectionDue: Bool { number % TextFolder.runsUntilCollection == 0 }

  /// The next file takes in those that stay by an error.
  func finish() {
    try? folder.remove(superseded)
  }

  func discard() {
    try? folder.remove(number)
  }
}
