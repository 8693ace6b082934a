package import FeedModel
internal import System

/// A change of a feed that a server has refused, and why.
typealias RefusedFeedEdit = (edit: ServerFeedEdit, error: ServerError)

/// A change that a server has refused.
package struct RefusedChange: Sendable {
  package enum Subject: Hashable, Sendable {
    /// With the number of the story's id.
    case story(UInt64, ServerEdit)
    /// With the feed's URL here, without an account.
    case feed(String)
  }

  package let subject: Subject
  package let refusal: ServerRefusal

  /// The change in words.
  package var words: String {
    switch subject {
    case .story(_, let edit): edit.words(1)
    case .feed: refusal.change
    }
  }
}

extension [ServerEdit: [ServerItemID]] {
  /// Returns those that are not to wait, since the server has refused them lately.
  func due(_ state: ServerState, now: Date) -> Self {
    guard !state.refusals.isEmpty else { return self }
    var due: Self = [:]
    for (edit, ids) in self {
      let ids = ids.filter { state.refusals[.story(edit, $0)]?.isWaiting(at: now) != true }
      if !ids.isEmpty { due[edit] = ids }
    }
    return due
  }
}

extension ServerState {
  /// Forgets refusals of changes that nobody wants any more.
  mutating func keepRefusals(of marks: [ServerEdit: [ServerItemID]], _ feeds: ServerFeeds) {
    guard !refusals.isEmpty else { return }
    var wanted = Set((feeds.edits + feeds.held).map { ServerChange.feed($0.url) })
    for (edit, ids) in marks { wanted.formUnion(ids.map { .story(edit, $0) }) }
    refusals = refusals.filter { wanted.contains($0.key) }
  }

  /// The refused changes, those of feeds first.
  var refusedChanges: [RefusedChange] {
    refusals.sorted { $0.key < $1.key }.map { change, refusal in
      switch change {
      case .feed(let url): RefusedChange(subject: .feed(url), refusal: refusal)
      case .story(let edit, let item):
        RefusedChange(subject: .story(items[item]?.story ?? 0, edit), refusal: refusal)
      }
    }
  }

  /// Notes that a change was refused: once more, where the same was wanted before.
  mutating func note(
    _ reason: String,
    to change: ServerChange,
    _ now: Date,
    change words: String = "",
    wish: UInt64 = 0,
  ) {
    let former = refusals[change].flatMap { $0.wish == wish ? $0.times : nil } ?? 0
    refusals[change] = ServerRefusal(
      date: now,
      times: former + 1,
      reason: SafeText.line(reason),
      change: words,
      wish: wish,
    )
  }
}

extension ServerEdit {
  /// The change in words, such as `mark 2 stories read`.
  package func words(_ count: Int) -> String {
    let (stories, un) = (Count.stories(count), isSet ? "" : "un")
    return switch mark {
    case .tag(let name) where isSet: "give \(stories) the label \(SafeText.line(name))"
    case .tag(let name): "take the label \(SafeText.line(name)) from \(stories)"
    case .read: "mark \(stories) \(un)read"
    default: "\(un)star \(stories)"
    }
  }
}

extension ServerFeedEdit {
  /// The change in words, such as `put it into News`; `feed` stands for the feed.
  func words(of feed: String = "it") -> String {
    let list = { (names: [String]) in names.map { SafeText.line($0) }.joined(separator: ", ") }
    switch action {
    case .subscribe: return "follow \(feed)"
    case .unsubscribe: return "stop following \(feed)"
    case .edit: break
    }
    let parts = [
      title.map { "call \(feed) “\(SafeText.line($0))”" },
      added.isEmpty ? nil : "put \(feed) into \(list(added))",
      removed.isEmpty ? nil : "take \(feed) out of \(list(removed))",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// The change as several, each of which a server may take or refuse by itself: a title, or a folder.
  ///
  /// FreshRSS puts a feed that is taken out of any folder into none: the folders to be in come last.
  var parts: [ServerFeedEdit] {
    var blank = self
    (blank.title, blank.added, blank.removed) = (nil, [], [])
    let part = { (change: (inout ServerFeedEdit) -> Void) in
      var part = ServerFeedEdit(action: .edit, url: url, stream: stream)
      change(&part)
      return part
    }
    return (action == .edit ? [] : [blank])
      + [title].compactMap(\.self).map { title in
        part { $0.title = title }
      } + removed.map { name in part { $0.removed = [name] } }
      + added.map { name in part { $0.added = [name] } }
  }

  /// Adds what another part of the same change has.
  mutating func add(_ part: ServerFeedEdit) {
    title = title ?? part.title
    added += part.added
    removed += part.removed
  }
}
