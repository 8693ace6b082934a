internal import FeedModel
internal import System

/// The tags of stories here, and those of a server.
struct ServerTags {
  /// Of the last merge; nil where there were none yet.
  let base: ServerLabels?
  /// What the server has now, as far as it was asked.
  private(set) var now: ServerLabels
  private let byStory: [ServerItemID: [String]]
  /// What is known of tags here: by the stories' hashes what each is called.
  private var here: [UInt64: [SyncKey.StoryMark: String]] = [:]
  /// What folders are called there, and what is no label for other reasons.
  private let reserved: Set<String>

  /// `reading` is nil where nobody was asked.
  init(
    _ labels: ServerLabels,
    _ reading: ServerReading?,
    _ state: ServerState,
    _ home: SyncMerge,
    isMerged: Bool,
  ) {
    (now, base) = (labels, isMerged ? state.labels : nil)
    for case (.story(let story, .tag(let tag)), let register) in home.merged.registers.others {
      here[story, default: [:]][.tag(tag)] = register.value.text ?? tag
    }
    // A story that has lost a label may be gone: that is said by the answer for the story alone.
    for (tag, label) in state.labels?.all ?? [:] {
      for id in label.stories
      where !now.has(tag, id) && state.items[id] != nil && reading?.asked.contains(id) != true {
        now.set(label.name, of: id, true)
      }
    }
    byStory = now.byStory.merging(base?.byStory ?? [:]) { $0 + $1 }
    let folders = state.feeds.values.flatMap(\.serverTags) + (reading?.feeds.flatMap(\.tags) ?? [])
    reserved = Set(folders.map { $0.lowercased() }).union(reading?.folders ?? [])
  }

  /// The marks of the tags that stories of the server have or had, and that is known by keys here.
  func marks(of ids: [ServerItemID], _ keys: [UInt64]) -> [SyncKey.StoryMark] {
    let there = ids.flatMap { byStory[$0] ?? [] }.map(SyncKey.StoryMark.tag)
    let all = Set(there + keys.flatMap { (here[$0] ?? [:]).keys })
    return all.filter { if case .tag(let tag) = $0 { !reserved.contains(tag) } else { false } }
      .sorted()
  }

  func isRecorded(_ story: UInt64) -> Bool { here[story] != nil }

  /// What a tag is called there, or is to be.
  func name(_ mark: SyncKey.StoryMark, of keys: [UInt64]) -> String {
    guard case .tag(let tag) = mark else { return "" }
    let own = keys.lazy.compactMap { here[$0]?[mark] }.first
    return now.all[tag]?.name ?? own ?? tag
  }
}
