import CommandLine
import CommandSupport
import Episodes
import FeedStorage

struct DownloadName {
  private let template: StoryTemplate
  private let dates: StoryDates
  private let texts: StoryTextIndex?

  static let option = CommandOption(
    "name",
    value: "TEMPLATE",
    help: "name each file by this form: '{feed}/{date:%F} {title}'",
  )

  init?(_ context: CommandContext) throws {
    guard let text = context.arguments.value(Self.option.name) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard !text.isEmpty, !text.hasPrefix("/"), !parts.contains(".."), parts.count <= 9 else {
      throw context.usage("--name is a path below the folder: '{feed}/{date:%F} {title}'")
    }
    do { template = try StoryTemplate(text) } catch {
      throw context.usage("--name: \(error.line)")
    }
    dates = StoryDates(nil, clock: context.clock)
    texts = template.texts(context)
  }

  /// Returns the episode with the path that it is to have.
  func name(_ episode: Episode, _ story: NamedStory, feed: String) -> Episode {
    let (number, story) = (story.number, story.story)
    var episode = episode
    episode.wantedPath = template.path(
      TemplateStory(number: number, story: story, feed: feed, dates: dates, texts: texts)
    )
    return episode
  }
}
