internal import FeedModel
internal import FeedParsing
internal import FeedReading
internal import System

struct ServerReading: Sendable {
  typealias Feed = ServerSubscription

  struct Story: Hashable, Sendable {
    let stream: String
    /// An absolute URL, or empty.
    let link: String
    let title: String
    let date: Int?
    let isRead: Bool
    let isStarred: Bool
    /// When it came to the server; nil where the server does not say so.
    let arrived: Date?
  }

  var feeds: [Feed]
  var user: String?
  var unread: ServerIDs
  var starred: ServerIDs
  var recent: ServerIDs
  /// The labels of stories, or nil if the server labels only feeds.
  var labels: ServerLabels? {
    didSet {
      labelled = ServerIDs((labels?.all.values).map { $0.flatMap(\.stories).sorted(by: >) } ?? [])
    }
  }
  private var labelled = ServerIDs([])
  /// Lower-case names that cannot be labels of stories on the server.
  var folders: Set<String> = []
  var omissions: [String] = []
  var stories: [ServerItemID: Story] = [:]
  /// The ids that were asked for; one without a story in the answer is gone.
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

  /// Makes a reading that repeats the saved state of a server.
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

  /// Returns true for a story that has left a list, or is unread again.
  func hasChanged(_ id: ServerItemID, _ item: ServerItem) -> Bool {
    item.isRead == unread.contains(id) || item.isStarred && !starred.contains(id)
  }

  var lists: [ServerIDs] { [unread, starred, labelled, recent] }

  /// The most characters of a title, by which a story is found again.
  private static let longestTitle = 1_000

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
        isRead: story.content.isRead,
        isStarred: story.content.isStarred,
        arrived: story.arrived,
      )
    }
  }

  /// The ids to ask for: the unknown ones, and those of stories here that have left a list or are
  /// unread again.
  ///
  /// A story leaves a list when it is read, but also when the list was cut short or the server
  /// drops old stories; one that is unread again may have gone and come back. A listed id in
  /// `again` is asked for although it is known.
  func wanted(
    besides state: ServerState,
    again: Set<ServerItemID> = [],
    atMost most: Int = .max,
  ) -> [ServerItemID] {
    let unlabelled = labels.flatMap { state.labels?.lost(in: $0) } ?? []
    func hasChanged(_ id: ServerItemID, _ item: ServerItem) -> Bool {
      self.hasChanged(id, item) || unlabelled.contains(id)
    }
    var (wanted, chosen): ([ServerItemID], Set<ServerItemID>) = ([], [])
    for list in lists {
      for id in list.listed where wanted.count < most {
        let isUnknown = state.items[id].map { hasChanged(id, $0) } ?? true
        guard isUnknown || again.contains(id), chosen.insert(id).inserted else { continue }
        wanted.append(id)
      }
    }
    let left = state.items.lazy.filter { id, item in
      item.story != 0 && hasChanged(id, item) && !lists.contains { $0.contains(id) }
    }
    return wanted + left.map(\.key).sorted(by: >).prefix(most - wanted.count)
  }
}

/// Ids of a server's list in packed form, as there may be half a million.
struct ServerIDs: Sendable {
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
