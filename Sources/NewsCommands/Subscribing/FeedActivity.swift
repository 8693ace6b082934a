/// What is stored of a feed: how many stories, and how often it posts.
struct FeedActivity: Hashable, Sendable {
  private(set) var stories = 0
  private(set) var unread = 0
  /// When the newest story was published, else stored; seconds since 1970.
  private(set) var newest: Int?
  /// The oldest of the newest stories that have a date, and how many they are.
  private var first: Int?
  private var dated = 0

  /// Stories whose dates count: a feed is judged by what it does lately.
  private static let maximumDated = 20
  private static let minimumDated = 3

  /// Takes in the next story, the newest first; `date` is one that has passed.
  mutating func add(isRead: Bool, date: Int?, stored: Int?) {
    stories += 1
    if !isRead { unread += 1 }
    newest = newest ?? date ?? stored
    guard let date, dated < Self.maximumDated else { return }
    first = min(first ?? date, date)
    dated += 1
  }

  /// Whether dates of further stories are of any use.
  var wantsDates: Bool {
    newest == nil || dated < Self.maximumDated
  }

  /// Seconds from one story to the next on the average of the newest ones, the silence since then
  /// included; nil when there are too few to tell.
  func interval(now: Int) -> Int? {
    guard let first, dated >= Self.minimumDated else { return nil }
    return max(1, (now - first) / dated)
  }
}
