import Aggregation
import FeedModel
import FeedStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known of where a story comes from.
struct StoryProvenance {
  let number: Int?
  let story: StoredItem
  /// The request that brought it; nil for a story that was stored before that was recorded.
  let origin: StoryOrigin?
  /// What made its id; nil when that follows from nothing that is stored.
  let key: StoryKey?
  /// The run that stored it; nil when the record of runs does not have it.
  let run: RunRecord?

  init(_ found: NumberedStories.Found, in items: ItemTable, runs: [RunRecord]) throws(StorageError)
  {
    number = found.number
    story = try items.item(at: found.position)
    origin = try items.origin(at: found.position)
    key = StoryKey(of: story, origin: origin)
    run = Self.run(of: story, origin, runs)
  }

  /// The run that the story names; without a name the only one that was at work when it was stored.
  private static func run(
    of story: StoredItem,
    _ origin: StoryOrigin?,
    _ runs: [RunRecord],
  ) -> RunRecord? {
    if let origin { return runs.last { $0.started == origin.run } }
    guard let stored = story.stored else { return nil }
    let candidates = runs.filter { run in
      run.stored > 0 && run.started <= stored
        && stored <= run.started.addingTimeInterval(run.seconds)
    }
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// How a feed came to carry the story.
  enum Carrier: Hashable, Sendable {
    case brought
    /// Its story was taken for this one.
    case matched(StoryMatch)
    /// It is the feed that the story belongs to since the one that brought it left it, or moved.
    case inherited
    case unknown
  }

  func carrier(_ feed: String) -> Carrier {
    if feed == origin?.url || (origin == nil && feed == key?.feed) { return .brought }
    if let match = story.matches.first(where: { $0.feed == feed }) { return .matched(match) }
    return origin != nil && feed == story.feeds.first ? .inherited : .unknown
  }

  /// The last time that the feed that brought the story renamed it, if it ever did.
  var renaming: StoryMatch? {
    story.matches.first { carrier($0.feed) == .brought }
  }
}
