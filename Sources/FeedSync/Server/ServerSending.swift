internal import FeedFetching
internal import FeedModel
internal import FeedUpdating
import System

/// Tells a server what was changed here, in as few requests as there can be.
struct ServerSending {
  private(set) var merge: ServerMerge
  /// How many changes the server took.
  private(set) var count = 0
  private(set) var failures: [SyncError] = []
  private let server: SyncServer
  private let context: SyncContext

  init(_ server: SyncServer, _ context: SyncContext, _ merge: ServerMerge) {
    (self.server, self.context, self.merge) = (server, context, merge)
  }

  /// `before` is what the server followed when it was read.
  mutating func send(by client: inout ReaderClient, before feeds: [ServerReading.Feed]) {
    do throws(SyncError) {
      try sendMarks(by: &client)
      try sendFeeds(by: &client, before: feeds)
    } catch {
      failures.append(error)
    }
  }

  private mutating func sendMarks(by client: inout ReaderClient) throws(SyncError) {
    var batches: [(edit: ServerEdit, ids: ArraySlice<ServerItemID>)] = []
    for edit in ServerEdit.allCases {
      let ids = merge.edits[edit] ?? []
      batches += ids[...].batches(of: ReaderClient.mostIDs).map { (edit, $0) }
    }
    let forms = batches.map { edit, ids in
      Self.form(ids) + "&"
        + ServiceCall.form([(edit.action, "user/-/state/com.google/\(edit.state)")])
    }
    for ((edit, ids), answer) in zip(batches, try client.post(forms, to: "edit-tag")) {
      do throws(SyncError) {
        try confirm(answer, "edit-tag", client)
        merge.didSend(edit, of: Array(ids))
        count += ids.count
      } catch {
        failures.append(error)
      }
    }
  }

  static func form(_ ids: some Collection<ServerItemID>) -> String {
    ServiceCall.form(ids.map { ("i", $0.text) })
  }

  private func confirm(
    _ answer: ReaderClient.Answer,
    _ what: String,
    _ client: ReaderClient,
  ) throws(SyncError) {
    guard try client.bytes(answer).prefix(64).starts(with: "OK".utf8) else {
      throw client.failure("the answer to \(what) is not understood")
    }
  }

  private mutating func sendFeeds(
    by client: inout ReaderClient,
    before: [ServerReading.Feed],
  ) throws(SyncError) {
    guard !merge.feeds.edits.isEmpty else { return }
    var (sent, refused): ([ServerFeedEdit], [ServerFeedEdit]) = ([], [])
    for edit in merge.feeds.edits {
      if try isTaken(edit, by: &client) { sent.append(edit) } else { refused.append(edit) }
    }
    // What the server makes of titles and folders is what it has from now on.
    let now = try client.feeds()
    for url in merge.didSend(sent, refused: refused, now: now, before: before) {
      context.complain(
        "\(server.name): it does not follow \(WebURL.redacted(url)), though it said so"
      )
    }
    count += sent.count
  }

  private func isTaken(
    _ edit: ServerFeedEdit,
    by client: inout ReaderClient,
  ) throws(SyncError) -> Bool {
    for form in edit.forms {
      let answer = try client.post([form], to: "subscription/edit")[0]
      do throws(SyncError) { try confirm(answer, "subscription/edit", client) } catch {
        guard answer.failure?.isUnasked != true else { throw error }
        let url = WebURL.redacted(edit.url)
        context.complain("\(error.line), to \(edit.action) \(url)")
        return false
      }
    }
    return true
  }
}

extension ServerEdit {
  fileprivate var action: String { self == .read || self == .starred ? "a" : "r" }
  fileprivate var state: String { self == .read || self == .unread ? "read" : "starred" }
}

extension ServerFeedEdit {
  /// What to post, one folder at a time: of several, servers heed one.
  ///
  /// FreshRSS puts a feed that is taken out of any folder into none: the folders to be in come last.
  fileprivate var forms: [String] {
    let added = added.map { ("a", "user/-/label/\($0)") }
    let removed = removed.map { ("r", "user/-/label/\($0)") }
    var steps = removed.dropLast(added.count).map { [$0] }
    let rest = removed.suffix(added.count)
    for (number, label) in added.enumerated() {
      steps.append([label] + rest.dropFirst(number).prefix(1))
    }
    if steps.isEmpty { steps = [[]] }
    if let title { steps[0].insert(("t", title), at: 0) }
    return steps.enumerated().map { number, step in
      let action = number == 0 ? action : .edit
      return ServiceCall.form([("ac", action.rawValue), ("s", stream)] + step)
    }
  }
}
