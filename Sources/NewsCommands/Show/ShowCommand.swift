import FeedModel
import FeedStorage

struct ShowCommand: Command {
  static let name = "show"
  static let summary = "show a story's text, links and all that is known; mark it read"
  static let synopsis = "N… [--link NUMBER] [--keep-unread] [--format TEMPLATE]"
  static let examples = [
    HelpExample("news show 3", "story 3 of the last list, its links numbered"),
    HelpExample("news show 3 --link 2", "the second of these links"),
    HelpExample("news show 3-5 --json", "three stories for a program"),
  ]
  static let options = [
    CommandOption("link", value: "NUMBER", help: "print only the link of this number"),
    CommandOption("keep-unread", help: "do not mark the stories read"),
    StoryTemplate.option, Pager.option,
  ]
  static let notes = StoryTemplate.notes
  static let json: JSONForm? = .array("the stories, in your order", StoryJSON.wholeFields)

  static let isLook = true

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard !context.arguments.operands.isEmpty else { throw usage("say which story: news show 3") }
    let template = try StoryTemplate.read(context)
    let link = try context.number("link", 1...Int.max)
    guard link == nil || (template == nil && !context.isJSON) else {
      throw usage("--link prints links alone, without --format and --json")
    }
    let store = try context.store()
    let library = try store.library(.names)
    let stories = try NumberedStories(context, library, in: store).stories()
    let names = FeedName(library)
    if let link {
      try printLink(link, of: stories)
    } else if context.isJSON {
      context.output.printJSON(stories, StoryJSON.wholeFields)
    } else if let template {
      Pager(context).print(lines(stories, template, names))
    } else {
      let card = StoryCard(context, names)
      Pager(context).print(paragraphs: stories.map { card.lines($0.story) })
    }
    context.output.flush()
    // What nobody could read stays unread.
    guard context.output.hasServedReader else { return .failed }
    if context.arguments.has("keep-unread") { return .done }
    return context.markRead(stories, in: store) ? .done : .failed
  }

  private func printLink(_ number: Int, of stories: [NamedStory]) throws(CommandError) {
    for story in stories {
      let urls = StoryLinks(story.story.item).urls
      guard number <= urls.count else {
        throw .failed(
          "\(story.name) has "
            + (urls.isEmpty ? "no link" : "\(Count.of(urls.count, "link")), and no link \(number)")
        )
      }
      context.output.printLine(urls[number - 1])
    }
  }

  private func lines(
    _ stories: [NamedStory],
    _ template: StoryTemplate,
    _ names: FeedName,
  ) -> [String] {
    let dates = StoryDates(nil, clock: context.clock)
    return stories.map { story in
      template.text(
        TemplateStory(
          number: story.number,
          story: story.story,
          feed: names.name(ofFirst: story.story.feeds),
          dates: dates,
        )
      )
    }
  }
}
