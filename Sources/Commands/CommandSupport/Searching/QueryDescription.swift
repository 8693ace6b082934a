package import FeedStorage
package import Searching

package struct QueryDescription {
  private let dates: RelativeDate
  private let names: FeedName

  package init(_ context: CommandContext, _ library: Library) {
    dates = RelativeDate(clock: context.clock)
    names = FeedName(library)
  }

  /// Returns `stories that are unread, and have “camera”; sorted by date, newest first`.
  package func text(_ query: StoryQuery, isReversed: Bool = false) -> String {
    let which = parts(query)
    var text = which.isEmpty ? "all stories" : "stories that " + which.joined(separator: ", and ")
    text += "; " + (query.sort ?? SearchSort(.date)).words + (isReversed ? ", turned round" : "")
    return looksEverywhere(query)
      ? text + "; words are looked for in title, author, categories and text" : text
  }

  private func parts(_ query: StoryQuery) -> [String] {
    let parts = [
      query.isUnread ? "are unread" : nil, query.isStarred ? "are starred" : nil,
      query.feeds.map { sources(query, $0) },
      query.since.map { "are as new as \(dates.exactText($0))" },
      query.until.map { "are as old as \(dates.exactText($0))" },
      query.search.condition == .always ? nil : query.search.words(dates.clock),
    ]
    return parts.compactMap(\.self)
  }

  private func sources(_ query: StoryQuery, _ feeds: Set<String>) -> String {
    let tagged = query.tags.map {
      "have the tag “\(SafeText.line($0.name))” or are of feeds with it"
    }
    let found = query.searches.map { "(\(parts($0).joined(separator: ", and ")))" }
    let titles = query.tags.isEmpty ? feeds.map { names.name(of: $0) }.sorted() : []
    let named = titles.isEmpty ? [] : ["are of " + titles.joined(separator: ", ")]
    let all = named + tagged + found
    return all.isEmpty ? "are of no feed" : all.joined(separator: ", or ")
  }

  private func looksEverywhere(_ query: StoryQuery) -> Bool {
    query.searches.contains(where: looksEverywhere)
      || query.search.condition.terms.contains { term in
        if case .text(.anywhere, _) = term { true } else { false }
      }
  }
}
