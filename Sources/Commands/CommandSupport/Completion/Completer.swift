package import CommandLine
import FeedModel
package import FeedStorage
import HTMLText
import Searching

/// Completes a command line with words of the program, and feeds, tags and stories of a home.
///
/// A home that cannot be read has no names: a shell is no place for errors.
package struct Completer {
  let commands: CommandList
  let point: CompletionPoint
  let store: LibraryStore?
  /// False where stories have no numbers.
  package var numbersStories = true

  /// The limits of numbers, and of stories searched for titles and for tags: a key was pressed, and
  /// somebody waits.
  private static let maximumNumbers = 100
  private static let maximumStories = 5_000
  private static let maximumTagged = 100_000

  package init(commands: CommandList, point: CompletionPoint, store: LibraryStore?) {
    (self.commands, self.point, self.store) = (commands, point, store)
  }

  package func answer() -> CompletionAnswer {
    switch point.subject {
    case .command: .words(starting(commandNames))
    case .option: .words(starting(options))
    case .operand(let alternatives): answer(alternatives, isOperand: true)
    case .value(let alternatives, _): answer(alternatives, isOperand: false)
    }
  }

  private func answer(_ alternatives: [String], isOperand: Bool) -> CompletionAnswer {
    var words: [CompletionCandidate] = []
    for alternative in alternatives {
      switch alternative {
      case "FILE": return .files
      case "DIR": if words.isEmpty { return .folders }
      case "FEED":
        words += matching(
          feeds() + tagged(isOperand ? feedTags : allTags) + (isOperand ? [] : searches())
        )
      case "TAG": words += starting(tags(allTags))
      case "COMMAND": words += starting(commandNames)
      case "GROUP":
        words += starting(
          commands.groups.map { CompletionCandidate($0.name, $0.title.lowercased()) }
        )
      case "N" where isOperand && numbersStories: words += numbers()
      case "NAME" where isOperand: words += starting(rules().map { CompletionCandidate($0) })
      case "CHANGE" where isOperand: words += starting(changes())
      case "REMOTE" where isOperand: words += starting(remotes().map { CompletionCandidate($0) })
      case "SEARCH": words += searched()
      case "ACTION": words += starting(["read", "star", "drop"].map { CompletionCandidate($0) })
      case _ where alternative.first?.isLowercase == true:
        words += starting([CompletionCandidate(alternative)])
      default: break
      }
    }
    return .words(words)
  }

  private func starting(_ candidates: [CompletionCandidate]) -> [CompletionCandidate] {
    candidates.filter { $0.text.hasPrefix(point.typed) }
  }

  /// Returns those that begin as typed, in any case; else the only one that contains it.
  private func matching(_ candidates: [CompletionCandidate]) -> [CompletionCandidate] {
    let typed = point.typed.lowercased()
    let beginning = candidates.filter { $0.text.lowercased().hasPrefix(typed) }
    guard beginning.isEmpty else { return beginning }
    let containing = candidates.filter { $0.text.lowercased().contains(typed) }
    return containing.count == 1 ? containing : []
  }

  // MARK: The program's own words

  private var commandNames: [CompletionCandidate] {
    commands.all.map { CompletionCandidate($0.name, $0.summary) }
  }

  private var options: [CompletionCandidate] {
    let options = (point.command?.options ?? []) + CommandOption.global
    return options.map { CompletionCandidate($0.spelling, $0.help) }
  }

  // MARK: Feeds and tags

  private var subscriptions: [Subscription] {
    (try? store?.read().subscriptions) ?? []
  }

  /// Returns titles; URLs where one has begun, or where several feeds share a title.
  private func feeds() -> [CompletionCandidate] {
    let subscriptions = subscriptions
    let uses = Dictionary(grouping: subscriptions, by: FeedName.printable)
    let isURL =
      point.typed.contains(":/") || ["http", "file", "/", "~", "."].contains(point.typed)
    return subscriptions.map { subscription in
      let title = FeedName.printable(subscription)
      let url = WebURL.printable(subscription.url)
      let isTitle = !isURL && uses[title]?.count == 1 && !title.hasPrefix("-")
      return isTitle ? CompletionCandidate(title, url) : CompletionCandidate(url, title)
    }
  }

  /// Returns `tag:NAME` for each tag, once as much is typed as tells it from a title.
  private func tagged(_ names: @autoclosure () -> [String]) -> [CompletionCandidate] {
    let typed = point.typed
    guard !typed.isEmpty, typed.hasPrefix("tag:") || "tag:".hasPrefix(typed) else { return [] }
    return tags(names()).map { CompletionCandidate("tag:" + $0.text, "what has this tag") }
  }

  private func searches() -> [CompletionCandidate] {
    let typed = point.typed
    guard !typed.isEmpty, typed.hasPrefix("search:") || "search:".hasPrefix(typed) else {
      return []
    }
    return rules().map { CompletionCandidate("search:" + $0, "the stories that this finds") }
  }

  /// Returns the names of fields, or values of the one whose colon was typed.
  private func searched() -> [CompletionCandidate] {
    let words = SearchWord(point.typed)
    let known: [CompletionCandidate]
    switch words.field {
    case .feed:
      known = feeds().map { .init(SearchTerm.feed($0.text).text.dropFirst(5), $0.meaning) }
    case .tag:
      known = tags(allTags).map { .init(SearchTerm.tag($0.text).text.dropFirst(4), $0.meaning) }
    case let field?: known = (field.values ?? []).map { CompletionCandidate($0) }
    case nil:
      known = SearchField.allCases.map { CompletionCandidate("\($0.rawValue):", $0.meaning) }
    }
    let value = words.value.drop { $0 == "\"" }.lowercased()
    return known.filter { $0.text.drop { $0 == "\"" }.lowercased().hasPrefix(value) }
      .map { CompletionCandidate(words.before + $0.text, $0.meaning) }
  }

  private func remotes() -> [String] { (try? store?.syncRemotes().map(\.name)) ?? [] }

  /// The changes that hold, the latest first.
  private func changes() -> [CompletionCandidate] {
    let changes = (try? store?.history().changes) ?? []
    return changes.reversed().filter { !$0.origin.isBack }.map {
      CompletionCandidate("\($0.change)", $0.origin.command)
    }
  }

  private func rules() -> [String] {
    let names = (try? store?.rules().map { SafeText.line($0.name) }) ?? []
    return names.filter { !$0.isEmpty && !$0.hasPrefix("-") }
  }

  /// Returns each tag once, however its letters are written.
  private func tags(_ names: [String]) -> [CompletionCandidate] {
    names.map { SafeText.line($0) }.filter { !$0.isEmpty && !$0.hasPrefix("-") }
      .distinct { TextFolding.fold($0) }.sorted().map { CompletionCandidate($0) }
  }

  private var feedTags: [String] { subscriptions.flatMap(\.tags) }

  private var allTags: [String] {
    guard let library = try? store?.read() else { return [] }
    var tags: Set<String> = []
    let newest = 0..<min(library.items.count, Self.maximumTagged)
    try? library.items.forEachStory(at: newest) { _, story in
      tags.formUnion(try story.strings(.tags))
    }
    return library.subscriptions.flatMap(\.tags) + tags.sorted()
  }

  // MARK: Stories

  /// Returns the numbers of the last list, or positions of the newest stories; also to end a range.
  private func numbers() -> [CompletionCandidate] {
    guard let store, let items = try? store.read().items else { return [] }
    // Without a record that can be read, numbers are positions.
    let listing = (try? store.listing()) ?? nil
    let count = listing?.count ?? items.count
    let dash = point.typed.lastIndex(of: "-").map { point.typed.index(after: $0) }
    let start = dash.map { String(point.typed[..<$0]) } ?? ""
    let digits = point.typed.dropFirst(start.count)
    let first = Int(start.dropLast()) ?? 0
    guard dash == nil || first > 0 else { return [] }
    let numbers = (1...max(count, 1)).lazy
      .filter { $0 <= count && $0 > first && String($0).hasPrefix(digits) }
      .prefix(Self.maximumNumbers)
    let titles = titles(Array(numbers), listing, items)
    return numbers.map { CompletionCandidate(start + String($0), titles[$0] ?? "") }
  }

  private func titles(
    _ numbers: [Int],
    _ listing: ListingTable?,
    _ items: ItemTable,
  ) -> [Int: String] {
    var titles: [Int: String] = [:]
    guard let listing else {
      for number in numbers { titles[number] = title(items, number - 1) }
      return titles
    }
    var wanted: [String: Int] = [:]
    for number in numbers {
      guard let story = try? listing.story(number) else { continue }
      if story.position < items.count, (try? items.id(at: story.position)) == story.id {
        titles[number] = title(items, story.position)
      } else {
        wanted[story.id] = number
      }
    }
    for position in 0..<min(items.count, Self.maximumStories) where !wanted.isEmpty {
      guard let id = try? items.id(at: position), let number = wanted.removeValue(forKey: id) else {
        continue
      }
      titles[number] = title(items, position)
    }
    return titles
  }

  private func title(_ items: ItemTable, _ position: Int) -> String? {
    guard let story = try? items.story(at: position), let title = try? story.string(.title) ?? ""
    else { return nil }
    return StoryTitle.text(title, summary: (try? story.string(.summary)) ?? nil)
  }
}

