import FeedModel
import FeedStorage

/// The feeds, tags and stories of a home, as they can be typed.
///
/// What cannot be read has no names: a shell is no place for errors.
struct CompletionNames {
  let store: LibraryStore?

  /// How many numbers are proposed, and among how many of the newest stories their titles are
  /// looked for: a key was pressed, and somebody waits.
  private static let maximumNumbers = 100
  private static let maximumStories = 5_000

  /// The titles, and the URLs where one has begun, or where a title is not the feed's alone.
  func feeds(typed: String) -> [CompletionCandidate] {
    let subscriptions = (try? store?.read().subscriptions) ?? []
    var uses: [String: Int] = [:]
    for subscription in subscriptions { uses[FeedName.printable(subscription), default: 0] += 1 }
    let isURL = typed.contains(":/") || ["http", "file", "/", "~", "."].contains(typed)
    return subscriptions.map { subscription in
      let title = FeedName.printable(subscription)
      let url = FeedName.printableURL(subscription.url)
      let isTitle = !isURL && uses[title] == 1 && !title.hasPrefix("-")
      return isTitle ? CompletionCandidate(title, url) : CompletionCandidate(url, title)
    }
  }

  /// `tag:NAME` for each tag, where as much of it was typed as tells it from a title.
  func taggedFeeds(typed: String) -> [CompletionCandidate] {
    guard !typed.isEmpty, typed.hasPrefix("tag:") || "tag:".hasPrefix(typed) else { return [] }
    return tags().map { CompletionCandidate("tag:" + $0.text, "the feeds with this tag") }
  }

  func tags() -> [CompletionCandidate] {
    let tags = ((try? store?.read().subscriptions) ?? []).flatMap(\.tags)
    return Set(tags.map { SafeText.line($0) }).filter { !$0.isEmpty && !$0.hasPrefix("-") }
      .sorted().map { CompletionCandidate($0) }
  }

  /// The numbers of the last list, or else the places of the newest stories; also as ends of a
  /// range.
  func numbers(typed: String) -> [CompletionCandidate] {
    guard let store, let items = try? store.read().items else { return [] }
    // Without a record that can be read, numbers are places.
    let listing = (try? store.listing()) ?? nil
    let count = listing?.count ?? items.count
    let dash = typed.lastIndex(of: "-").map { typed.index(after: $0) }
    let start = dash.map { String(typed[..<$0]) } ?? ""
    let digits = typed.dropFirst(start.count)
    let first = Int(start.dropLast()) ?? 0
    guard dash == nil || first > 0 else { return [] }
    let numbers = (1...max(count, 1)).lazy
      .filter { $0 <= count && $0 > first && String($0).hasPrefix(digits) }
      .prefix(Self.maximumNumbers)
    let titles = titles(Array(numbers), listing, items)
    return numbers.map { CompletionCandidate(start + String($0), titles[$0] ?? "") }
  }

  /// Titles by number, of those that are found in their places or among the newest stories.
  private func titles(
    _ numbers: [Int],
    _ listing: ListingTable?,
    _ items: ItemTable,
  ) -> [Int: String] {
    var titles: [Int: String] = [:]
    guard let listing else {
      for number in numbers { titles[number] = title(items, number - 1) }
      return titles
    }
    var wanted: [String: Int] = [:]
    for number in numbers {
      guard let story = try? listing.story(number) else { continue }
      if story.place < items.count, (try? items.id(at: story.place)) == story.id {
        titles[number] = title(items, story.place)
      } else {
        wanted[story.id] = number
      }
    }
    for place in 0..<min(items.count, Self.maximumStories) where !wanted.isEmpty {
      guard let id = try? items.id(at: place), let number = wanted.removeValue(forKey: id) else {
        continue
      }
      titles[number] = title(items, place)
    }
    return titles
  }

  private func title(_ items: ItemTable, _ place: Int) -> String? {
    guard let story = try? items.story(at: place), let title = try? story.string(.title) ?? ""
    else {
      return nil
    }
    return StoryTitle.text(title, summary: (try? story.string(.summary)) ?? nil)
  }
}
