internal import FeedModel
internal import HTMLText

/// The texts of one story, folded when they are first searched, the cheapest to read first.
struct StoryTexts: ~Copyable {
  private let places: [SearchPlace]
  private var folded = FoldedText()
  /// The folded link or note, which are no part of `folded`; the last one that was searched.
  private var apart = FoldedText()
  private var placeApart: SearchPlace?
  private var ends: [Int] = []
  private var length: Int?
  /// True if no whole text is left to be added.
  private(set) var isWhole = true
  private(set) var whole: StoryText?

  init(places: [SearchPlace]) {
    self.places = places
  }

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

  mutating func bytes(
    _ place: SearchPlace,
    of story: some StoryFacts,
  ) throws -> UnsafeBufferPointer<UInt8> {
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

  private mutating func fold(_ story: some StoryFacts) throws {
    for place in places {
      try story.append(place, to: &folded)
      ends.append(folded.count)
    }
    foldWhole()
  }

  /// Returns the characters of the whole text, or of the summary where there is none; nil before
  /// the whole text was read.
  mutating func length(of story: some StoryFacts) throws -> Int? {
    guard isWhole else { return nil }
    if length == nil {
      let summary = whole == nil ? try story.summary() : nil
      length = (whole?.line ?? summary ?? "").unicodeScalars.count
    }
    return length
  }
}
