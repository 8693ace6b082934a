internal import FeedLibrary
internal import FeedModel
package import FeedStorage
internal import HTMLText

/// Stories of several feeds about one thing, in rows.
///
/// From the newest story to the oldest, each joins the row whose first story is most like it
/// (`StoryGist`) and that has no story of its feeds, else it begins a row. So all stories of a row
/// are like its first, and newest, one.
package struct SimilarStories: Sendable {
  /// The positions of a row's other stories, newest first, by that of its first story.
  package private(set) var others: [Int: [Int]] = [:]
  /// The position of the row's first story by those of the others.
  package private(set) var firsts: [Int: Int] = [:]

  package init() {}

  /// Finds similar stories among some of a library's.
  ///
  /// The positions may come in any order. `now` is in seconds since 2001; a story dated later counts
  /// as of when it was stored. Only the first `limit` rows, from the newest, are surely complete.
  package init(
    among positions: [Int],
    of items: ItemTable,
    now: Double,
    rows limit: Int = .max,
  ) throws {
    guard var reader = ItemReader(items) else { return }
    var rows = SimilarRows()
    for position in positions.sorted() {
      try reader.move(to: position)
      let gist = try StoryGist(&reader, now: now)
      if rows.areComplete(limit, at: gist.instant) { break }
      guard let first = rows.add(gist, at: position) else { continue }
      others[first, default: []].append(position)
      firsts[position] = first
    }
  }

  /// Returns the positions of first stories, in the same order.
  package func rows(of positions: [Int]) -> [Int] {
    positions.filter { firsts[$0] == nil }
  }

  /// Returns the positions of a row's stories, the first one first.
  package func row(of first: Int) -> [Int] { [first] + (others[first] ?? []) }
}

extension StoryGist {
  fileprivate init(_ reader: inout ItemReader, now: Double) throws {
    var feeds: [Int] = []
    try reader.forEachFeed { feeds.append($0) }
    let (date, stored) = try reader.instants()
    let title = try reader.string(.title) ?? ""
    let text = try reader.string(.summary) ?? ""
    self.init(
      title: title.isEmpty ? StoryTitle.text(title, summary: text) : title,
      text: text,
      feeds: feeds,
      instant: StoryTime.instant(date: date, stored: stored, now: now),
    )
  }
}

/// The rows that a story can still join.
struct SimilarRows {
  private struct Row {
    let position: Int
    let instant: Double?
    /// The gist of the first story; nil where all later ones are too old for it.
    var first: StoryGist?
    var feeds: [Int]
  }

  private var rows: [Row] = []
  /// The rows before this one are too new for the stories that are left.
  private var start = 0
  /// The rows whose first title has a word, in their order.
  private var byTitleWord: [UInt64: [(row: Int, weight: Double)]] = [:]
  /// The weight of each row's title that the story at hand has.
  private var found: [Double] = []

  /// The rows of one word that are looked at, the oldest first.
  ///
  /// A feed can give 25,000 stories one title, and each would be compared with all others.
  private static let maximumRows = 256

  /// Adds a story; returns the position of the first one of the row that it joins.
  mutating func add(_ gist: StoryGist, at position: Int) -> Int? {
    forget(before: gist.instant)
    if gist.isTelling, let row = row(for: gist) {
      rows[row].feeds += gist.feeds
      return rows[row].position
    }
    let isTelling = gist.isTelling && gist.instant != nil
    if isTelling {
      for word in gist.titleWords {
        byTitleWord[word.id, default: []].append((rows.count, word.weight))
      }
    }
    rows.append(
      Row(
        position: position,
        instant: gist.instant,
        first: isTelling ? gist : nil,
        feeds: gist.feeds,
      )
    )
    found.append(0)
    return nil
  }

  /// Returns true if so many rows are there that no story of that time can join.
  func areComplete(_ count: Int, at instant: Double?) -> Bool {
    guard count > 0, rows.count >= count, let last = rows[count - 1].instant else {
      return count == 0
    }
    return instant.map { last - $0 > StoryGist.maximumAge } ?? true
  }

  private mutating func forget(before instant: Double?) {
    guard let instant else { return }
    while start < rows.count, (rows[start].instant ?? instant) - instant > StoryGist.maximumAge {
      rows[start].first = nil
      start += 1
    }
  }

  private mutating func row(for gist: StoryGist) -> Int? {
    var met: [Int] = []
    for word in gist.words {
      for (row, weight) in (byTitleWord[word.id] ?? []).suffix(Self.maximumRows).reversed() {
        guard row >= start else { break }
        if found[row] == 0 { met.append(row) }
        found[row] += weight
      }
    }
    defer { for row in met { found[row] = 0 } }
    var best: (row: Int, likeness: Double)?
    for row in met where found[row] >= StoryGist.leastShared {
      guard let first = rows[row].first, !gist.feeds.contains(where: rows[row].feeds.contains),
        let likeness = gist.likeness(to: first)
      else { continue }
      if (likeness, row) > (best?.likeness ?? -1, best?.row ?? -1) { best = (row, likeness) }
    }
    return best?.row
  }
}
