internal import FeedFetching
internal import FeedModel
internal import FeedUpdating
internal import System

/// Tells a server what was changed here, in as few requests as there can be.
struct ServerSending {
  private(set) var merge: ServerMerge
  /// How many changes the server took.
  private(set) var count = 0
  private(set) var failures: [ServerError] = []
  private let server: SyncServer
  private let context: SyncContext

  init(_ server: SyncServer, _ context: SyncContext, _ merge: ServerMerge) {
    (self.server, self.context, self.merge) = (server, context, merge)
  }

  /// `before` is what the server followed when it was read.
  mutating func send(by client: inout any ServerClient, before feeds: [ServerReading.Feed]) {
    do throws(ServerError) {
      try client.send(merge.edits) { edit, ids, failure in
        if let failure {
          failures.append(failure)
        } else {
          merge.didSend(edit, of: ids)
          count += ids.count
        }
      }
      try sendFeeds(by: &client, before: feeds)
    } catch {
      failures.append(error)
    }
  }

  private mutating func sendFeeds(
    by client: inout any ServerClient,
    before: [ServerReading.Feed],
  ) throws(ServerError) {
    guard !merge.feeds.edits.isEmpty else { return }
    var (sent, refused): ([ServerFeedEdit], [ServerFeedEdit]) = ([], [])
    for var edit in merge.feeds.edits {
      do throws(ServerError) {
        edit.stream = try client.send(edit)
        sent.append(edit)
      } catch {
        guard error.isAboutRequest else { throw error }
        let line = SyncError("\(server.name): \(error)").line
        context.complain("\(line), to \(edit.action) \(WebURL.redacted(edit.url))")
        refused.append(edit)
      }
    }
    // What the server makes of titles and folders is what it has from now on.
    var now = try client.feeds()
    if try keepFirstFolders(sent, by: &client, before, now) { now = try client.feeds() }
    for url in merge.didSend(sent, refused: refused, now: now, before: before) {
      context.complain(
        "\(server.name): it does not follow \(WebURL.redacted(url)), though it said so"
      )
    }
    count += sent.count
  }

  /// Puts feeds back into the first of their folders where the server knows one of each: it took the
  /// last that it was told, and other machines would lose the first.
  ///
  /// - Returns: whether there were any.
  private func keepFirstFolders(
    _ sent: [ServerFeedEdit],
    by client: inout any ServerClient,
    _ before: [ServerReading.Feed],
    _ now: [ServerReading.Feed],
  ) throws(ServerError) -> Bool {
    var hasSent = false
    for edit in sent where !edit.added.isEmpty {
      let alias = Subscription.alias(edit.url)
      let isSame = { (feed: ServerReading.Feed) in
        feed.stream == edit.stream || Subscription.alias(feed.url) == alias
      }
      let old = before.first(where: isSame)?.tags ?? []
      let wanted = old.filter { !edit.removed.contains($0) } + edit.added
      guard let there = now.first(where: isSame), !there.tags.contains(wanted[0]),
        there.tags.contains(where: wanted.contains)
      else { continue }
      var first = ServerFeedEdit(action: .edit, url: edit.url, stream: there.stream)
      first.added = [wanted[0]]
      _ = try client.send(first)
      hasSent = true
    }
    return hasSent
  }
}

extension ServerError {
  /// Whether the server has said no to one request: the next may be taken.
  fileprivate var isAboutRequest: Bool {
    switch self {
    case .request(let error): !error.isUnasked
    case .answer: true
    case .refused: false
    }
  }
}
