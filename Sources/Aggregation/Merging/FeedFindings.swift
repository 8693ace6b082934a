/// What a merge found out about one feed: what the decision on its outcome needs.
package struct FeedFindings: Hashable, Sendable {
  /// The title of the document's newest story; nil for a document without stories.
  ///
  /// That is the one with the greatest date (one in the future counts as of when it was stored);
  /// without dates, the first.
  package var newestTitle: String?
  /// Whether nothing that is stored of the feed is newer than the document's newest story.
  ///
  /// A part of a document may lack the newest.
  package var newestIsOnTop = true
  /// Whether stories of the feed were stored before.
  package var hadStories = false
  /// Stories of the document that were stored before, in this feed.
  package var recognised = 0
  /// Whether one of them was the feed's before redirects led elsewhere (`FeedDelivery.oldBefore`).
  package var hasOldStory = false
  /// Those of them whose content has changed.
  package var updated = 0
  /// Stories that were added to the data file.
  package var stored = 0
  /// Those of them that are not older than all that was stored of the feed, nor dropped before.
  ///
  /// Positions in `ItemMerge.insertions`.
  package var newer: [Int] = []
  /// Hashes of stories that were dropped from the feed, to be kept until the next merge.
  package var dropped: [UInt64] = []
  /// Hashes of stories that the reader cleared for good, to be kept until the next merge.
  package var cleared: [UInt64] = []

  package init() {}

  /// Whether a feed that is known delivered nothing that is.
  package var isAllNew: Bool {
    hadStories && recognised == 0 && stored > 1
  }
}
