internal import FeedFetching
internal import FeedModel
internal import FeedParsing
internal import System

/// What a server says that it has.
struct ServerReading: Sendable {
  struct Feed: Hashable, Sendable {
    /// What the server calls it: `feed/12`, `feed/https://…`.
    let stream: String
    let url: String
    let title: String
    let tags: [String]
  }

  /// One that was asked for.
  struct Story: Hashable, Sendable {
    let stream: String
    /// Absolute, or empty.
    let link: String
    let title: String
    /// Seconds since 1970.
    let date: Int?
    let isRead: Bool
    let isStarred: Bool
  }

  var feeds: [Feed]
  /// What the server calls the user; nil where it does not say.
  var user: String?
  /// All that are unread, and all that are starred, the newest first.
  var unread: ServerIDs
  var starred: ServerIDs
  /// All of the last days.
  var recent: ServerIDs
  /// The labels of stories; nil where the server has labels for feeds alone.
  var labels: ServerLabels? {
    didSet {
      labelled = ServerIDs((labels?.all.values).map { $0.flatMap(\.stories).sorted(by: >) } ?? [])
    }
  }
  /// All that have a label.
  private var labelled = ServerIDs([])
  /// What a label of a story cannot be called there, in small letters.
  var folders: Set<String> = []
  /// What there was no room for, a line each.
  var omissions: [String] = []
  var stories: [ServerItemID: Story] = [:]
  /// Those that were asked for: what is not among the stories is gone.
  var asked: Set<ServerItemID> = []

  init(
    feeds: [Feed],
    unread: [ServerItemID] = [],
    starred: [ServerItemID] = [],
    recent: [ServerItemID] = [],
  ) {
    self.feeds = feeds
    (self.unread, self.starred) = (ServerIDs(unread), ServerIDs(starred))
    self.recent = ServerIDs(recent)
  }

  /// Makes a reading of what is remembered of a server, as if it said so now.
  init(_ state: ServerState) {
    let items = state.items
    self.init(
      feeds: state.feeds.map { url, feed in
        Feed(stream: feed.stream, url: url, title: feed.serverTitle, tags: feed.serverTags)
      },
      unread: items.keys.filter { items[$0]?.isRead == false },
      starred: items.keys.filter { items[$0]?.isStarred == true },
      recent: Array(items.keys),
    )
    labels = state.labels
  }

  /// Returns whether a story has left the list of those that are unread, or starred.
  func hasLeft(_ id: ServerItemID, _ item: ServerItem) -> Bool {
    !item.isRead && !unread.contains(id) || item.isStarred && !starred.contains(id)
  }

  var lists: [ServerIDs] { [unread, starred, labelled, recent] }

  /// Characters by which a story is found again: those of other stories may be as long as an answer.
  private static let longestTitle = 1_000

  /// Takes in stories that were asked for.
  mutating func take(_ asked: ArraySlice<ServerItemID>, _ stories: [ServerStory]) {
    self.asked.formUnion(asked)
    let urls = Dictionary(feeds.map { ($0.stream, $0.url) }, uniquingKeysWith: { one, _ in one })
    for story in stories {
      self.stories[story.id] = Story(
        stream: urls[story.stream] == nil ? "" : story.stream,
        link: WebURL.resolve(story.content.link ?? "", against: urls[story.stream]) ?? "",
        title: SafeText.line(
          SafeText.prefix(story.content.title ?? "", maximumCharacters: Self.longestTitle)
        ),
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
  func wanted(
    besides state: ServerState,
    again: Set<ServerItemID> = [],
    atMost most: Int = .max,
  ) -> [ServerItemID] {
    let unlabelled = labels.flatMap { state.labels?.lost(in: $0) } ?? []
    func hasLeft(_ id: ServerItemID, _ item: ServerItem) -> Bool {
      self.hasLeft(id, item) || unlabelled.contains(id)
    }
    var (wanted, chosen): ([ServerItemID], Set<ServerItemID>) = ([], [])
    for list in lists {
      for id in list.listed where wanted.count < most {
        let isUnknown = state.items[id].map { hasLeft(id, $0) } ?? true
        guard isUnknown || again.contains(id), chosen.insert(id).inserted else { continue }
        wanted.append(id)
      }
    }
    let left = state.items.lazy.filter { id, item in
      item.story != 0 && hasLeft(id, item) && !lists.contains { $0.contains(id) }
    }
    return wanted + left.map(\.key).sorted(by: >).prefix(most - wanted.count)
  }
}

/// Ids as a list of a server has them, packed: there may be half a million of them.
struct ServerIDs: Sendable {
  /// In the order of the list.
  let listed: [ServerItemID]
  private let sorted: [ServerItemID]

  init(_ listed: [ServerItemID]) {
    self.listed = listed
    sorted = listed.sorted()
  }

  func contains(_ id: ServerItemID) -> Bool {
    let index = sorted.firstIndexInOrder { $0 >= id }
    return index < sorted.count && sorted[index] == id
  }
}
