package import FeedModel
package import FeedStorage
internal import HTMLText

/// The characters of a page's article beside those of the feed's text: the longer one is shown.
package struct ArticleLength {
  package let article: Int
  package let feedText: Int

  package var isShorter: Bool { article < feedText }

  /// A feed's text that is lost or cannot be read counts as its summary, as it is shown.
  package init(_ article: StoryText, beside story: StoredItem, in store: LibraryStore) {
    self.article = Self.length(article.line)
    let own = (try? store.feedText(of: story)).flatMap(\.self)
    feedText = Self.length(own?.line ?? story.item.summary ?? "")
  }

  private static func length(_ line: String) -> Int { line.unicodeScalars.count }
}
