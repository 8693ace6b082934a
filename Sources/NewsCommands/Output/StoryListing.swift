import FeedModel
import FeedStorage

/// Prints stories as a list: for a terminal, for a program, or as JSON.
struct StoryListing {
  let context: CommandContext
  let library: Library
  let query: StoryQuery

  /// Prints the stories at `positions`, numbered from 1.
  ///
  /// - Returns: their ids, in the order of their numbers.
  func print(_ positions: [Int]) throws(CommandError) -> [String] {
    do throws(StorageError) {
      if context.isJSON { return try printJSON(positions) }
      return try context.isOnTerminal ? printTable(positions) : printLines(positions)
    } catch {
      context.output.flush()
      throw .failed("\(error)")
    }
  }

  private func printJSON(_ positions: [Int]) throws(StorageError) -> [String] {
    var array = JSONArrayPrinter(context.output)
    var ids: [String] = []
    for (index, position) in positions.enumerated() where !context.output.hasFailed {
      let story = try library.items.item(at: position)
      array.print(StoryJSON.value(index + 1, story))
      ids.append(story.id)
    }
    array.finish()
    return ids
  }

  private func printLines(_ positions: [Int]) throws(StorageError) -> [String] {
    let names = FeedName(library.subscriptions)
    var ids: [String] = []
    for (index, position) in positions.enumerated() where !context.output.hasFailed {
      let title = try library.items.title(at: position)
      context.output.printLine(StoryLines.line(try story(index + 1, position, title, names)))
      ids.append(try library.items.id(at: position))
    }
    return ids
  }

  private func printTable(_ positions: [Int]) throws(StorageError) -> [String] {
    if positions.isEmpty { sayNothing() }
    let names = FeedName(library.subscriptions)
    var stories: [ListedStory] = []
    var ids: [String] = []
    for (index, position) in positions.enumerated() {
      stories.append(try story(index + 1, position, try shownTitle(position), names))
      ids.append(try library.items.id(at: position))
    }
    let hasFeeds = query.feed == nil && (library.subscriptions.count > 1 || areMixed(stories))
    let dates = RelativeDate(clock: context.environment.clock)
    let table = StoryTable(
      stories,
      columns: context.columns,
      hasFeeds: hasFeeds,
      style: context.style,
      dates: dates,
    )
    for story in stories { context.output.printLine(table.line(story)) }
    return ids
  }

  private func areMixed(_ stories: [ListedStory]) -> Bool {
    stories.contains { $0.feed != stories.first?.feed }
  }

  private func story(
    _ number: Int,
    _ position: Int,
    _ title: String,
    _ names: FeedName,
  ) throws(StorageError) -> ListedStory {
    let items = library.items
    let feeds = try items.feeds(at: position)
    return ListedStory(
      number: number,
      title: SafeText.line(title),
      link: try items.link(at: position),
      pubDate: try items.pubDate(at: position),
      feed: query.feed.map(names.name(of:)) ?? names.name(ofFirst: feeds),
      instant: StoryInstant.instant(
        date: try items.date(at: position),
        stored: try items.stored(at: position),
      ),
      isRead: try items.isRead(at: position),
      isStarred: try items.isStarred(at: position),
    )
  }

  /// The title, or what stands for it where there is none.
  private func shownTitle(_ position: Int) throws(StorageError) -> String {
    let title = try library.items.title(at: position)
    let summary = title.isEmpty ? try library.items.summary(at: position) : nil
    return StoryTitle.text(title, summary: summary)
  }

  private func sayNothing() {
    if library.items.count > 0 {
      context.say("no story matches")
    } else if library.subscriptions.isEmpty {
      context.say("nothing here yet: subscribe to a feed with `news subscribe URL`")
    } else {
      context.say("no stories yet: `news refresh` asks the feeds")
    }
  }
}
