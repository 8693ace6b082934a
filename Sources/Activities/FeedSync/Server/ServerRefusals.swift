package import FeedModel
internal import System

typealias RefusedFeedEdit = (edit: ServerFeedEdit, error: ServerError)

package struct RefusedChange: Sendable {
  package enum Subject: Hashable, Sendable {
    /// A story, by the number of its id.
    case story(UInt64, ServerEdit)
    /// A feed, by its URL here without an account.
    case feed(String)
  }

  package let subject: Subject
  package let refusal: ServerRefusal

  package var words: String {
    switch subject {
    case .story(_, let edit): edit.words(1)
    case .feed: refusal.change
    }
  }
}

extension [ServerEdit: [ServerItemID]] {
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
  mutating func keepRefusals(of marks: [ServerEdit: [ServerItemID]], _ feeds: ServerFeeds) {
    guard !refusals.isEmpty else { return }
    var wanted = Set((feeds.edits + feeds.held).map { ServerChange.feed($0.url) })
    for (edit, ids) in marks { wanted.formUnion(ids.map { .story(edit, $0) }) }
    refusals = refusals.filter { wanted.contains($0.key) }
  }

  var refusedChanges: [RefusedChange] {
    refusals.sorted { $0.key < $1.key }.map { change, refusal in
      switch change {
      case .feed(let url): RefusedChange(subject: .feed(url), refusal: refusal)
      case .story(let edit, let item):
        RefusedChange(subject: .story(items[item]?.story ?? 0, edit), refusal: refusal)
      }
    }
  }

  /// Records a refusal, counted on from the last one if that had the same wish.
  mutating func note(
    _ reason: String,
    to change: ServerChange,
    _ now: Date,
    change words: String = "",
    wish: UInt64 = 0,
  ) {
    var refusal = ServerRefusal(date: now)
    if let former = refusals[change], former.wish == wish { refusal.times = former.times + 1 }
    (refusal.reason, refusal.change, refusal.wish) = (SafeText.line(reason), words, wish)
    refusals[change] = refusal
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
  /// The change in words, such as `put it into News`.
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

  /// The change in parts that a server may take or refuse singly: the subscription, a title, a
  /// folder.
  ///
  /// Added folders come last, since FreshRSS moves a feed that leaves any folder to none.
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

  mutating func add(_ part: ServerFeedEdit) {
    title = title ?? part.title
    added += part.added
    removed += part.removed
  }
}
