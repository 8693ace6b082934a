import CommandLine
import CommandSupport

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

  func run() throws -> ExitStatus {
    try checkWords()
    let tags = try context.tags([try context.tagWord()])
    guard !tags.isEmpty else { throw usage(TagWord.missing) }
    let count = try change { _ = try $0.tag(tags, at: $1) }
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

  func run() throws -> ExitStatus {
    try checkWords()
    let tags = TagWord.tagsToRemove(try context.tagWord())
    let count = try change { _ = try $0.tag([], without: tags, at: $1) }
    context.say("\(Count.stories(count)) no longer tagged \(tags.joined(separator: ", "))")
    return .done
  }
}

extension CommandContext {
  fileprivate func tagWord() throws -> String {
    let word = arguments.operands.first ?? ""
    let name = SafeText.line(word.hasPrefix("tag:") ? String(word.dropFirst(4)) : word)
    guard !name.isEmpty else { throw usage(TagWord.missing) }
    return name
  }
}
