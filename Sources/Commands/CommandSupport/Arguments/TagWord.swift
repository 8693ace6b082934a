import CommandLine
import FeedModel

package enum TagWord {
  package static let notes = [
    "A tag is a line of at most \(SyncKey.maximumTag) characters without a comma: a,b is two tags. "
      + "A story has at most \(TagList.most). "
      + "Capital and small letters are the same. --all takes the same options as `news list`, which shows what they leave. `news undo` "
      + "takes it back, and `news sync` keeps tags in sync. A tag does not keep a story from being "
      + "deleted; a star does."
  ]
  package static let missing = "no tag given: news tag later 3"

  static func tags(_ word: String) -> [String] {
    word.split(separator: ",").map { SafeText.line(String($0)) }.filter { !$0.isEmpty }
  }

  /// Returns the tags, and one with the commas, which older versions and other programs have made.
  package static func tagsToRemove(_ word: String) -> [String] {
    let tags = tags(word)
    return tags.count > 1 ? tags + [SafeText.line(word)] : [SafeText.line(word)]
  }
}

extension CommandContext {
  package func tags(_ words: [String]) throws -> [String] {
    let tags = words.flatMap(TagWord.tags)
    guard tags.count <= TagList.most else { throw usage("\(TagLimit())") }
    guard let long = tags.first(where: { !SyncKey.isTag($0) }) else { return tags }
    let limit = "a tag has at most \(SyncKey.maximumTag) characters"
    throw usage("\(Spelling.quoted(String(long.prefix(40)) + "…")): \(limit)")
  }
}
