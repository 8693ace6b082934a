package import FeedModel
internal import System

/// A change that a server does not have: of a story's mark, or of a feed.
package struct UnsentChanges: Sendable {
  /// How many are sent with the next sync.
  package var waiting = 0
  /// Those that the server has refused, and that are sent later.
  package var refused: [RefusedChange] = []
}

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
  /// The number of marks.
  var markCount: Int { values.reduce(0) { $0 + $1.count } }

  /// Returns those that are not to wait, since the server has refused them lately.
  func due(_ state: ServerState, now: Date) -> Self {
    guard !state.refusedMarks.isEmpty else { return self }
    var due: Self = [:]
    for (edit, ids) in self {
      let ids = ids.filter { id in
        !(state.refusedMarks[RefusedMark(id, edit)]?.isWaiting(at: now) ?? false)
      }
      if !ids.isEmpty { due[edit] = ids }
    }
    return due
  }
}

extension ServerState {
  /// Forgets refusals of changes that nobody wants any more.
  mutating func keepRefusals(of marks: [ServerEdit: [ServerItemID]], feeds: Set<String>) {
    refused = refused.filter { feeds.contains($0.key) }
    guard !refusedMarks.isEmpty else { return }
    let wanted = marks.mapValues { Set($0) }
    refusedMarks = refusedMarks.filter { wanted[$0.key.edit]?.contains($0.key.item) ?? false }
  }

  /// The refused changes, those of feeds first.
  var refusedChanges: [RefusedChange] {
    refused.sorted { $0.key < $1.key }.map {
      RefusedChange(subject: .feed($0.key), refusal: $0.value)
    }
      + refusedMarks.sorted { ($0.key.edit, $0.key.item) < ($1.key.edit, $1.key.item) }.map {
        RefusedChange(
          subject: .story(items[$0.key.item]?.story ?? 0, $0.key.edit),
          refusal: $0.value,
        )
      }
  }

  mutating func note(_ error: ServerError, to edit: ServerEdit, of id: ServerItemID, _ now: Date) {
    let mark = RefusedMark(id, edit)
    refusedMarks[mark] = ServerRefusal(
      date: now,
      times: (refusedMarks[mark]?.times ?? 0) + 1,
      reason: SafeText.line("\(error)"),
    )
  }

  /// Notes that a change of a feed was refused: once more, where the same was wanted before.
  mutating func note(_ reason: String, to edit: ServerFeedEdit, wish: UInt64, _ now: Date) {
    let former = refused[edit.url].flatMap { $0.wish == wish ? $0.times : nil } ?? 0
    refused[edit.url] = ServerRefusal(
      date: now,
      times: former + 1,
      reason: SafeText.line(reason),
      change: edit.words(),
      wish: wish,
    )
  }
}

extension ServerEdit {
  /// The change in words, such as `mark 2 stories read`.
  package func words(_ count: Int) -> String {
    let stories = Count.stories(count)
    return switch self {
    case .read: "mark \(stories) read"
    case .unread: "mark \(stories) unread"
    case .starred: "star \(stories)"
    case .unstarred: "unstar \(stories)"
    case .tagged(let name): "give \(stories) the label \(SafeText.line(name))"
    case .untagged(let name): "take the label \(SafeText.line(name)) from \(stories)"
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
