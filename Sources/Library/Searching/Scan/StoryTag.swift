/// A tag of feeds or stories that is asked for; `news` means `news/world`, too.
package struct StoryTag: Hashable, Sendable {
  package let name: String
  private let folded: [UInt32]

  package init(name: String) {
    self.name = name
    folded = TextFolding.fold(name)
  }

  /// Fails for a word that is not `tag:NAME`.
  package init?(_ word: String) {
    guard word.hasPrefix("tag:") else { return nil }
    self.init(name: String(word.dropFirst(4)))
  }

  package func isAmong(_ tags: [String]) -> Bool {
    tags.contains { tag in
      let tag = TextFolding.fold(tag)
      return tag.starts(with: folded) && (tag.count == folded.count || tag[folded.count] == 0x2f)
    }
  }
}
