import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import HTMLText
import Publishing
import Searching

struct PublishCommand: Command {
  static let name = "publish"
  static let summary = "publish stories as a web site and as feeds"
  static let synopsis = "DIR [--title TEXT] [--url URL] [-n N] [--feed FEED] [--starred] …"
  static let examples = [
    HelpExample("news publish ~/site", "publish the newest stories; open ~/site/index.html"),
    HelpExample(
      "news publish ~/site --starred --title 'Worth reading'",
      "publish your starred stories",
    ),
    HelpExample(
      "news publish site --feed tag:work --url https://example.com/news/",
      "set the address that its feeds link to",
    ),
  ]
  static let options =
    [
      CommandOption("title", value: "TEXT", help: "title of the site (News)"),
      CommandOption("url", value: "URL", help: "address of the site, for links in its feeds"),
      CommandOption("", "n", value: "N", help: "publish at most N stories, the newest (1000)"),
    ] + StoryQuery.options
  static let notes = [
    "The site is static: index.html with the newest stories, a page for each day with whole "
      + "texts, a page for each feed, atom.xml, rss.xml and feed.json with the newest hundred, "
      + "and feeds.opml. Only words, links and images of the texts are used, and no scripts.",
    "DIR must be new, empty, or an earlier site. Only changed files are written, outdated "
      + "ones are deleted, and files of your own stay. Passwords, and feeds with passwords in "
      + "their URLs, are not published. Anyone who can read the site can read the texts of all "
      + "its stories.",
  ]
  static let json: JSONForm? = .object("what became of the files", fields)

  private static let fields: [JSONField<SiteResult>] = [
    JSONField("stories", "how many are published") { .integer($0.stories) },
    JSONField("written", "files that are new or have changed") { .integer($0.written) },
    JSONField("unchanged", "files that were left as they are") { .integer($0.unchanged) },
    JSONField("removed", "files of earlier times that are no longer wanted") {
      .integer($0.removed)
    },
    JSONField("refused", "names under which there are files of your own, an array of strings") {
      .strings($0.refused)
    },
  ]

  let context: CommandContext

  var readerAccess: ReaderAccess? { .texts }
  var isSlow: Bool { true }

  func run() throws -> ExitStatus {
    let path = try path()
    let title = SafeText.line(context.arguments.value("title") ?? "News")
    guard !title.isEmpty else { throw usage("--title needs a title: --title TEXT") }
    let address = try address()
    let limit = try context.number("n", 1...Int.max) ?? 1000
    let store = try context.store()
    let library = try store.read()
    let query = try StoryQuery(context, library)
    // Tags of stories and searches find stories of any feed.
    let chosen = query.tags.isEmpty && query.searches.isEmpty ? query.feeds : nil
    let positions = try context.positions(of: query, in: library, atMost: limit)
    let entries = try SiteEntry.entries(
      at: positions,
      of: library.items,
      chosen: chosen,
      context.clock,
    )
    let texts = try texts(of: entries, in: library, of: store)
    let id = SiteID.urn(site: "\(store.home) \(path)")
    let folder = try SiteFolder(path, id: id, key: store.siteKey())
    let feeds = query.feeds == nil ? nil : chosen ?? Set(entries.flatMap(\.feeds))
    var writer = SiteWriter(
      title: title,
      address: address,
      folder: folder,
      entries: entries,
      subscriptions: library.subscriptions.filter { feeds?.contains($0.url) ?? true },
      library: library,
      texts: texts,
      clock: context.clock,
    )
    try writer.write()
    return report(writer.result, path)
  }

  /// Returns the texts once each could be read: an error must leave a good site as it is.
  private func texts(
    of entries: [SiteEntry],
    in library: Library,
    of store: LibraryStore,
  ) throws -> StoryTextIndex {
    let texts = store.textIndex()
    do {
      if let failure = texts.failure { throw failure }
      for entry in entries { _ = try texts.text(of: entry, in: library.items) }
    } catch {
      throw Failure("\(error); the site stays as it is")
    }
    return texts
  }

  private func path() throws -> String {
    let operands = context.arguments.operands
    guard operands.count == 1, !operands[0].isEmpty else {
      throw usage("give one folder to write to: news publish DIR")
    }
    guard let path = LocalPath.absolute(operands[0], in: context.environment.currentFolder())
    else { throw Failure("could not find the current folder") }
    return path
  }

  private func address() throws -> String? {
    guard let url = context.arguments.value("url") else { return nil }
    let isPlain = !url.contains { "?#@".contains($0) }
    guard isPlain, let link = StoryHTML.webLink(url) else {
      throw usage("--url: \(Spelling.quoted(url)) is no http or https URL of a folder")
    }
    return link.hasSuffix("/") ? link : link + "/"
  }

  private func report(_ result: SiteResult, _ path: String) -> ExitStatus {
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(Self.fields, result).description)
    } else {
      let files = Count.of(result.written, "file")
      context.say(
        "\(Count.stories(result.stories)) in \(SafeText.line(path)): \(files) written, "
          + "\(result.unchanged) unchanged, \(result.removed) removed"
      )
    }
    for name in result.refused {
      context.complain("\(path)/\(name) is your own file; left unchanged")
    }
    return result.refused.isEmpty ? .done : .failed
  }
}
