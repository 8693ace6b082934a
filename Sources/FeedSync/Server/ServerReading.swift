internal import FeedFetching
package import FeedModel
internal import FeedParsing
internal import System

/// What a server says that it has.
package struct ServerReading: Sendable {
  package struct Feed: Hashable, Sendable {
    /// What the server calls it: `feed/12`, `feed/https://…`.
    package let stream: String
    package let url: String
    package let title: String
    package let tags: [String]

    package init(stream: String, url: String, title: String, tags: [String]) {
      (self.stream, self.url, self.title, self.tags) = (stream, url, title, tags)
    }
  }

  /// One that was asked for.
  package struct Story: Hashable, Sendable {
    package let stream: String
    /// Absolute, or empty.
    package let link: String
    package let title: String
    /// Seconds since 1970.
    package let date: Int?
    package let isRead: Bool
    package let isStarred: Bool

    package init(
      stream: String,
      link: String,
      title: String,
      date: Int?,
      isRead: Bool,
      isStarred: Bool,
    ) {
      (self.stream, self.link, self.title, self.date) = (stream, link, title, date)
      (self.isRead, self.isStarred) = (isRead, isStarred)
    }
  }

  package var feeds: [Feed]
  /// What the server calls the user; nil where it does not say.
  package var user: String?
  /// All that are unread, and all that are starred, the newest first.
  package var unread: [ServerItemID]
  package var starred: [ServerItemID]
  /// All of the last days.
  package var recent: [ServerItemID]
  /// The labels of stories; nil where the server has labels for feeds alone.
  package var labels: ServerLabels?
  /// What a label of a story cannot be called there, in small letters.
  package var folders: Set<String> = []
  package var stories: [ServerItemID: Story] = [:]
  /// Those that were asked for: what is not among the stories is gone.
  package var asked: Set<ServerItemID> = []

  package init(
    feeds: [Feed],
    unread: [ServerItemID],
    starred: [ServerItemID],
    recent: [ServerItemID],
  ) {
    (self.feeds, self.unread, self.starred, self.recent) = (feeds, unread, starred, recent)
  }

  /// Takes in stories that were asked for.
  mutating func take(_ asked: ArraySlice<ServerItemID>, _ stories: [ServerStory]) {
    self.asked.formUnion(asked)
    let urls = Dictionary(feeds.map { ($0.stream, $0.url) }, uniquingKeysWith: { one, _ in one })
    for story in stories {
      self.stories[story.id] = Story(
        stream: story.stream,
        link: WebURL.resolve(story.content.link ?? "", against: urls[story.stream]) ?? "",
        title: SafeText.line(story.content.title ?? ""),
        date: story.date,
        isRead: story.isRead,
        isStarred: story.isStarred,
      )
    }
  }

  /// Those that have to be asked for: the unknown ones, and those of stories here that have left a
  /// list, which a list that was cut short, and a server that drops old stories, do to them as well
  /// as a reader who has read them.
  ///
  /// Those of `again` are asked for where they are listed, though they are known.
  package func wanted(
    besides state: ServerState,
    again: Set<ServerItemID> = [],
  ) -> [ServerItemID] {
    let (unread, starred) = (Set(self.unread), Set(self.starred))
    let labelled = labels.map { $0.all.values.flatMap(\.stories).sorted(by: >) } ?? []
    let unlabelled = labels.flatMap { state.labels?.lost(in: $0) } ?? []
    var seen: Set<ServerItemID> = []
    var wanted: [ServerItemID] = []
    func hasLeft(_ id: ServerItemID, _ item: ServerItem) -> Bool {
      !item.isRead && !unread.contains(id) || item.isStarred && !starred.contains(id)
        || unlabelled.contains(id)
    }
    for id in self.unread + self.starred + labelled + recent where seen.insert(id).inserted {
      let isUnknown = state.items[id].map { hasLeft(id, $0) } ?? true
      if isUnknown || again.contains(id) { wanted.append(id) }
    }
    let left = state.items.filter { id, item in
      item.story != 0 && !seen.contains(id) && hasLeft(id, item)
    }
    return wanted + left.keys.sorted(by: >)
  }
}
