import CommandLine
package import CommandSupport
import Episodes
import FeedLibrary
import FeedModel
import FeedStorage
package import System

struct PlayCommand: Command {
  static let name = "play"
  static let summary = "play a podcast episode, and mark it read"
  static let synopsis = "N"
  static let examples = [
    HelpExample("news play 3", "play the episode of story 3 of the last list"),
    HelpExample("NEWS_PLAYER='mpv --no-video' news play 3", "use another player"),
  ]
  static let options: [CommandOption] = []
  static let notes = [
    "Plays the file that `news download` has saved, or else streams the episode from its "
      + "server. The player is $NEWS_PLAYER, else mpv, else, on a desktop, the system's default. "
      + "The file name is never passed through a shell."
  ]

  static let isVisit = true
  static let needsTerminal = true

  let context: CommandContext

  func run() throws -> ExitStatus {
    guard !context.arguments.operands.isEmpty else {
      throw usage("no story given: news play 3")
    }
    let store = try context.store()
    let stories = try NumberedStories(context, try store.read(.names), in: store).stories()
    guard let story = stories.first, stories.count == 1 else {
      throw usage("one story at a time: news play 3")
    }
    try play(source(of: story))
    return context.markRead([story], in: store) ? .done : .failed
  }

  private func source(of story: NamedStory) throws -> String {
    if let file = story.story.file, story.story.isDownloaded, file.hasPrefix("/") { return file }
    guard let url = Episode(story.story)?.enclosure.url, SafeLink.isSafe(url) else {
      throw Failure("\(story.name) has no recording")
    }
    return url
  }

  private func play(_ source: String) throws {
    if try context.launch(oneOf: context.players.map { $0 + [source] }) { return }
    throw Failure(
      context.ownPlayer.first.map { "NEWS_PLAYER: there is no program \(Spelling.quoted($0))" }
        ?? LibraryFault(.mpv).sentence
    )
  }
}

extension CommandContext {
  package var playerFault: LibraryFault? {
    players.contains { environment.hasProgram($0[0]) } ? nil : LibraryFault(.mpv)
  }

  fileprivate var ownPlayer: [String] {
    (environment.variable("NEWS_PLAYER") ?? "").split(separator: " ").map(String.init)
  }

  fileprivate var players: [[String]] {
    guard ownPlayer.isEmpty else { return [ownPlayer] }
    if environment.isMacOS { return [["mpv"], ["open"]] }
    // Without a desktop xdg-open has a text browser show the recording.
    let isOnDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: environment.isSet)
    return isOnDesktop ? [["mpv"], ["xdg-open"]] : [["mpv"]]
  }
}
