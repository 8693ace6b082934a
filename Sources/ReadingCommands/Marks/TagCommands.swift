import CommandLine
import FeedModel
import FeedStorage

struct TagCommand: MarkingCommand {
  let context: CommandContext

  static let name = "tag"
  static let summary = "tag stories"
  static let leading = ["TAG"]

  static var notes: [String] {
    TagWord.notes + [
      "`news list --feed tag:TAG` lists the stories, and `tag:TAG` finds them in a search. Rules tag "
        + "stories as they come; `news feeds set FEED --tag TAG` tags a feed with all its stories."
    ]
  }

  func run() throws(CommandError) -> ExitStatus {
    try checkWords()
    let tags = try context.tags([try context.tagWord()])
    guard !tags.isEmpty else { throw usage(TagWord.missing) }
    let store = try context.store()
    let count = try StoryMarking(store, context).change(choose: try chosen(in: store)) {
      edits,
      positions in
      for tag in tags { _ = try edits.tag(tag, at: positions) }
    }
    context.say("\(Count.stories(count)) tagged \(tags.joined(separator: ", "))")
    return .done
  }
}

struct UntagCommand: MarkingCommand {
  let context: CommandContext

  static let name = "untag"
  static let summary = "remove a tag from stories"
  static let leading = ["TAG"]
  static var notes: [String] { TagWord.notes }

  func run() throws(CommandError) -> ExitStatus {
    try checkWords()
    let tags = TagWord.tagsToRemove(try context.tagWord())
    let store = try context.store()
    let count = try StoryMarking(store, context).change(choose: try chosen(in: store)) {
      edits,
      positions in
      for tag in tags { try edits.untag(tag, at: positions) }
    }
    context.say("\(Count.stories(count)) no longer tagged \(tags.joined(separator: ", "))")
    return .done
  }
}

enum TagWord {
  static let notes = [
    "A tag is a line of at most \(SyncKey.maximumTag) characters without a comma: a,b is two tags. "
      + "Capital and small letters are the same. --all takes the same options as `news list`, which shows what they leave. `news undo` "
      + "takes it back, and `news sync` keeps tags in sync. A tag does not keep a story from being "
      + "deleted; a star does."
  ]
  static let missing = "no tag given: news tag later 3"

  static func tags(_ word: String) -> [String] {
    word.split(separator: ",").map { SafeText.line(String($0)) }.filter { !$0.isEmpty }
  }

  /// Returns the tags, and one with the commas, which older versions and other programs have made.
  static func tagsToRemove(_ word: String) -> [String] {
    let tags = tags(word)
    return tags.count > 1 ? tags + [SafeText.line(word)] : [SafeText.line(word)]
  }
}

extension CommandContext {
  func tags(_ words: [String]) throws(CommandError) -> [String] {
    let tags = words.flatMap(TagWord.tags)
    guard let long = tags.first(where: { !SyncKey.isTag($0) }) else { return tags }
    let limit = "a tag has at most \(SyncKey.maximumTag) characters"
    throw usage("\(Spelling.quoted(String(long.prefix(40)) + "…")): \(limit)")
  }

  fileprivate func tagWord() throws(CommandError) -> String {
    let word = arguments.operands.first ?? ""
    let name = SafeText.line(word.hasPrefix("tag:") ? String(word.dropFirst(4)) : word)
    guard !name.isEmpty else { throw usage(TagWord.missing) }
    return name
  }
}
