package import FeedModel
internal import PropertyLists
package import System

/// What is stored, as it was at one moment.
package struct Library: Sendable {
  package var items: ItemTable
  package var subscriptions: [Subscription]
  /// By whom they are for: a server's (`https://example.com:8443`) all of its feeds; that of a server
  /// to which a redirect led, under the feed's URL, that feed alone.
  package var retryTimes: [String: RetryTime]
  /// How many stories this program saved last; nobody else may have made them fewer.
  package var savedStories = 0
  /// From when on fewer stories are kept than earlier versions kept; nil where the reader has not been
  /// told of that yet.
  package var fewerKeptSince: Date? = .init(timeIntervalSinceReferenceDate: 0)
  /// What feeds were called that are followed no more, by URL, where starred stories of them stay.
  package var formerNames: [String: String] = [:]
  /// Feeds that others have ended, as this machine alone knew them, the last ones last.
  package var formerFeeds: [Subscription] = []

  package static let mostFormerFeeds = 100
}

extension Library {
  /// Whether another has just the stories and subscriptions that this one has.
  package func isUnchanged(in other: Library) -> Bool {
    items.isUnchanged(in: other.items) && subscriptions == other.subscriptions
  }
}

/// The time until which a server asked to wait (`Retry-After`).
package struct RetryTime: Hashable, Sendable {
  /// Who asked for it: scheme, host and port.
  package internal(set) var server: String
  package internal(set) var status: Int
  package internal(set) var since: Date
  package internal(set) var until: Date

  package init(server: String, status: Int, since: Date, until: Date) {
    self.server = server
    self.status = status
    self.since = since
    self.until = until
  }
}

extension [String: RetryTime] {
  /// Of two of one server the later counts.
  package mutating func extend(by others: [String: RetryTime]) {
    merge(others) { $0.until > $1.until ? $0 : $1 }
  }
}

package enum SubscriptionDetail: Hashable, Sendable {
  case whole
  /// URLs, titles, tags and settings alone, to name feeds with; not to be saved.
  case names
}

/// What is to be changed; nil leaves a part as it is.
package struct LibraryChange: Sendable {
  /// The stories in their whole new order.
  package var items: [ItemEdit]?
  /// Makes the stories that edits only number; called once for each, in the order of the edits.
  package var source: StorySource?
  /// The ids of these stories, and their feeds; found where they are wanted alone.
  package var added: (@Sendable () -> (ids: ItemIDs, feeds: Set<String>))?
  /// Whole texts of stories that the change brings.
  package var texts: [NewText] = []
  /// Pages' articles that stories get beside them, by `StoredItem.articleKey`.
  package var articles: [NewText] = []
  package var subscriptions: [Subscription]?
  package var retryTimes: [String: RetryTime]?
  package var outlines: OutlineDocument?
  package var formerNames: [String: String]?
  package var formerFeeds: [Subscription]?
  /// As `Library.fewerKeptSince`; nil leaves it.
  package var fewerKeptSince: Date?
  package var rules: [StoryRule]?
  /// Feeds that have another URL now, which rules follow.
  package var moves: [(from: String, to: String)] = []
  /// Stories that edits bring from elsewhere.
  package var other: ItemTable?
  /// The step that had set the data file aside as a whole, which takes its place again instead of
  /// `items`; `other` has its stories.
  package var restored: HistoryStep?
  package var order = SavingOrder.storiesFirst
  /// Who made it; nil for what nobody has wished.
  package var origin: ChangeOrigin?
  /// Marks that stories of `source` get because somebody, or a rule, says so, by their numbers, with the
  /// tags that they have there.
  package var brought: [Int: ItemMarks] = [:]
  /// Stories by their positions of which the marks are taken back, though they go.
  package var unbrought: [Int] = []
  /// Stories by their positions that go because somebody has deleted them, or cleared them as read.
  package var deleted: [Int] = []
  /// What a merge with other machines came to; saved last.
  package var sync: SyncSaving?
  /// The same with a server.
  package var server: ServerFile?
  package init(
    items: [ItemEdit]? = nil,
    source: StorySource? = nil,
    subscriptions: [Subscription]? = nil,
    retryTimes: [String: RetryTime]? = nil,
    outlines: OutlineDocument? = nil,
  ) {
    self.outlines = outlines
    self.items = items
    self.source = source
    self.subscriptions = subscriptions
    self.retryTimes = retryTimes
  }
}

/// Who made a change, and when.
///
/// With that time its marks, subscriptions and rules are recorded for other machines.
package struct ChangeOrigin: Hashable, Sendable {
  /// The command's words without operands, such as `read` or `clear --feed`.
  package var command: String
  package var date: Date
  /// Says that it is a step of the reader's, which `news undo` takes back.
  package var isStep: Bool
  /// Says that it was made on another machine, and is recorded there.
  package var isOfOthers = false
  /// The number of the step that it takes back, or does again; nil for one of its own.
  package var answered: Int?
  /// Says that it takes that step back.
  package var isBack = false
  /// Says that the step which it answers took stories away for good.
  package var isForGood = false
  /// Says that it goes on with the last step, which was of the same command.
  package var joinsLast = false

  package init(command: String, date: Date, isStep: Bool = true) {
    (self.command, self.date, self.isStep) = (command, date, isStep)
  }
}

/// What is saved first, since a process can be stopped in between.
package enum SavingOrder: Sendable {
  /// Where stories come: with the old validators one request more is made than needed, while with
  /// new validators and old stories a story could be missed for ever.
  case storiesFirst
  /// Where stories go: validators that outlive them would keep them from coming back.
  case subscriptionsFirst
}

