internal import FeedModel
internal import FeedStorage
internal import System

/// What a server has changed.
extension SyncMerge {
  /// Whether anything is recorded of a story that may be gone, by the number of its id.
  func isRecorded(_ story: UInt64) -> Bool {
    SyncKey.StoryMark.states.contains { merged.registers[.story(story, $0)] != nil }
  }

  /// How many stories have a mark; read ones of the last days alone.
  func marked(_ mark: SyncKey.StoryMark) throws(StorageError) -> Int {
    try stories.marked(mark, library, now)
  }

  /// Takes a change of a server, which does not say when it was made.
  mutating func take(_ value: SyncValue, under keys: [SyncKey]) {
    note(value, under: keys, at: SyncStamp.time(of: now))
    sent -= 1
    hasFilled = true
  }

  /// Remembers that it was merged with a server, where that changes anything here or there; gives the time by
  /// which both know it.
  mutating func agree(with server: String, hasEdits: Bool) -> UInt64 {
    let former = state.servers[server]?.time ?? 0
    guard former == 0 || hasEdits || hasFilled || sent > 0 else { return former }
    let time = max(SyncStamp.time(of: now), former + 1)
    state.servers[server] = ServerAgreement(time: time, former: former)
    return time
  }

  /// Whether what is remembered of a server belongs to what the home remembers.
  func agrees(_ merged: UInt64, with server: String) -> Bool {
    let agreement = state.servers[server]
    return merged == agreement?.time ?? 0 || merged == agreement?.former ?? 0
  }

  /// Takes the subscriptions as a server and the home have them together.
  mutating func take(_ subscriptions: [Subscription]) {
    let before = SharedSettings(self.subscriptions.all, [])
    for (key, value) in SharedSettings(subscriptions, []).changes(since: before)
    where key != .ruleOrder {
      take(value, under: [key])
    }
    settled = subscriptions
  }
}
