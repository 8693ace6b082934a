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
  private let feeds: ListedFeeds
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
    feeds = ListedFeeds(names, chosen: query.feeds)
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
      let number = numbers.number(of: StoryID(story.id), at: position)
      let similar = try others(of: position, &numbers).map(\.id.text)
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
      let number = numbers.number(of: StoryID(story.id), at: position)
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
      let id = try reader.storyID()
      let number = numbers.number(of: id, at: position)
      let others = try others(of: position, &numbers)
      if let template {
        let named = NamedStory(number: number, story: try reader.item())
        context.output.print(text(named, template, similar: others))
      } else {
        printFields(try story(id, number, reader, others))
      }
    }
  }

  /// Numbers the other stories of a row, right behind its first one.
  private func others(of position: Int, _ numbers: inout ListNumbers) throws -> [ListedStory] {
    var others: [ListedStory] = []
    guard let positions = similar?.others[position] else { return [] }
    try library.items.forEachStory(at: positions) { position, reader in
      let id = try reader.storyID()
      let number = numbers.number(of: id, at: position)
      others.append(try story(id, number, reader, []))
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
        feed: feeds.name(of: story.story.feeds),
        dates: dates,
        change: change,
        similar: similar.compactMap(\.number),
        texts: texts,
      )
    )
  }

  /// Prints one line, or one for each enclosure where the search asks for them.
  private func printFields(_ story: ListedStory, behind first: String? = nil) {
    let style = context.style.isColored ? self.style(of: story, from: first == nil ? 0 : 1) : nil
    guard showsEnclosures else {
      return context.output.printFields(style: style) { append(story, behind: first, to: &$0) }
    }
    let files = story.enclosures.map(Optional.some)
    for file in files.isEmpty ? [nil] : files {
      context.output.printFields(style: style) { line in
        append(story, behind: first, to: &line)
        line.append(file?.url ?? "")
        line.append(file?.type ?? "")
        for number in [file?.length ?? 0, Int64(file?.duration ?? 0)] {
          line.append(number > 0 ? Int(number) : nil)
        }
      }
    }
  }

  private func append(_ story: ListedStory, behind first: String?, to line: inout FieldLine) {
    if let first { line.append(first) }
    line.append(story.number)
    line.append(story.title)
    dates.append(story, to: &line)
    line.append(story.feed)
    line.append(story.link)
    guard similar != nil else { return }
    line.append(story.similar.compactMap { $0.number.map(String.init) }.joined(separator: ","))
    line.append(story.similar.map(\.feed).joined(separator: ", "))
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
      let id = try reader.storyID()
      let number = numbers.number(of: id, at: position)
      let others = try others(of: position, &numbers)
      if let template {
        let named = NamedStory(number: number, story: try reader.item())
        lines.append(text(named, template, similar: others))
      } else {
        stories.append(try story(id, number, reader, others))
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

  package func story(_ named: NamedStory) -> ListedStory {
    let (story, item) = (named.story, named.story.item)
    return ListedStory(
      number: named.number,
      id: StoryID(story.id),
      title: removal.text(StoryTitle.text(item), of: story.feeds),
      link: SafeLink.absolute(removal.link(of: story)),
      pubDate: item.pubDate,
      feed: feeds.name(of: story.feeds),
      instant: instant(item.date, story.stored),
      isRead: story.isRead,
      isStarred: story.isStarred,
      hasNote: story.note != nil,
      enclosures: showsEnclosures ? item.enclosures.filter { SafeLink.isSafe($0.url) } : [],
    )
  }

  /// Reads of a story what its line shows.
  private func story(
    _ id: StoryID,
    _ number: Int?,
    _ reader: borrowing ItemReader,
    _ similar: [ListedStory],
  ) throws -> ListedStory {
    let feeds = try feeds.feeds(of: reader)
    let title = try reader.string(.title) ?? ""
    let summary = title.isEmpty ? try reader.string(.summary) : nil
    let link = try removal.link(try reader.string(.link) ?? "", of: feeds.urls) {
      try reader.enclosures()
    }
    let enclosures = showsEnclosures ? try reader.enclosures() : []
    return ListedStory(
      number: number,
      id: id,
      title: removal.text(StoryTitle.text(title, summary: summary), of: feeds.urls),
      link: SafeLink.absolute(link),
      pubDate: dates.choice == .published ? try reader.string(.pubDate) ?? "" : "",
      feed: feeds.name,
      instant: instant(try reader.date(.date), try reader.date(.stored)),
      isRead: try reader.isRead() && similar.allSatisfy(\.isRead),
      isStarred: try reader.isStarred() || similar.contains(where: \.isStarred),
      hasNote: try reader.has(.note) { _ in true } || similar.contains(where: \.hasNote),
      enclosures: enclosures.filter { SafeLink.isSafe($0.url) },
      similar: similar,
    )
  }

  private func instant(_ date: Date?, _ stored: Date?) -> Int? {
    StoryTime.instant(date: date, stored: stored, now: dates.now)?.wholeSeconds
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
