internal import FeedModel
internal import FeedStorage
internal import HTMLText
internal import System

/// The texts of the story at hand, folded when somebody looks into them, in the order in which they
/// are cheap to read.
struct StoryTexts: ~Copyable {
  private let places: [SearchPlace]
  private var folded = FoldedText()
  /// Of what is no text of a story's own: that which was looked in last.
  private var apart = FoldedText()
  private var placeApart: SearchPlace?
  /// Where those of each place end.
  private var ends: [Int] = []
  private var length: Int?
  /// Whether nothing is left to be looked in.
  private(set) var isWhole = true
  private(set) var whole: StoryText?

  init(places: [SearchPlace]) {
    self.places = places
  }

  /// Begins with another story; `isWhole` says whether there is no whole text to be looked in.
  mutating func begin(isWhole: Bool) {
    self.isWhole = isWhole
    folded.removeAll()
    placeApart = nil
    ends.removeAll(keepingCapacity: true)
    (whole, length) = (nil, nil)
  }

  mutating func add(whole text: StoryText?) {
    (whole, isWhole) = (text, true)
    if !ends.isEmpty { foldWhole() }
  }

  private mutating func foldWhole() {
    guard let whole, places.last == .text else { return }
    folded.append(whole.line)
    ends[ends.count - 1] = folded.count
  }

  /// The folded texts of a place.
  mutating func bytes(
    _ place: SearchPlace,
    of story: some StoryFacts,
  ) throws(StorageError) -> UnsafeBufferPointer<UInt8> {
    if place == .link || place == .note {
      if placeApart != place {
        apart.removeAll()
        try story.append(place, to: &apart)
        placeApart = place
      }
      return apart.bytes
    }
    if ends.isEmpty { try fold(story) }
    guard place != .anywhere, let index = places.firstIndex(of: place) else { return folded.bytes }
    return folded.bytes((index == 0 ? 0 : ends[index - 1])..<ends[index])
  }

  private mutating func fold(_ story: some StoryFacts) throws(StorageError) {
    for place in places {
      try story.append(place, to: &folded)
      ends.append(folded.count)
    }
    foldWhole()
  }

  /// Characters of the whole text, or of the summary where there is none; nil before it was read.
  mutating func length(of story: some StoryFacts) throws(StorageError) -> Int? {
    guard isWhole else { return nil }
    if length == nil {
      let summary = whole == nil ? try story.summary() : nil
      length = (whole?.line ?? summary ?? "").unicodeScalars.count
    }
    return length
  }
}
