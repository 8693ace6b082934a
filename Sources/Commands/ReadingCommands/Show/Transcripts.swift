import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import HTMLText
import Pages

/// Fetches transcripts for `news show N --transcript`; they are not kept.
struct Transcripts {
  let context: CommandContext
  let store: LibraryStore

  static let option = CommandOption(
    "transcript",
    help: "fetch the episode's transcript, and print that as the text",
  )

  func fetch(_ stories: [NamedStory]) throws -> [String: StoryText] {
    let fetch = try PageFetch(store, context)
    let answers = fetch.transcripts(of: stories.map(\.story), context.cancellation())
    var transcripts: [String: StoryText] = [:]
    for (story, answer) in zip(stories, answers) {
      switch answer {
      case .success(let text): transcripts[story.story.id] = text
      case .failure(let error): context.complain("\(story.fullName): \(Self.words(error))")
      }
    }
    return transcripts
  }

  private static func words(_ error: TranscriptError) -> String {
    switch error {
    case .missing: "its feed has no transcript of it"
    case .fetch(let error): "\(error)"
    case .unreadable(let reason): "its transcript cannot be read: \(reason)"
    }
  }
}

extension NamedStory {
  var fullName: String { "\(name), \(Spelling.quoted(StoryTitle.text(story.item)))" }
}
