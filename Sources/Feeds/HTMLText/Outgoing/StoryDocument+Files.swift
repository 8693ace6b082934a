package import FeedModel
internal import System

extension StoryDocument {
  /// Returns the text below the story's picture, audio and video.
  package func withFiles(of item: Item) -> StoryDocument {
    belowPicture(of: item).belowPlayers(of: item)
  }

  /// Returns the text below the picture that the story's feed declares, where the text has no
  /// picture.
  package func belowPicture(of item: Item) -> StoryDocument {
    guard !images.contains(where: { $0.url != nil }),
      let url = item.pictures.first(where: SafeLink.isSafe)
    else { return self }
    let picture = StoryBlock.paragraph([.image(StoryImage(text: "", url: url))])
    return below([.figure([picture], caption: [])])
  }

  /// Returns the text below the story's audio and video, but for those that it plays itself.
  package func belowPlayers(of item: Item) -> StoryDocument {
    let known = Set(blocks.flatMap(\.players).compactMap(\.url))
    let files = item.enclosures.filter { SafeLink.isSafe($0.url) && !known.contains($0.url) }
    return below(files.compactMap { StoryMedia(playing: $0).map(StoryBlock.media) })
  }

  private func below(_ others: [StoryBlock]) -> StoryDocument {
    var document = self
    document.blocks = others + blocks
    return document
  }
}

extension StoryBlock {
  fileprivate var players: [StoryMedia] {
    if case .media(let media) = self { [media] } else { children.flatMap(\.players) }
  }
}

extension StoryMedia {
  /// Makes the player of a file; nil for one that neither sounds nor moves, or does not say so.
  fileprivate init?(playing file: Enclosure) {
    let kind = file.type.flatMap { Kind(rawValue: $0.prefix { $0 != "/" }.lowercased()) }
    guard let kind, kind != .frame else { return nil }
    self.init(kind, type: file.type, url: file.url)
  }
}