/// A part of the stories' new order.
package enum ItemEdit: Hashable, Sendable {
  /// Stories that stay as they are, by their old places; copied as bytes.
  case keep(Range<Int>)
  // PERF: boxed, so that sorting the edits of a refresh moves pointers, not whole stories.
  /// A story with new content; what its dictionary holds besides is kept.
  indirect case replace(Int, StoredItem)
  indirect case insert(StoredItem)
  /// A story that the change's source makes.
  case insertNumber(Int)
  /// Stories that stay as they are but for their marks; the rest of them is copied as bytes.
  case mark(Range<Int>, ItemMarks)
  /// A story that stays as it is but for its marks, feeds and tags.
  indirect case adjust(Int, ItemAdjustment)
  /// Stories of the change's other table, by their positions there; copied as bytes.
  case bring(Range<Int>)
  indirect case bringAdjusted(Int, ItemAdjustment)
  /// A story of the other table with new content, as `replace`.
  indirect case bringReplaced(Int, StoredItem)
}

extension LibraryChange {
  /// Whether the data file becomes another.
  func replacesStories(of table: ItemTable) -> Bool {
    guard let edits = items else { return restored != nil }
    return edits != [.keep(0..<table.count)] && !(edits.isEmpty && table.count == 0)
  }

  func storyCount(of library: Library) -> Int {
    items?.reduce(0) { $0 + $1.storyCount } ?? library.items.count
  }
}

extension ItemEdit {
  var storyCount: Int {
    switch self {
    case .keep(let range), .mark(let range, _), .bring(let range): range.count
    case .replace, .insert, .insertNumber, .adjust, .bringAdjusted, .bringReplaced: 1
    }
  }
}

/// Builds the new order of the data file; neighbours of one kind become one edit.
package struct ItemEdits {
  private var edits: [ItemEdit] = []
  /// Where the stored stories begin that nothing was said of.
  private var next = 0
  package private(set) var isEmpty = true

  package init(expecting count: Int = 0) {
    edits.reserveCapacity(count)
  }

  package mutating func append(_ edit: ItemEdit) {
    switch (edit, edits.last) {
    case (.keep(let run), .keep(let last)?) where last.upperBound == run.lowerBound:
      edits[edits.count - 1] = .keep(last.lowerBound..<run.upperBound)
    case (.bring(let run), .bring(let last)?) where last.upperBound == run.lowerBound:
      edits[edits.count - 1] = .bring(last.lowerBound..<run.upperBound)
    case (.mark(let run, let marks), .mark(let last, let others)?)
    where last.upperBound == run.lowerBound && marks == others:
      edits[edits.count - 1] = .mark(last.lowerBound..<run.upperBound, marks)
    default: edits.append(edit)
    }
  }

  /// Keeps the stored stories before a place that nothing was said of.
  package mutating func keep(until index: Int) {
    if index > next { append(.keep(next..<index)) }
    next = max(next, index)
  }

  /// Leaves a stored story out, which stands behind all that were named before; those in between stay.
  package mutating func remove(_ index: Int) {
    keep(until: index)
    (next, isEmpty) = (index + 1, false)
  }

  package mutating func change(_ index: Int, to edit: ItemEdit) {
    remove(index)
    append(edit)
  }

  /// All edits of so many stored stories, of which the further ones stay.
  package consuming func all(of count: Int) -> [ItemEdit] {
    keep(until: count)
    return edits
  }
}

/// What a reader did with a story, as far as it is to be changed; nil leaves a mark as it is.
package struct ItemMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.isRead = isRead
    self.isStarred = isStarred
  }

  package var reversed: ItemMarks {
    ItemMarks(isRead: isRead.map { !$0 }, isStarred: isStarred.map { !$0 })
  }

  /// Whether they are what `other` says, where it says anything.
  package func have(_ other: ItemMarks) -> Bool {
    (other.isRead == nil || other.isRead == isRead)
      && (other.isStarred == nil || other.isStarred == isStarred)
  }

  /// Those of `other`, where it says anything.
  package mutating func take(_ other: ItemMarks) {
    isRead = other.isRead ?? isRead
    isStarred = other.isStarred ?? isStarred
  }
}

/// What is changed of a story without looking at the rest of it.
package struct ItemAdjustment: Hashable, Sendable {
  package var marks = ItemMarks()
  /// The URLs of all feeds that carry it; nil leaves them as they are.
  package var feeds: [String]?
  /// All its tags; nil leaves them as they are.
  package var tags: [String]?
  package var article: StoredArticle?
  /// The typed texts that are to be others (`SyncKey.StoryMark.texts`); of an empty one there is to be
  /// none.
  package var texts: [SyncKey.StoryMark: String] = [:]

  package init(
    marks: ItemMarks = ItemMarks(),
    feeds: [String]? = nil,
    tags: [String]? = nil,
    article: StoredArticle? = nil,
  ) {
    self.marks = marks
    self.feeds = feeds
    self.tags = tags
    self.article = article
  }

  package var isOfMarksAlone: Bool {
    feeds == nil && tags == nil && article == nil && texts.isEmpty
  }

  /// Whether anything of it is told to other machines.
  var hasFacts: Bool { marks != ItemMarks() || tags != nil || !texts.isEmpty }

  /// Takes the marks, tags and texts of another, where it says anything of them.
  package mutating func take(_ other: ItemAdjustment) {
    marks.take(other.marks)
    tags = other.tags ?? tags
    texts.merge(other.texts) { $1 }
  }
}
