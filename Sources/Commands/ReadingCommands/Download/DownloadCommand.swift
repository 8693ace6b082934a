import CommandLine
import CommandSupport
import Episodes
import FeedLibrary
import FeedModel
import FeedStorage
import Searching
import Synchronization

struct DownloadCommand: Command {
  static let name = "download"
  static let summary = "download podcast episodes and other enclosures"
  static let synopsis = "N…|--feed FEED [--latest K] [--to DIR] | --clean"
  static let examples = [
    HelpExample("news download 3", "download the episode of story 3 of the last list"),
    HelpExample("news download --feed daily --latest 5", "the five newest episodes of a feed"),
    HelpExample(
      "news download --unread --since 1w --to ~/Podcasts",
      "unread stories of the last week",
    ),
    HelpExample(
      "news download --feed daily --name '{feed}/{date:%F} {title}' --playlist daily.m3u8",
      "a folder for the feed, and a playlist",
    ),
    HelpExample("news download --clean", "delete episodes of stories you have read"),
    HelpExample("news feeds set daily --download 3", "let fetch keep the three newest downloaded"),
  ]
  static let options =
    [
      CommandOption("latest", value: "K", help: "only the K newest of each feed"),
      CommandOption(
        "to",
        value: "DIR",
        help: "save to DIR ($XDG_DOWNLOAD_DIR/news, else ~/Downloads/news)",
      ),
      DownloadName.option, Playlist.option,
      CommandOption(
        "clean",
        help: "delete files of stories that are gone, or read and not starred",
      ),
      Confirmation.option.only(with: "clean"),
    ] + StoryQuery.options
  static let notes = [
    "Files are named after the day and the title. A name ends in .part until the file is "
      + "complete. An interrupted download is resumed by the next one, if the server still has "
      + "the same file. The path of each file is printed when it is complete; `news play N` "
      + "plays it.",
    "--name: the fields are those of `news list --format`. A slash in the template makes a folder; one "
      + "in a title makes none. Each part is made a name that every file system takes, of at most "
      + "110 bytes, and the ending is added. A file that was begun keeps its name.",
    "--playlist lists what this command was to save and what is saved, in its order, by paths from "
      + "the playlist where they are below it. A playlist that is there is replaced, another file "
      + "never is.",
    "Several files are downloaded at once, at most two from one server. A file is refused if "
      + "it is an HTML page instead of a recording, larger than 8 GiB, or too large for the "
      + "disk: 1 GiB stays free, or a twentieth of a smaller disk. What has arrived by then is "
      + "kept.",
    "--clean asks first, and says how much space it frees. Filters limit which "
      + "stories it looks at; without filters it also deletes files, complete or not, of stories "
      + "that are no longer stored. It only deletes files that this home has downloaded.",
    "Enclosures on the same site as their feed are requested with the feed's user name and "
      + "password.",
  ]
  static let json: JSONForm? = .array(
    "the episodes, in their order, or with --clean those deleted",
    DownloadResult.fields,
  )

  static let isVisit = true
  static let exclusions = [DownloadName.option, Playlist.option].map { ["clean", $0.key] }
  private static let maximumBytes = 8 << 30

  let context: CommandContext

  var readerAccess: ReaderAccess? { context.arguments.has("clean") ? nil : .network }

  func run() throws -> ExitStatus {
    try checkWords()
    let store = try context.store()
    if context.arguments.has("clean") {
      var cleaning = DownloadCleaning(context, store)
      return try cleaning.run()
    }
    let library = try store.read()
    let stories = try stories(library, store)
    let chosen = try chosen(stories, FeedName(library))
    // Stories that options choose all have one.
    for story in stories where Episode(story.story) == nil {
      context.complain("\(story.name) has no enclosure")
    }
    let wanted = chosen.filter { isWanted($0.story.story) }.map(\.episode)
    if wanted.isEmpty, stories.count == chosen.count { context.say("nothing to download") }
    let results = wanted.isEmpty ? [] : try download(wanted, of: library, in: store)
    let unbegun = results.count(where: \.isUnbegun)
    if unbegun > 0 { context.complain("stopped before \(Count.of(unbegun, "file")) more") }
    if context.isJSON {
      context.output.printJSON(ordered(results, chosen), DownloadResult.fields)
    }
    try savePlaylist(results, chosen)
    let isWhole = stories.count == chosen.count && results.allSatisfy { $0.error == nil }
    return isWhole ? .done : .failed
  }

  private typealias Chosen = (story: NamedStory, episode: Episode, feed: String)

