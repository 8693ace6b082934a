import CommandLine
import CommandSupport
import FeedLibrary
import FeedModel
import FeedStorage
import HTMLText
import System

/// The stories of a list as one message.
struct StoryMail {
  static let option = CommandOption(
    "mail",
    optionalValue: "ADDRESS",
    help: "print one mail with the stories' texts, for `sendmail -t`",
  )

  static let notes = [
    "--mail prints one message (RFC 5322) with the texts as plain text and as HTML, without trackers: "
      + "`news list --grep is:new --mail | sendmail -t` sends it. It goes to ADDRESS "
      + "(--mail=ADDRESS), else to $EMAIL, else to you at this machine. Without stories nothing is "
      + "printed: `ifne` of moreutils then starts no program."
  ]

  private static let columns = 72

  let context: CommandContext
  let library: Library
  private let address: String
  private let texts: StoryTextIndex

  init(_ context: CommandContext, _ library: Library, in store: LibraryStore) throws {
    (self.context, self.library, texts) = (context, library, store.textIndex())
    address = try Self.address(context)
  }

  private static func address(_ context: CommandContext) throws -> String {
    let variable = context.environment.variable
    let typed = context.arguments.value(option.name) ?? ""
    let login = "\(variable("LOGNAME") ?? "root")@localhost"
    let address = [typed, variable("EMAIL") ?? ""].first { !$0.isEmpty } ?? login
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    let isPlain = address.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && !"<>(),;:\\\"[]".utf8.contains($0)
    }
    guard isPlain, address.utf8.count <= 254, parts.count == 2, !parts.contains("") else {
      let word = Spelling.quoted(address)
      throw context.usage("--mail: \(word) is no address: --mail=me@example.org")
    }
    return address
  }

  func print(_ positions: [Int]) throws {
    guard !positions.isEmpty else { return }
    let (names, removal) = (FeedName(library), TrackerRemoval(library.subscriptions))
    let card = StoryCard(context, names, width: Self.columns)
    var (titles, pages, html): ([String], [String], Markup) = ([], [], "")
    try library.items.forEachStory(at: positions) { _, reader in
      let stored = try reader.item()
      let document = try context.outgoingText(of: stored, texts, removal)
      let story = removal.story(stored)
      titles.append(StoryTitle.text(story.item))
      let lines = card.page(story, document, hasDetails: false)
      pages.append(lines.map { TerminalText.unstyled($0) }.joined(separator: "\n"))
      html += article(story, document, names)
    }
    let subject = (titles.count > 1 ? "\(Count.stories(titles.count)): " : "") + titles[0]
    let message = MailMessage(
      address: address,
      subject: SafeText.prefix(subject, maximumCharacters: 120),
      text: pages.joined(separator: "\n\n\(String(repeating: "-", count: Self.columns))\n\n"),
      html: """
        <!DOCTYPE html>
        <html><head><meta charset="utf-8"><title>\(subject)</title></head>
        <body>
        \(html)</body></html>

        """,
    )
    message.lines(at: Int(clamping: context.clock.now())).forEach(context.output.printLine)
  }

  private func article(
    _ story: StoredItem,
    _ document: StoryDocument,
    _ names: FeedName,
  ) -> Markup {
    let title: Markup = "\(StoryTitle.text(story.item))"
    let linked = StoryHTML.webLink(story.item.link).map { StoryHTML.anchor($0, title) } ?? title
    let dates = RelativeDate(clock: context.clock)
    let facts = [
      names.name(ofFirst: story.feeds), story.item.author.map { SafeText.line($0) },
      story.item.date.map { dates.exactText($0.wholeSeconds) },
    ]
    return """
      <h2>\(linked)</h2>
      <p>\(facts.compactMap(\.self).joined(separator: " · "))</p>
      \(StoryHTML.markup(document.withFiles(of: story.item), below: 2))<hr>

      """
  }
}
