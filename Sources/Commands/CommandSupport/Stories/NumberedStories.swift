import CommandLine
package import FeedModel
package import FeedStorage

package struct NamedStory: Hashable, Sendable {
  package let number: Int?
  package var story: StoredItem
  /// The ids of the other stories of its row.
  let similar: [String]

  package init(number: Int?, story: StoredItem, similar: [String] = []) {
    (self.number, self.story, self.similar) = (number, story, similar)
  }

  /// The name in messages: `story 3`, else `“Its title”`, else its id.
  package var name: String {
    if let number { return "story \(number)" }
    let title = SafeText.prefix(SafeText.line(story.item.title), maximumCharacters: 60)
    return title.isEmpty ? "story \(story.id)" : "“\(title)”"
  }
}

package struct NumberedStories {
  private let context: CommandContext
  private let library: Library
  /// The numbers of the last list; nil without a record, where a number is a position from 1.
  private let listing: ListingTable?

  package init(_ context: CommandContext, _ library: Library, in store: LibraryStore) throws {
    self.context = context
    self.library = library
    do { listing = try store.listing() } catch {
      throw Failure("\(error); `news list` numbers the stories again")
    }
  }

  package typealias Match = (number: Int?, position: Int)

  /// Returns the stories in the order of the operands, each once.
  ///
  /// The first `count` operands, and those from `end` on, name no stories.
  package func stories(behind count: Int = 0, before end: Int = .max) throws -> [NamedStory] {
    let matches = try matches(behind: count, before: end)
    return try matches.map {
      NamedStory(number: $0.number, story: try library.items.item(at: $0.position))
    }
  }

  package func matches(behind count: Int = 0, before end: Int = .max) throws -> [Match] {
    var found: [Match] = []
    var seen: Set<Int> = []
    let operands = try operands(context.arguments.operands.prefix(end).dropFirst(count))
    let ids = try positions(of: operands)
    for operand in operands {
      for match in try matches(operand, ids) where seen.insert(match.position).inserted {
        found.append(match)
      }
    }
    return found
  }

  private func operands(_ typed: ArraySlice<String>) throws -> [StoryOperand] {
    let words = try context.replacingInput(in: typed, by: Self.words)
    return try words.flatMap(Self.parts).map { word in
      if let operand = StoryOperand(word) { return operand }
      throw context.usage(
        "\(Spelling.quoted(word)) is neither a number (3), nor a range (3-7), nor a story's id"
      )
    }
  }

  /// Returns the numbers and ids of a line; in one that `news list` printed they end at the first
  /// tab.
  private static func words(of line: Substring) -> [String] {
    line.prefix { $0 != "\t" }.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private func positions(of operands: [StoryOperand]) throws -> [String: Int] {
    let ids = operands.compactMap { if case .id(let id) = $0 { id } else { nil } }
    var positions: [String: Int] = [:]
    for position in try library.items.positions(of: ItemIDs(ids)) {
      positions[try library.items.id(at: position)] = position
    }
    return positions
  }

  fileprivate static func parts(of word: String) -> [String] {
    word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private func matches(_ operand: StoryOperand, _ ids: [String: Int]) throws -> [Match] {
    switch operand {
    case .id(let id):
      guard let position = ids[id] else {
        throw Failure("no story with id \(id) (`news list --json` has the ids)")
      }
      return [(nil, position)]
    case .numbers(let range):
      guard range.upperBound <= count else { throw outOfRange(range.upperBound) }
      return try range.map { number in (number, try position(of: number)) }
    }
  }

  private var count: Int {
    listing?.count ?? library.items.count
  }

  private func outOfRange(_ number: Int) -> Failure {
    let match =
      switch (listing, count) {
      case (nil, 0): "nothing is stored yet (`news refresh` brings stories)"
      case (nil, _): "\(Count.of(count, "story is", "stories are")) stored"
      case (.some, 0): "the last list showed none"
      case (.some, _): "the last list showed \(Count.stories(count))"
      }
    return Failure("there is no story \(number): \(match)")
  }

  private func position(of number: Int) throws -> Int {
    guard let listing else { return number - 1 }
    let story = try listing.story(number)
    let found = try library.items.index(ofID: story.id, near: story.position)
    guard let position = found else {
      throw Failure(
        "story \(number) of the last list is no longer stored; number them anew: news list"
      )
    }
    return position
  }
}

package enum StoryOperand: Hashable, Sendable {
  case numbers(ClosedRange<Int>)
  case id(String)

  package static func isList(_ word: String) -> Bool {
    word == "-" || NumberedStories.parts(of: word).allSatisfy { StoryOperand($0) != nil }
  }

  package init?(_ word: String) {
    if Self.isID(word) {
      self = .id(word)
      return
    }
    let parts = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first.flatMap(Self.number), let last = parts.last.flatMap(Self.number),
      first <= last
    else { return nil }
    self = .numbers(first...last)
  }

  /// Sixteen lower-case hexadecimal digits: no number of that length was ever shown.
  private static func isID(_ word: String) -> Bool {
    word.utf8.count == 16
      && word.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    guard let value = Int(text), value > 0 else { return nil }
    return value
  }
}

/// The record of the numbers of the last list.
///
/// A list can be read where nothing can be written, so a failure is reported, and the command
/// succeeds.
extension CommandContext {
  package func record(_ numbers: ListNumbers, seen: Date? = nil, in store: LibraryStore) {
    do { try numbers.save(in: store, seen: seen, of: session) } catch { complainOfListing(error) }
  }

  /// Makes numbers mean positions in the data file from now on.
  package func forgetListing(in store: LibraryStore) {
    do { try store.forgetListing() } catch { complainOfListing(error) }
  }

  private func complainOfListing(_ error: any Error) {
    complain("could not save the numbers of this list: \(error)")
  }
}
