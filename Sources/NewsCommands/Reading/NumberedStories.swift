import FeedModel
import FeedStorage

/// Finds the stories that numbers and ids name.
struct NumberedStories {
  let library: Library
  /// What the last list numbered; nil when there is no record, and N is a position from 1.
  let listing: ListingTable?

  /// A story that was named.
  struct Found: Hashable, Sendable {
    /// The number it was named by; nil for an id.
    let number: Int?
    /// Its position in the data file.
    let position: Int
  }

  /// The stories that the operands name, in their order, none twice.
  func find(_ words: [String], command: String) throws(CommandError) -> [Found] {
    var found: [Found] = []
    var seen: Set<Int> = []
    for word in words {
      guard let selection = StoryNumbers.read(word) else {
        throw .usage(
          "\(Spelling.quoted(word)) is neither a number (3), nor a range (3-7), nor a story's id",
          command: command,
        )
      }
      for story in try find(selection) where seen.insert(story.position).inserted {
        found.append(story)
      }
    }
    return found
  }

  private func find(_ selection: StoryNumbers.Selection) throws(CommandError) -> [Found] {
    switch selection {
    case .id(let id):
      guard let position = try position(ofID: id) else {
        throw .failed("no story has the id \(id)")
      }
      return [Found(number: nil, position: position)]
    case .numbers(let range):
      guard range.upperBound <= count else { throw outOfRange(range.upperBound) }
      return try positions(range)
    }
  }

  /// How many numbers there are.
  private var count: Int {
    listing?.count ?? library.items.count
  }

  private func outOfRange(_ number: Int) -> CommandError {
    let place =
      switch (listing, count) {
      case (nil, 0): "nothing is stored yet (`news refresh` brings stories)"
      case (nil, _): "\(Count.of(count, "story is", "stories are")) stored"
      case (.some, 0): "the last list showed none"
      case (.some, _): "the last list showed \(Count.of(count, "story", "stories"))"
      }
    return .failed("there is no story \(number): \(place)")
  }

  private func positions(_ range: ClosedRange<Int>) throws(CommandError) -> [Found] {
    guard let listing else { return range.map { Found(number: $0, position: $0 - 1) } }
    var found: [Found] = []
    for number in range {
      let story: (id: String, place: Int)
      do { story = try listing.story(number) } catch { throw .failed("\(error)") }
      guard let position = try position(ofID: story.id, near: story.place) else {
        throw .failed("story \(number) of the last list is no longer stored")
      }
      found.append(Found(number: number, position: position))
    }
    return found
  }

  private func position(ofID id: String, near place: Int = 0) throws(CommandError) -> Int? {
    do { return try library.items.index(ofID: id, near: place) } catch {
      throw .failed("\(error)")
    }
  }
}
