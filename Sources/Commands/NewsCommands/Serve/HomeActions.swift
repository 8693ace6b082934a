import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedParsing
import FeedServing
import FeedStorage
import FollowingCommands
import ReadingCommands

/// Makes the changes of apps as the commands do: each is a step that `news undo` takes back.
struct HomeActions: Sendable {
  let context: CommandContext
  let store: LibraryStore

  func make(_ change: ServedChange) throws {
    switch change.kind {
    case .mark: try mark(change.edit, change.stories)
    case .renameTag: try renameTag(change.edit.removed[0], change.edit.added.first)
    case .editFeed: try edit(change.edit, change.feeds[0])
    case .subscribe: try subscribe(change.edit, change.feeds[0])
    case .unsubscribe: try unsubscribe(change.feeds)
    case .importList: try importList(change.text)
    case .noteLogIn:
      guard let account = try store.servingAccount(), account.secret == change.text else { return }
      try store.noteLogIn(with: account, at: context.clock.date)
    }
  }

  // MARK: Marks and tags

  private func mark(_ edit: ServedEdit, _ ids: ItemIDs) throws {
    let choose = { (library: Library) in try library.items.positions(of: ids) }
    let marking = StoryMarking(store, context.named(Self.command(of: edit)))
    _ = try marking.change(choose: choose) { edits, positions in
      _ = try edits.set(edit.marks, at: positions)
      _ = try edits.tag(edit.added, without: edit.removed, at: positions)
    }
  }

  /// The command that does the same.
  private static func command(of edit: ServedEdit) -> String {
    if let isStarred = edit.marks[.starred] { return isStarred ? "star" : "unstar" }
    if let isRead = edit.marks[.read] { return isRead ? "read" : "unread" }
    return edit.added.isEmpty ? "untag" : "tag"
  }

  private func renameTag(_ tag: String, _ new: String?) throws {
    try change(by: new == nil ? "untag" : "tag") { library, _ in
      let tags = TagChange(old: tag, new: new)
      let (change, counts) = try tags.change(of: library, try store.rules())
      return counts.contains { $0 > 0 } ? change : nil
    }
  }

  // MARK: Feeds

  private func edit(_ edit: ServedEdit, _ url: String) throws {
    try change(by: "feeds set") { library, _ in
      let subscriptions = try library.subscriptions.map { feed in
        guard feed.url == url else { return feed }
        var new = feed.tagged(edit.added, without: edit.removed)
        guard new.$tags.leftOut == 0 else { throw TagLimit() }
        // An app sends the title along with other changes.
        if let title = edit.title, ![feed.displayTitle, feed.servedTitle].contains(title) {
          new.title = title
        }
        return new
      }
      return subscriptions == library.subscriptions
        ? nil : LibraryChange(subscriptions: subscriptions)
    }
  }

  private func unsubscribe(_ urls: [String]) throws {
    try change(by: "unsubscribe") { library, origin in
      let gone = library.subscriptions.filter { urls.contains($0.url) && !$0.isOfSavedPages }
      return gone.isEmpty ? nil : try library.unsubscribing(from: gone, origin).change
    }
  }

  private func change(
    by command: String,
    _ make: (Library, ChangeOrigin) throws -> LibraryChange?,
  ) throws {
    let context = context.named(command)
    try store.change { library in
      let origin = context.origin
      guard var change = try make(library, origin) else { return (LibraryChange(), ()) }
      change.origin = origin
      _ = try context.followFeeds(&change, of: library)
      return (change, ())
    }
  }

  @Sendable
  func exportedList() throws -> String {
    let feeds = try store.read().subscriptions
    return try OPMLWriter.lines(of: feeds, in: store, at: context.clock).joined(separator: "\n")
      + "\n"
  }

  // MARK: Other processes

  /// `news subscribe` fetches the feed.
  ///
  /// Apps do not wait for a slow site: its feed is followed, and fetched with the next refresh.
  private func subscribe(_ edit: ServedEdit, _ url: String) throws {
    for isChecked in [true, false] {
      let words = ServedPrograms.subscribing(to: url, edit, isChecked: isChecked)
      if try run(words) { return }
    }
    throw Failure("the feed could not be followed in time")
  }

  /// `news import` has it read by a process of its own.
  private func importList(_ list: String) throws {
    guard try run(ServedPrograms.importing, input: list) else {
      throw Failure("the list could not be imported in time")
    }
  }

  /// Returns false for a program that did not end in time.
  private func run(_ words: [String], input: String = "") throws -> Bool {
    guard let start = ServedPrograms.start(context, home: store.home) else {
      throw Failure("the file of this program is gone: install news again")
    }
    guard let answer = context.environment.runProgram(start + words, input) else {
      throw Failure("\(words[0]) cannot be started")
    }
    guard let status = answer.status else { return false }
    guard status != 0 else { return true }
    let line = answer.text.split(separator: "\n").last { $0.hasPrefix("news: ") }
    let reason = line.map { String($0.dropFirst(6)) } ?? "\(words[0]) failed"
    throw Failure(reason, status: status == ExitStatus.notAFeed.code ? .notAFeed : .failed)
  }
}

extension Subscription {
  /// The feed with some tags more, and others less, whatever their case.
  fileprivate func tagged(_ added: [String], without removed: [String]) -> Subscription {
    var feed = self
    let gone = Set(removed.map { $0.lowercased() })
    feed.tags.removeAll { gone.contains($0.lowercased()) }
    for tag in added where !feed.tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
      feed.tags.append(tag)
    }
    return feed
  }
}
