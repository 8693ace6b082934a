import Aggregation
import FeedModel
import FeedStorage

/// Prints stories as a list: for a terminal, for a program, in the user's own form, or as JSON.
struct StoryListing {
  let context: CommandContext
  let library: Library
  let query: StoryQuery
  let template: StoryTemplate?
  let dates: StoryDates
  private let names: FeedName

  init(
    _ library: Library,
    _ query: StoryQuery,
    _ dates: StoryDates,
    _ template: StoryTemplate? = nil,
    _ context: CommandContext,
  ) {
    self.context = context
    self.library = library
    self.query = query
    self.template = template
    self.dates = dates
    names = FeedName(library.subscriptions)
  }

  /// Prints the stories at places in the data file, numbered from 1.
  ///
  /// `record` is given their ids, in the order of their numbers, as soon as a reader can have seen
  /// these: a pager shows them long before it ends.
  func print(_ positions: [Int], record: ([String]) -> Void) throws(CommandError) {
    if context.isOnTerminal, !context.isJSON {
      return try reading { try printPage(positions, record) }
    }
    let ids = try reading { try context.isJSON ? printJSON(positions) : printLines(positions) }
    context.output.flush()
    record(ids)
  }

  private func printJSON(_ positions: [Int]) throws(StorageError) -> [String] {
    var array = JSONArrayPrinter(context.output)
    var ids: [String] = []
    for (index, position) in positions.enumerated() where !context.output.hasFailed {
      let story = try library.items.item(at: position)
      array.print(.object(StoryJSON.fields, NamedStory(number: index + 1, story: story)))
      ids.append(story.id)
    }
    array.finish()
    return ids
  }

  private func printLines(_ positions: [Int]) throws(StorageError) -> [String] {
    var ids: [String] = []
    for (index, position) in positions.enumerated() where !context.output.hasFailed {
      let stored = try library.items.line(at: position)
      context.output.print(try line(index + 1, position, stored))
      ids.append(stored.id)
    }
    return ids
  }

  private func line(
    _ number: Int,
    _ position: Int,
    _ stored: StoredLine,
  ) throws(StorageError) -> String {
    guard let template else {
      let story = story(number, stored, stored.title)
      return TabSeparated.line([
        String(number), story.title, dates.text(story, usually: .published), story.feed, story.link,
      ]) + "\n"
    }
    return template.text(
      TemplateStory(
        number: number,
        story: try library.items.item(at: position),
        feed: feedName(stored.feeds),
        dates: dates,
      )
    )
  }

  private func printPage(_ positions: [Int], _ record: ([String]) -> Void) throws(StorageError) {
    if positions.isEmpty { sayNothing() }
    let ids = try positions.map { position throws(StorageError) in
      try library.items.id(at: position)
    }
    let text =
      template == nil
      ? try table(positions)
      : try positions.enumerated().map { index, position throws(StorageError) in
        try line(index + 1, position, library.items.line(at: position))
      }
    Pager(context).print(text) { record(ids) }
  }

  private func table(_ positions: [Int]) throws(StorageError) -> [String] {
    let stories = try positions.enumerated().map { index, position throws(StorageError) in
      let stored = try library.items.line(at: position)
      return story(index + 1, stored, try shownTitle(stored.title, position))
    }
    var style = context.style
    // `less` shows such places as their letters.
    if Pager(context).takes(lines: positions.count) { style.hasColumns = false }
    let hasFeeds =
      query.feeds?.count != 1 && (library.subscriptions.count > 1 || areMixed(stories))
    let table = ListTable(
      stories,
      columns: context.columns,
      feeds: hasFeeds ? names : nil,
      style: style,
      dates: dates,
    )
    return stories.map { table.line($0) + "\n" }
  }

  private func areMixed(_ stories: [ListedStory]) -> Bool {
    stories.contains { $0.feed != stories.first?.feed }
  }

  private func feedName(_ feeds: [String]) -> String {
    names.name(ofFirst: query.feeds.map { chosen in feeds.filter(chosen.contains) } ?? feeds)
  }

  private func story(_ number: Int, _ stored: StoredLine, _ title: String) -> ListedStory {
    ListedStory(
      number: number,
      title: SafeText.line(title),
      link: stored.link,
      pubDate: stored.pubDate,
      feed: feedName(stored.feeds),
      instant: StoryTime.instant(date: stored.date, stored: stored.stored, now: dates.now)?
        .wholeSeconds,
      isRead: stored.marks.isRead == true,
      isStarred: stored.marks.isStarred == true,
    )
  }

  private func shownTitle(_ title: String, _ position: Int) throws(StorageError) -> String {
    let summary = title.isEmpty ? try library.items.story(at: position).string(.summary) : nil
    return StoryTitle.text(title, summary: summary)
  }

  private func sayNothing() {
    if library.items.count > 0 {
      // Without a filter somebody has asked for none.
      if !query.takesAll { context.say("no story matches") }
    } else if library.subscriptions.isEmpty {
      context.say("nothing here yet: subscribe to a feed with `news subscribe URL`")
    } else {
      context.say("no stories yet: `news refresh` asks the feeds")
    }
  }
}