  private func chosen(_ stories: [NamedStory], _ names: FeedName) throws -> [Chosen] {
    let name = try DownloadName(context)
    return stories.compactMap { story in
      guard let episode = Episode(story.story) else { return nil }
      let feed = names.name(ofFirst: story.story.feeds)
      return (story, name?.name(episode, story, feed: feed) ?? episode, feed)
    }
  }

  /// Returns false for a file that options choose and that is there already.
  private func isWanted(_ story: StoredItem) -> Bool {
    !context.arguments.operands.isEmpty || !story.isDownloaded
  }

  private func savePlaylist(_ results: [DownloadResult], _ chosen: [Chosen]) throws {
    guard var list = try Playlist(context) else { return }
    let paths = Dictionary(results.map { ($0.story.id, $0.path) }) { $1 }
    for (story, episode, feed) in chosen {
      guard let file = paths[story.story.id] ?? story.story.file else { continue }
      list.add(file, of: episode, feed: feed)
    }
    try list.save()
  }

  private func checkWords() throws {
    let arguments = context.arguments
    _ = (try DownloadName(context), try Playlist(context))
    let filter = StoryQuery.options.first { arguments.has($0.key) }
    let narrows = filter?.spelling ?? (arguments.has("latest") ? "--latest" : nil)
    if arguments.has("clean") {
      guard arguments.operands.isEmpty else { throw usage("--clean takes no numbers") }
    } else if arguments.operands.isEmpty {
      guard narrows != nil else { throw usage("no story given: news download 3") }
    } else if let narrows {
      throw usage("either numbers or \(narrows)")
    }
  }

  private func stories(_ library: Library, _ store: LibraryStore) throws -> [NamedStory] {
    guard context.arguments.operands.isEmpty else {
      return try NumberedStories(context, library, in: store).stories()
    }
    let query = try StoryQuery(context, library)
    let latest = try context.number("latest", 1...Int.max) ?? .max
    guard latest == .max || query.sort == nil || query.sort == SearchSort(.date) else {
      throw usage("--latest is about the newest: it takes no sort:")
    }
    var counts: [String: Int] = [:]
    var stories: [NamedStory] = []
    for position in try context.positions(of: query, in: library) {
      let story = try library.items.item(at: position)
      guard Episode(story) != nil else { continue }
      let feed = story.feeds.first { query.feeds?.contains($0) ?? true } ?? ""
      counts[feed, default: 0] += 1
      guard counts[feed, default: 0] <= latest else { continue }
      // A playlist has files that are there already, too.
      guard !story.isDownloaded || context.arguments.has(Playlist.option.name) else { continue }
      stories.append(NamedStory(number: nil, story: story))
    }
    return stories
  }

  private func download(
    _ episodes: [Episode],
    of library: Library,
    in store: LibraryStore,
  ) throws -> [DownloadResult] {
    let folder = try context.downloadFolder()
    let downloads = EpisodeDownloads(
      episodes,
      of: library.subscriptions,
      into: folder,
      fetcher: context.makeFetcher(),
      options: context.fetchOptions(library: library),
      now: context.clock.date,
    )
    let results = Mutex<[DownloadResult]>([])
    let line = context.progressLine(delay: 0.3)
    let progress = DownloadProgress(episodes, line: line)
    let cancellation = context.cancellation()
    let work = { @Sendable in
      downloads.run(
        cancellation,
        maximumBytes: { _ in Self.maximumBytes },
        progress: progress.note,
        done: { episode, outcome in
          let result = DownloadResult(episode, outcome, notedIn: store)
          progress.end(episode)
          results.withLock { results in
            line?.clear()
            tell(result)
            results.append(result)
          }
        },
      )
    }
    let holds = line?.during(work) ?? work()
    if !holds.isEmpty { try store.note(retryTimes: holds) }
    return results.withLock { $0 }
  }

  private func tell(_ result: DownloadResult) {
    if let path = result.path, !context.isJSON {
      context.output.printLine(SafeText.line(path))
      context.output.flush()
    }
    // Files that were not begun when the reader stopped it are counted at the end.
    guard let error = result.error, !result.isUnbegun else { return }
    let kept = result.bytes > 0 && result.path == nil
    let rest = kept ? "; \(ByteCount.text(result.bytes)) are kept, the next download goes on" : ""
    context.complain("\(SafeText.line(result.story.item.title)): \(error)\(rest)")
  }

  private func ordered(
    _ results: [DownloadResult],
    _ chosen: [Chosen],
  ) -> [DownloadResult] {
    chosen.compactMap { story, episode, _ in
      var result = results.first { $0.story.id == episode.story.id }
      result?.number = story.number
      return result
    }
  }
}
