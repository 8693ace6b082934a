internal import FeedModel
internal import FeedStorage

extension ServerSession {
  /// Returns the saved state, or a new one if that is of another account.
  ///
  /// With `isReported` the user has been told of damage already.
  func state(isReported: Bool = true) throws -> ServerState {
    let new = ServerState(account: server.account)
    guard let state = try readable(isReported) else { return new }
    guard state.account != server.account else { return state }
    var fresh = new
    fresh.serial = state.serial
    return fresh
  }

  /// Returns nil for a damaged state, like for a lost one: both sides keep what they have.
  private func readable(_ isReported: Bool) throws -> ServerState? {
    do {
      return try store.serverState(server.name)
    } catch {
      guard case StorageError.damaged = error else { throw error }
      guard !isReported else { return nil }
      context.complain(
        "\(error); the server is merged as one that is new: what either side has stays"
      )
      return nil
    }
  }

  /// The server's stories that were cleared here.
  ///
  /// Those that it still lists come back, as with any other feed.
  func clearedStories(_ state: ServerState) throws -> Set<ServerItemID> {
    guard server.fetchesStories else { return [] }
    let library = try store.read()
    guard library.subscriptions.contains(where: isCleared) else { return [] }
    let stored = try library.items.numbers()
    return Set(state.items.filter { !stored.contains($0.value.story) }.keys)
  }

  /// True if no complete sync has passed since the feed was cleared or added.
  private func isCleared(_ feed: Subscription) -> Bool {
    feed.state.server == server.name && feed.state.lastUnconditional == nil
  }

  func noteThatAllWasAsked(_ library: Library, in change: inout LibraryChange) {
    var feeds = change.feeds.subscriptions ?? library.subscriptions
    guard feeds.contains(where: isCleared) else { return }
    for index in feeds.indices where isCleared(feeds[index]) {
      feeds[index].state.lastUnconditional = context.now()
    }
    change.feeds.subscriptions = feeds
  }
}
