package import FeedModel
package import FeedStorage
internal import HTMLText

/// The characters of a page's article and of the feed's text, of which the longer one is shown.
package struct ArticleLength {
  package let article: Int
  package let feedText: Int

  package var isShorter: Bool { article < feedText }

  /// Counts the summary in place of a feed's text that is lost or unreadable, since that is shown
  /// then.
  package init(_ article: StoryText, beside story: StoredItem, in store: LibraryStore) {
    self.article = Self.length(article.line)
    let own = (try? store.feedText(of: story)).flatMap(\.self)
    feedText = Self.length(own?.line ?? story.item.summary ?? "")
  }

  private static func length(_ line: String) -> Int { line.unicodeScalars.count }
}
