import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import Searching

struct NoteCommand: Command {
  let context: CommandContext

  static let name = "note"
  static let summary = "write a note on stories, or read it"
  static let synopsis = "N [TEXT…|--remove] | --all [--feed FEED] … TEXT…|--remove"

  static let examples = [
    HelpExample("news note 3 read again before the talk", "write it on story 3 of the last list"),
    HelpExample("news note 3", "print the note of story 3"),
    HelpExample("news note 3 --remove", "take it away"),
    HelpExample("news note 1,4-7 for Ada", "one note on several stories"),
    HelpExample("news list --grep has:note", "the stories with a note"),
  ]

  static var options: [CommandOption] {
    [
      CommandOption("remove", help: "take the note away, as an empty text does"),
      CommandOption("all", help: "all stories that match the filters below"),
    ] + StoryQuery.options
  }

  static let notes = [
    "A story has one note: a line of at most \(SyncKey.maximumText) bytes, in place of the one that it "
      + "had. The first word says which stories, as numbers, ranges and ids with commas between, or "
      + "- for standard input; all words behind it are the text. `N` in `news browse` has you edit it.",
    "`note:WORD` finds it in a search, and `has:note` what has one. `news undo` takes it back, and "
      + "`news sync` keeps notes in sync by folder and ssh; a server has none. An import leaves the "
      + "note that a story has here. A note does not keep a story from being deleted; a star does.",
  ]

  private var isRemoved: Bool { context.arguments.has("remove") }
  private var isAll: Bool { context.arguments.has("all") }
  private var words: ArraySlice<String> { context.arguments.operands.dropFirst(isAll ? 0 : 1) }

  func run() throws -> ExitStatus {
    try checkWords()
    let store = try context.store()
    guard isRemoved || !words.isEmpty else { return try tell(store) }
    let text = SafeText.line(words.joined(separator: " "))
    guard text.isEmpty || SyncKey.isLine(text) else {
      throw usage("a note has at most \(SyncKey.maximumText) bytes")
    }
    let chosen = try context.chosenStories(behind: 0, before: 1, in: store)
    let count = try StoryMarking(store, context).change(choose: chosen) {
      try $0.set(text, as: .note, at: $1)
    }
    context.say(
      text.isEmpty ? "\(Count.of(count, "note")) removed" : "\(Count.stories(count)) noted"
    )
    return .done
  }

  static func words(_ text: String, of ids: [String]) -> [String] {
    [name, ids.joined(separator: ",")] + (text.isEmpty ? ["--remove"] : ["--", text])
  }

  private func checkWords() throws {
    let filter = StoryQuery.options.first { context.arguments.has($0.key) }
    if isAll, words.isEmpty, !isRemoved { throw usage("no text given: news note --all TEXT") }
    if !isAll, context.arguments.operands.isEmpty { throw usage("no stories given: news note 3") }
    if !isAll, let filter {
      throw usage("\(filter.spelling) narrows --all: news note --all \(filter.spelling) … TEXT")
    }
    if isRemoved, !words.isEmpty { throw usage("--remove takes no text: news note 3 --remove") }
  }

  private func tell(_ store: LibraryStore) throws -> ExitStatus {
    let stories = try NumberedStories(context, try store.read(.names), in: store).stories(before: 1)
    for story in stories {
      guard let note = story.story.note else {
        context.say("\(story.name) has no note")
        continue
      }
      let name = stories.count > 1 ? "\(story.name): " : ""
      context.output.printLine(name + SafeText.line(note))
    }
    return .done
  }
}
