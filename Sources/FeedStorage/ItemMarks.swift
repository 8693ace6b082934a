/// What a reader did with a story, as far as it is to be changed; nil leaves a mark as it is.
package struct ItemMarks: Hashable, Sendable {
  package var isRead: Bool?
  package var isStarred: Bool?

  package init(isRead: Bool? = nil, isStarred: Bool? = nil) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}
