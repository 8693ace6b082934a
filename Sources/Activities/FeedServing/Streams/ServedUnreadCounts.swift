internal import FeedModel

/// The numbers of unread stories: of each feed, each folder and tag, and of all.
struct ServedUnreadCounts {
  struct Count {
    fileprivate(set) var stories = 0
    /// The time at which the newest came, in microseconds since 1970; 0 without one.
    fileprivate(set) var newest: Int64 = 0

    fileprivate mutating func add(_ other: Count) {
      stories += other.stories
      newest = max(newest, other.newest)
    }
  }

  private struct Group: Hashable {
    let (feeds, tags): (Int32, Int32)
  }

  /// The counts by streams, with labels in lower case.
  private var counts: [StreamID: Count] = [:]

  /// Counts the stories with the same feeds and tags together.
  ///
  /// PERF: such groups are few; a look for each of thousands of feeds in all of them takes a second.
  init(_ stories: ServedStories) {
    var groups: [Group: Count] = [:]
    for story in stories.all where !story.isRead {
      let group = Group(feeds: story.feeds, tags: story.tags)
      groups[group, default: Count()].add(Count(stories: 1, newest: story.place.arrived))
    }
    for (group, count) in groups {
      var streams: Set<StreamID> = [.readingList]
      streams.formUnion(stories.feedNames[Int(group.feeds)].map { .feed($0) })
      let folders = stories.feedLists[Int(group.feeds)].compactMap { stories.feeds.feed(at: $0) }
      for tag in folders.flatMap(\.tags) + stories.tagLists[Int(group.tags)] {
        streams.insert(.label(tag.lowercased()))
      }
      for stream in streams { counts[stream, default: Count()].add(count) }
    }
  }

  func count(_ stream: StreamID) -> Count {
    let known: StreamID =
      if case .label(let name) = stream { .label(name.lowercased()) } else { stream }
    return counts[known] ?? Count()
  }
}
