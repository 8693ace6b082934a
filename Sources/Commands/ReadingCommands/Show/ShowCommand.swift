import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedReading
import FeedStorage
import HTMLText

struct ShowCommand: Command {
  static let name = "show"
  static let summary = "show a story's text, links and details, and mark it read"
  static let synopsis =
    "N… [--full [--force]] [--from feed|page] [--transcript] [--link NUMBER] [--width COLUMNS] [--raw] [--markdown] [--keep-unread] [--format TEMPLATE]"
  static let examples = [
    HelpExample("news show 3", "story 3 of the last list, with numbered links"),
    HelpExample("news show 3 --link 2", "print its second link"),
    HelpExample("news show 3 --full", "fetch the whole article from its page"),
    HelpExample("news show 3 --from feed", "go back to the feed's text"),
    HelpExample("news show 3 --transcript", "read what is said in the episode"),
    HelpExample("news show 3 --markdown > notes.md", "for a program of notes"),
    HelpExample("news show 3-5 --json", "three stories as JSON"),
  ]
  static let options =
    PageTexts.options + [
      Transcripts.option,
      CommandOption("link", value: "NUMBER", help: "print only this link"),
      CommandOption(
        "width",
        value: "COLUMNS",
        help: "wrap the text at COLUMNS (20 to 1000)",
      ),
      CommandOption("raw", help: "print the text as published, usually HTML"),
      CommandOption("markdown", help: "print the text as Markdown (CommonMark), facts in front"),
      CommandOption("keep-unread", help: "do not mark the stories as read"),
      StoryTemplate.option, Pager.option,
    ]
  static let notes = PageTexts.notes + StoryTemplate.notes
  static let json: JSONForm? = .array("the stories, in your order", StoryJSON.wholeFields)

  static let isVisit = true

  static let exclusions = [
    ["json", "format", "raw", "link", "markdown"], ["transcript", "raw", "link", "format"],
    ["full", "from"],
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { asksNetwork ? .network : .texts }

  private var isTranscript: Bool { context.arguments.has("transcript") }
  private var asksNetwork: Bool { isTranscript || context.arguments.has("full") }

  func run() throws -> ExitStatus {
    guard !context.arguments.operands.isEmpty else { throw usage("no story given: news show 3") }
    let template = try StoryTemplate.read(context)
    let link = try context.number("link", 1...Int.max)
    let width = try context.number("width", 20...1000)
    let store = try context.store()
    let library = try store.read(.names)
    var stories = try NumberedStories(context, library, in: store).stories()
    let asked = stories.count
    let transcripts =
      isTranscript ? try Transcripts(context: context, store: store).fetch(stories) : [:]
    if isTranscript { stories.removeAll { transcripts[$0.story.id] == nil } }
    let (choices, haveCome) = try PageTexts(context: context, store: store).choices(stories)
    let names = FeedName(library)
    let removal = TrackerRemoval(library.subscriptions)
    let shown = { [stories] in
      stories.map { story in
        let id = story.story.id
        return ShownStory(
          story,
          choices[id],
          transcript: transcripts[id],
          trackers: removal,
          in: store,
          context,
        )
      }
    }
    var failure: (any Error)?
    if let link {
      do { try printLink(link, of: shown()) } catch { failure = error }
    } else if context.isJSON {
      context.output.printJSON(shown(), StoryJSON.wholeFields)
    } else if let template {
      Pager(context).print(lines(stories, choices, template, names, removal))
    } else if isRaw {
      printRaw(shown())
    } else if context.arguments.has("markdown") {
      let page = MarkdownPage(names, removal)
      let pages = try shown().map { try markdown($0, page, removal) }
      Pager(context).print(pages.joined(separator: ["\n"]).map(\.self))
    } else {
      let card = StoryCard(context, names, width: width)
      Pager(context)
        .print(paragraphs: shown().map { card.lines($0.story, $0.document) })
    }
    context.output.flush()
    // A story that nobody could read stays unread.
    let isRead = context.output.isSound && failure == nil
    let isKeptUnread = context.arguments.has("keep-unread")
    let isMarked = context.markRead(isRead && !isKeptUnread ? stories : [], in: store, choices)
    if let failure { throw failure }
    return isRead && isMarked && haveCome && stories.count == asked ? .done : .failed
  }

  private func markdown(
    _ shown: ShownStory,
    _ page: MarkdownPage,
    _ removal: TrackerRemoval,
  ) throws -> [String] {
    let document = try shown.document ?? StoryReading.shown(nil, of: shown.story, removal)
    return page.text(shown.story, document).split(
      separator: "\n",
      omittingEmptySubsequences: false,
    ).dropLast().map { $0 + "\n" }
  }

  private var isRaw: Bool { context.arguments.has("raw") }

  /// Prints texts as they are stored; lines for a terminal are cleaned.
  private func printRaw(_ stories: [ShownStory]) {
    let lines = stories.flatMap { story in
      let text = story.raw.last?.isNewline == true ? String(story.raw.dropLast()) : story.raw
      return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        .map { (context.isOnTerminal ? SafeText.spaced(String($0)) : String($0)) + "\n" }
    }
    Pager(context).print(lines)
  }

  private func printLink(_ number: Int, of stories: [ShownStory]) throws {
    for story in stories {
      let urls = story.links.urls
      guard number <= urls.count else {
        throw Failure(
          "\(story.named.name) has "
            + (urls.isEmpty ? "no link" : "\(Count.of(urls.count, "link")), and no link \(number)")
        )
      }
      context.output.printLine(urls[number - 1])
    }
  }

  private func lines(
    _ stories: [NamedStory],
    _ choices: TextChoices,
    _ template: StoryTemplate,
    _ names: FeedName,
    _ removal: TrackerRemoval,
  ) -> [String] {
    let dates = StoryDates(nil, clock: context.clock)
    let texts = template.texts(context)
    return stories.map { named in
      let choice = choices[named.story.id]
      var story = named.story
      if let choice { story.article = choice.applied(to: story.article) }
      return template.text(
        TemplateStory(
          number: named.number,
          story: removal.story(story),
          feed: names.name(ofFirst: story.feeds),
          dates: dates,
          texts: texts,
          newText: choice?.newText,
        )
      )
    }
  }
}
