internal import FeedModel
internal import FeedReading
internal import System

struct ServerSending {
  private(set) var merge: ServerMerge
  private(set) var count = 0
  private(set) var failures: [ServerError] = []
  private let server: SyncServer
  private let context: SyncContext

  init(_ server: SyncServer, _ context: SyncContext, _ merge: ServerMerge) {
    (self.server, self.context, self.merge) = (server, context, merge)
  }

  mutating func send(by client: inout any ServerClient, before feeds: [ServerReading.Feed]) {
    do throws(ServerError) {
      var marks = MarkSending(known: merge.state.refusals.keys)
      defer { take(marks.outcome) }
      try marks.send(merge.edits, by: &client)
    } catch {
      failures.append(error)
      return
    }
    do throws(ServerError) { try sendFeeds(by: &client, before: feeds) } catch {
      failures.append(error)
    }
  }

  private mutating func take(_ marks: MarkSending.Outcome) {
    for (edit, ids) in marks.taken {
      merge.didSend(edit, of: ids)
      count += ids.count
    }
    for (edit, refused) in marks.refused.sorted(by: { $0.key < $1.key }) {
      for (ids, error) in refused { merge.didRefuse(edit, of: ids, error) }
      let ids = refused.flatMap(\.ids)
      let days =
        ids.compactMap { merge.state.refusals[.story(edit, $0)]?.days }.min() ?? 1
      context.complain(refusal(of: edit.words(ids.count), refused[0].error, days: days))
    }
    if marks.isUnfinished {
      context.complain("\(server.name): it refuses many marks; the rest follows with the next sync")
    }
    failures += marks.failures
  }

  private func refusal(of change: String, _ error: ServerError, days: Int) -> String {
    let line = SafeText.line("\(server.name): it refuses to \(change): \(error)")
    return "\(line); it is asked again in \(Count.of(days, "day"))"
  }

  private mutating func sendFeeds(
    by client: inout any ServerClient,
    before: [ServerReading.Feed],
  ) throws(ServerError) {
    guard !merge.feeds.edits.isEmpty else { return }
    var (sent, refused): ([ServerFeedEdit], [RefusedFeedEdit]) = ([], [])
    for edit in merge.feeds.edits {
      let (taken, rest) = try send(edit, by: &client)
      if let taken { sent.append(taken) }
      if let rest { refused.append(rest) }
    }
    // The server may alter titles and folders, so it is asked for them again.
    var now = try client.feeds()
    if try keepFirstFolders(sent, by: &client, before, now) { now = try client.feeds() }
    let missing = merge.didSend(sent, refused: refused, now: now, before: before)
    for (edit, error) in refused {
      let days = merge.state.refusals[.feed(edit.url)]?.days ?? 1
      context.complain(refusal(of: edit.words(of: WebURL.redacted(edit.url)), error, days: days))
    }
    for url in missing {
      context.complain(
        "\(server.name): it does not follow \(WebURL.redacted(url)), though it said so"
      )
    }
    count += sent.count
  }

  /// Sends a change of a feed, in parts if the server refuses the whole.
  private func send(
    _ edit: ServerFeedEdit,
    by client: inout any ServerClient,
  ) throws(ServerError) -> (taken: ServerFeedEdit?, refused: RefusedFeedEdit?) {
    var (taken, refused): (ServerFeedEdit?, RefusedFeedEdit?)
    let parts = edit.parts
    for (number, var part) in ([edit] + (parts.count > 1 ? parts : [])).enumerated() {
      do throws(ServerError) {
        part.stream = try client.send(part)
        if number == 0 { return (part, nil) }
        if taken == nil { taken = part } else { taken?.add(part) }
      } catch {
        guard error.isAboutFeed else { throw error }
        // A server has no title for a feed that it does not follow.
        if part.action == .subscribe, number > 0 || parts.count == 1 {
          return (nil, (edit, error))
        }
        if number == 0, parts.count > 1 { continue }
        if refused == nil { refused = (part, error) } else { refused?.edit.add(part) }
      }
    }
    return (taken, refused)
  }

  /// Puts feeds back into the first of their folders on a server that knows one folder per feed.
  ///
  /// It kept the last one it was told, and other machines would lose the first. Returns false if
  /// there was none.
  private func keepFirstFolders(
    _ sent: [ServerFeedEdit],
    by client: inout any ServerClient,
    _ before: [ServerReading.Feed],
    _ now: [ServerReading.Feed],
  ) throws(ServerError) -> Bool {
    var hasSent = false
    for edit in sent where !edit.added.isEmpty {
      let old = edit.feed(in: before)?.tags ?? []
      let wanted = old.filter { !edit.removed.contains($0) } + edit.added
      guard let there = edit.feed(in: now), !there.tags.contains(wanted[0]),
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