private struct SearchWord {
  let before: String
  let field: SearchField?
  let value: Substring

  init(_ typed: String) {
    // Within quotation marks a blank ends no word.
    let isQuoted = !typed.count(where: { $0 == "\"" }).isMultiple(of: 2)
    let ended = isQuoted ? typed[..<(typed.lastIndex(of: "\"") ?? typed.endIndex)] : typed[...]
    let start =
      ended.lastIndex { $0.isWhitespace || $0 == "(" }.map { typed.index(after: $0) }
      ?? typed.startIndex
    let minus = typed[start...].first == "-" ? typed.index(after: start) : start
    let word = typed[minus...]
    let colon = word.firstIndex(of: ":")
    field = colon.flatMap { SearchField(rawValue: word[..<$0].lowercased()) }
    let place = field == nil ? minus : colon.map { typed.index(after: $0) } ?? minus
    (before, value) = (String(typed[..<place]), typed[place...])
  }
}

package enum CompletionAnswer: Hashable, Sendable {
  case words([CompletionCandidate])
  case files
  case folders
}

package struct CompletionCandidate: Hashable, Sendable {
  /// One safe line, without any quoting.
  package let text: String
  package let meaning: String

  init(_ text: some StringProtocol, _ meaning: String = "") {
    self.text = String(text)
    self.meaning = meaning
  }
}
