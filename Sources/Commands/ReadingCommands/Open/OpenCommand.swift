import CommandLine
package import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
package import System

struct OpenCommand: Command {
  static let name = "open"
  static let summary = "print a story's link or open it in a browser, and mark it read"
  static let synopsis = "N… [--browser] [--external]"
  static let examples = [
    HelpExample("news open 3", "print the link of story 3 of the last list"),
    HelpExample("news open 1 3-7", "print several links, one per line"),
    HelpExample("news open 3 --browser", "also open it in the browser"),
    HelpExample("news open 3 --external", "print the link to what it is about"),
  ]
  static let options = [
    CommandOption(
      "browser",
      "b",
      help: "also open the links ($BROWSER, else the default browser)",
    ),
    CommandOption(
      "external",
      help: "of a story about a page elsewhere, take that page's link in place of its own",
    ),
  ]
  static let notes = [
    "N is a number that the last `news list` or `news refresh` showed in this terminal "
      + "session, or else in any session. Before the first list it is the position among all "
      + "stories, newest first. You can also give a story's id, ranges and lists: 1,3 5-7. With - they "
      + "stand on standard input, one a line."
  ]
  static let json: JSONForm? = .array("the stories that have a link", StoryJSON.named)

  static let isVisit = true

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard !context.arguments.operands.isEmpty else { throw usage("no story given: news open 3") }
    let store = try context.store()
    let library = try store.read(.names)
    let removal = TrackerRemoval(library.subscriptions)
    let stories = try NumberedStories(context, library, in: store).stories().map {
      NamedStory(number: $0.number, story: removal.story($0.story))
    }
    let opened = stories.filter { link(of: $0.story) != nil }
    let links = opened.compactMap { link(of: $0.story) }
    print(opened, links)
    for story in stories where link(of: story.story) == nil {
      context.complain("\(story.name) has no link")
    }
    // A link that nobody could read leaves its story unread.
    guard context.output.isSound else { return .failed }
    let isMarked = context.markRead(opened, in: store)
    if context.arguments.has("browser") {
      for link in links { try context.openInBrowser(link) }
    }
    return opened.count == stories.count && isMarked ? .done : .failed
  }

  private func print(_ stories: [NamedStory], _ links: [String]) {
    if context.isJSON {
      context.output.printJSON(stories, StoryJSON.named)
    } else {
      for link in links { context.output.printLine(link) }
    }
    context.output.flush()
  }

  /// Returns a related page with `--external`, the story's link, or an enclosure's: the first safe
  /// one.
  private func link(of story: StoredItem) -> String? {
    let isExternal = context.arguments.has("external")
    let pages = isExternal ? story.item.related.filter(\.role.isPage).map(\.url) : []
    return (pages + [story.item.link] + story.item.enclosures.map(\.url))
      .first(where: SafeLink.isSafe)
  }
}

extension CommandContext {
  /// Opens a link that `SafeLink` has checked, without a shell.
  func openInBrowser(_ link: String) throws {
    guard try launch(oneOf: browsers(link)) else {
      throw Failure(LibraryFault(.xdgOpen).sentence)
    }
  }

  package var browserFault: LibraryFault? {
    browsers("").contains { environment.hasProgram($0[0]) } ? nil : LibraryFault(.xdgOpen)
  }

  func launch(oneOf programs: [[String]]) throws -> Bool {
    for words in programs {
      let status = environment.launch(words)
      if status == 0 { return true }
      if status != 127 { throw Failure("\(words[0]) exited with status \(status)") }
    }
    return false
  }

  /// Returns the commands to try: each part of `BROWSER`, then the system's way.
  private func browsers(_ link: String) -> [[String]] {
    let own = (environment.variable("BROWSER") ?? "").split(separator: ":").map { part in
      var words = part.split(separator: " ").map(String.init)
      if let placeholder = words.firstIndex(of: "%s") {
        words[placeholder] = link
      } else {
        words.append(link)
      }
      return words
    }
    let system = environment.isMacOS ? [["open", link]] : [["xdg-open", link]]
    return own.filter { $0.count > 1 } + system
  }
}
