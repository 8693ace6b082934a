import CommandLine
import FeedLibrary
import FeedModel
package import FeedStorage
import HTMLText
package import Searching

package struct StoryListing {
  let context: CommandContext
  let library: Library
  let query: StoryQuery
  let template: StoryTemplate?
  let dates: StoryDates
  let similar: SimilarStories?
  private let showsEnclosures: Bool
  private let names: FeedName
  private let removal: TrackerRemoval
  private let texts: StoryTextIndex?

  package init(
    _ library: Library,
    _ query: StoryQuery,
    _ dates: StoryDates,
    _ template: StoryTemplate? = nil,
    _ context: CommandContext,
    similar: SimilarStories? = nil,
  ) {
    self.context = context
    self.similar = similar
    self.library = library
    self.query = query
    showsEnclosures = query.asksForEnclosures
    self.template = template
    self.dates = dates
    names = FeedName(library)
    removal = TrackerRemoval(library.subscriptions)
    texts = template?.texts(context)
  }

  /// Prints the stories at positions in the data file, numbered.
  ///
  /// `record` gets the numbers as soon as a reader can have seen them: a pager shows them long
  /// before it ends.
  package func print(_ positions: [Int], record: (ListNumbers) -> Void) throws {
    var numbers = ListNumbers(context)
    if context.isOnTerminal, !context.isJSON, !isCSV {
      return try printPage(positions, &numbers, record)
    }
    if context.isJSON {
      try printJSON(positions, &numbers)
    } else if isCSV {
      try printCSV(positions, &numbers)
    } else {
      try printLines(positions, &numbers)
    }
    context.output.flush()
    record(numbers)
  }

  private func printJSON(_ positions: [Int], _ numbers: inout ListNumbers) throws {
    var array = JSONArrayPrinter(context.output)
    try forEachShown(positions) { position, reader in
      let story = try reader.item()
      let number = numbers.number(of: story.id, at: position)
      let similar = try others(of: position, &numbers).map(\.id)
      let named = NamedStory(number: number, story: story, similar: similar)
      array.print(.object(StoryJSON.listed, shown(named)))
    }
    array.finish()
  }

  private var isCSV: Bool { context.arguments.has(StoryCSV.option.name) }

  private func printCSV(_ positions: [Int], _ numbers: inout ListNumbers) throws {
    context.output.print(CSV.line(StoryCSV.names))
    try forEachShown(positions) { position, reader in
      let story = removal.story(try reader.item())
      let number = numbers.number(of: story.id, at: position)
      let fields = TemplateStory(number: number, story: story, feed: "", dates: dates)
      context.output.print(CSV.line(StoryCSV.fields(of: fields)))
    }
  }

  /// Returns the story as it is printed: without trackers in its links.
  package func shown(_ named: NamedStory) -> NamedStory {
    var shown = named
    shown.story = removal.story(named.story)
    return shown
  }

  private func printLines(_ positions: [Int], _ numbers: inout ListNumbers) throws {
    try forEachShown(positions) { position, reader in
      let stored = try reader.line()
      let number = numbers.number(of: stored.id, at: position)
      let others = try others(of: position, &numbers)
      if let template {
        let named = NamedStory(number: number, story: try reader.item())
        context.output.print(text(named, template, similar: others))
      } else {
        printFields(try story(number, stored, reader, others))
      }
    }
  }

  /// Numbers the other stories of a row, right behind its first one.
  private func others(of position: Int, _ numbers: inout ListNumbers) throws -> [ListedStory] {
    var others: [ListedStory] = []
    guard let positions = similar?.others[position] else { return [] }
    try library.items.forEachStory(at: positions) { position, reader in
      let stored = try reader.line()
      let number = numbers.number(of: stored.id, at: position)
      others.append(try story(number, stored, reader, []))
    }
    return others
  }

  /// Reads stories until nobody reads the output any more.
  ///
  /// PERF: a sequence that another module asks for its next element takes a tenth of a list.
  private func forEachShown(
    _ positions: [Int],
    _ body: (_ position: Int, _ story: inout ItemReader) throws -> Void,
  ) throws {
    guard var reader = ItemReader(library.items) else { return }
    for position in positions {
      guard !context.output.hasFailed else { return }
      try reader.move(to: position)
      try body(position, &reader)
    }
  }

  /// Prints a story for a program; `first` stands before it: a change that is followed, or what a
  /// rule does.
  package func print(_ story: NamedStory, behind first: String) {
    guard let template else { return printFields(self.story(story), behind: first) }
    context.output.print(text(story, template, change: first))
  }

  private func text(
    _ story: NamedStory,
    _ template: StoryTemplate,
    change: String? = nil,
    similar: [ListedStory] = [],
  ) -> String {
    template.text(
      TemplateStory(
        number: story.number,
        story: shown(story).story,
        feed: feedName(story.story.feeds),
        dates: dates,
        change: change,
        similar: similar.compactMap(\.number),
        texts: texts,
      )
    )
  }

  /// Prints one line, or one for each enclosure where the search asks for them.
  private func printFields(_ story: ListedStory, behind first: String? = nil) {
    let date = dates.pipedText(story)
    var fields = [story.numberText, story.title, date, story.feed, story.link]
    if similar != nil {
      fields.append(story.similar.compactMap { $0.number.map(String.init) }.joined(separator: ","))
      fields.append(story.similar.map(\.feed).joined(separator: ", "))
    }
    if let first { fields.insert(first, at: 0) }
    let style = context.style.isColored ? self.style(of: story, from: first == nil ? 0 : 1) : nil
    guard showsEnclosures else { return context.output.printFields(fields, style: style) }
    let files = story.enclosures.map { file in
      let (length, duration) = (file.length ?? 0, file.duration ?? 0)
      return [file.url, file.type ?? ""] + [length, Int64(duration)].map { $0 > 0 ? "\($0)" : "" }
    }
    for file in files.isEmpty ? [["", "", "", ""]] : files {
      context.output.printFields(fields + file, style: style)
    }
  }

  private func style(of story: ListedStory, from first: Int) -> (Int, String) -> String {
    { position, field in
      switch position - first {
      case 0, 2: context.style.dim(field)
      case 1: story.isRead ? field : context.style.bold(field)
      case 3: context.style.cyan(field)
      default: field
      }
    }
  }

  private func printPage(
    _ positions: [Int],
    _ numbers: inout ListNumbers,
    _ record: (ListNumbers) -> Void,
  ) throws {
    if positions.isEmpty { sayNothing() }
    var lines: [String] = []
    var stories: [ListedStory] = []
    try library.items.forEachStory(at: positions) { position, reader in
      let stored = try reader.line()
      let number = numbers.number(of: stored.id, at: position)
      let others = try others(of: position, &numbers)
      if let template {
        let named = NamedStory(number: number, story: try reader.item())
        lines.append(text(named, template, similar: others))
      } else {
        stories.append(try story(number, stored, reader, others))
      }
    }
    Pager(context).print(template == nil ? table(stories) : lines) { record(numbers) }
  }

  package func table(
    _ stories: [ListedStory],
    _ extent: ListTable.Extent = .fitted,
    columns: Int? = nil,
  ) -> [String] {
    // With one feed alone, its name need not stand beside each story.
    let isOfMany = query.feeds?.count != 1 && library.subscriptions.count > 1
    let hasFeeds = isOfMany || areMixed(stories)
    let table = ListTable(
      stories,
      columns: columns ?? context.columns,
      feeds: hasFeeds ? names : nil,
      style: context.style,
      dates: dates,
      extent,
    )
    return stories.map { story in
      ([table.line(story)] + table.similar(story) + table.files(story)).map { $0 + "\n" }.joined()
    }
  }

  private func areMixed(_ stories: [ListedStory]) -> Bool {
    stories.contains { $0.feed != stories.first?.feed }
  }

  private func feedName(_ feeds: [String]) -> String {
    let chosen = query.feeds.map { chosen in feeds.filter(chosen.contains) } ?? feeds
    return names.name(ofFirst: chosen.isEmpty ? feeds : chosen)
  }

  package func story(_ story: NamedStory) -> ListedStory {
    let item = story.story.item
    let enclosures = showsEnclosures ? item.enclosures : []
    let (line, title) = (StoredLine(story.story), StoryTitle.text(item))
    return self.story(story.number, line, title, removal.link(of: story.story), enclosures)
  }

  private func story(
    _ number: Int?,
    _ stored: StoredLine,
    _ reader: borrowing ItemReader,
    _ similar: [ListedStory],
  ) throws -> ListedStory {
    let summary = stored.title.isEmpty ? try reader.string(.summary) : nil
    let title = StoryTitle.text(stored.title, summary: summary)
    let link = try removal.link(stored.link, of: stored.feeds) { try reader.enclosures() }
    let enclosures = showsEnclosures ? try reader.enclosures() : []
    return story(number, stored, title, link, enclosures, similar)
  }

  private func story(
    _ number: Int?,
    _ stored: StoredLine,
    _ title: String,
    _ link: String,
    _ enclosures: [Enclosure],
    _ similar: [ListedStory] = [],
  ) -> ListedStory {
    ListedStory(
      number: number,
      id: stored.id,
      title: removal.text(title, of: stored.feeds),
      link: SafeLink.absolute(link),
      pubDate: stored.pubDate,
      feed: feedName(stored.feeds),
      instant: StoryTime.instant(date: stored.date, stored: stored.stored, now: dates.now)?
        .wholeSeconds,
      isRead: stored.marks.isRead == true && similar.allSatisfy(\.isRead),
      isStarred: stored.marks.isStarred == true || similar.contains(where: \.isStarred),
      hasNote: stored.hasNote || similar.contains(where: \.hasNote),
      enclosures: enclosures.filter { SafeLink.isSafe($0.url) },
      similar: similar,
    )
  }

  package func sayNothing() {
    if library.items.count > 0 {
      // Without a filter the list is empty only by `-n 0`.
      if query.showsAllThatIsNew {
        context.say("nothing new since you last looked")
      } else if !query.takesAll {
        context.say("no story matches")
      }
    } else if library.subscriptions.isEmpty {
      context.say("nothing here yet: subscribe to a feed with `news subscribe URL`")
    } else {
      context.say("no stories yet: `news refresh` asks the feeds")
    }
  }
}
