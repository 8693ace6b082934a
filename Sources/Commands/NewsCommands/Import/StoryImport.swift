import CommandSupport
import FeedImport
import FeedLibrary
import FeedModel
import FeedStorage
import FeedUpdating

/// Puts the stories of a file into the store, in one change that `news undo` takes back.
struct StoryImport {
  let context: CommandContext
  let permission: ImportedURL.Permission
  /// The user's file, or `-`; nil for an answer from the web.
  let file: String?

  private struct Result {
    var feeds = 0
    var new = 0
    var read = 0
    var starred = 0
    var known = 0
    var marked = 0
    var followed = 0
    var tags: Set<String> = []
    /// Feeds of which more is stored now than is kept for long.
    var overfull = 0
  }

  func run(_ source: some ImportSource) throws -> ImportCommand.Imported {
    var store = try context.store()
    try store.prepareHome()
    var stories = ImportedStories(try store.read(), permission)
    try stories.read(source, StorySpool(folder: store.home))
    store = try context.store(naming: stories.subscriptions, in: file)
    let result = try store.change { library in
      try change(library, stories)
    }
    return ImportCommand.Imported(
      list: stories.list,
      said: [message(result)] + (source is ReaderDatabase ? flags(result) : [])
        + (result.new > 0 ? warning(result) : []),
      isOfUse: result.new > 0 || result.followed > 0,
    )
  }

  private func flags(_ result: Result) -> [String] {
    let flags = result.tags.filter { $0.hasPrefix("flag-") }.sorted()
    guard let first = flags.first else { return [] }
    return [
      "flags are tags now: \(flags.joined(separator: ", ")); to star such stories: "
        + "`news star --all --grep tag:\(first)`"
    ]
  }

  private func warning(_ result: Result) -> [String] {
    guard result.overfull > 0 else { return [] }
    return [
      "\(Count.of(result.overfull, "feed has", "feeds have")) more stories now than are kept of "
        + "those that a feed no longer carries: the next refresh drops the oldest, read ones "
        + "first, starred ones never; news feeds set FEED --keep 0 keeps all"
    ]
  }

  private func change(
    _ library: Library,
    _ stories: ImportedStories,
  ) throws -> (LibraryChange, Result) {
    var followed = SubscriptionMerge(library.subscriptions)
    for subscription in stories.subscriptions { followed.add(subscription) }
    let taken = try library.merging(
      stories.deliveries,
      now: context.clock.date,
      finish: { followed.subscriptions.with($0.findings) },
    )
    let incoming = taken.incoming
    var change = taken.change
    change.origin = context.origin
    return (change, result(incoming, followed))
  }

  private func result(
    _ incoming: IncomingStories,
    _ followed: SubscriptionMerge,
  ) -> Result {
    var result = Result()
    result.feeds = incoming.findings.count
    result.new = incoming.insertions.count
    for number in 0..<result.new {
      let marks = incoming.insertions.marks(of: number)
      if marks[.read] == true { result.read += 1 }
      if marks[.starred] == true { result.starred += 1 }
    }
    let filtered = incoming.findings.reduce(0) { $0 + $1.findings.filtered }
    result.known = incoming.insertions.deliveredCount - result.new - filtered
    result.marked = incoming.marks.count
    result.followed = followed.added.count
    result.tags = incoming.insertions.tags.union(incoming.marks.tagged.keys)
    result.overfull = incoming.findings.count { feed, findings in
      let keep = followed.subscription(to: feed)?.keptStories ?? Retention.usual
      return keep > 0 && findings.recognised + findings.stored > keep
    }
    return result
  }

  private func message(_ result: Result) -> String {
    let marks = [(result.read, "read"), (result.starred, "starred")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    var text =
      "\(Count.stories(result.new))\(marks.isEmpty ? "" : " (\(marks))") of "
      + "\(Count.of(result.feeds, "feed")) imported"
    if result.known > 0 {
      text += "; \(Count.of(result.known, "was", "were")) there already"
      if result.marked > 0 { text += ", \(result.marked) of them newly marked" }
    }
    if result.followed > 0 { text += "; following \(Count.of(result.followed, "more feed"))" }
    return text
  }
}
