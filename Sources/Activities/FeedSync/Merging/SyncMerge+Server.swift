internal import FeedModel
internal import FeedStorage

extension SyncMerge {
  /// The flags that servers know of.
  static let serverFlags: [SyncKey.StoryMark] = [.read, .starred]

  /// Returns true if a state is recorded for a story, which may no longer be stored.
  func isRecorded(_ story: UInt64) -> Bool {
    Self.serverFlags.contains { merged.registers[.story(story, $0)] != nil }
  }

  func marked(_ mark: SyncKey.StoryMark) throws -> Int {
    try stories.marked(mark, library, now)
  }

  /// Takes a change of a server, which gives no time for it.
  mutating func take(_ value: SyncValue, under keys: [SyncKey]) {
    note(value, under: keys, at: SyncStamp.time(of: now))
    sent -= 1
    hasFilled = true
  }

  /// Records a merge with a server if that changes either side, and returns the time of the
  /// agreement.
  mutating func agree(with server: String, hasEdits: Bool) -> UInt64 {
    let former = state.servers[server]?.time ?? 0
    guard former == 0 || hasEdits || hasFilled || sent > 0 else { return former }
    let time = max(SyncStamp.time(of: now), former + 1)
    state.servers[server] = ServerAgreement(time: time, former: former)
    return time
  }

  /// Returns true if a server's saved state belongs to the home's saved state: to its last
  /// agreement or the one before.
  func agrees(_ merged: UInt64, with server: String) -> Bool {
    let agreement = state.servers[server]
    return merged == agreement?.time ?? 0 || merged == agreement?.former ?? 0
  }

  mutating func take(_ subscriptions: [Subscription]) {
    let before = SharedSettings(self.subscriptions.all, [])
    for (key, value) in SharedSettings(subscriptions, []).changes(since: before)
    where key != .ruleOrder {
      take(value, under: [key])
    }
    agreedSubscriptions = subscriptions
  }
}
