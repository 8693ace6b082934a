import CommandLine
package import CommandSupport
import Episodes
import FeedLibrary
package import FeedModel
import FeedReading
package import FeedStorage
package import HTMLText
import System

/// A story as a page of Markdown (CommonMark): facts as YAML, its title and its text.
package struct MarkdownPage {
  private let names: FeedName
  private let removal: TrackerRemoval

  package init(_ names: FeedName, _ removal: TrackerRemoval) {
    (self.names, self.removal) = (names, removal)
  }

  package func text(_ story: StoredItem, _ document: StoryDocument) -> String {
    let story = removal.story(story)
    let title = StoryTitle.text(story.item)
    let text = StoryMarkdown.text(document.withFiles(of: story.item), below: 1)
    return "---\n" + facts(story, title).map { "\($0): \($1.description)\n" }.joined()
      + "---\n\n\(StoryMarkdown.heading(title))\n" + (text.isEmpty ? "" : "\n" + text)
  }

  /// The front matter; JSON is YAML.
  private func facts(_ story: StoredItem, _ title: String) -> [(key: String, value: PrintedJSON)] {
    let item = story.item
    var facts: [(key: String, value: PrintedJSON)] = [("title", .string(title))]
    if SafeLink.isSafe(item.link) { facts.append(("link", .string(item.link))) }
    if let author = item.author { facts.append(("author", .string(SafeText.line(author)))) }
    if let date = item.date { facts.append(("date", .date(date))) }
    facts.append(("feed", .string(names.name(ofFirst: story.feeds))))
    let tags = story.tags.map { SafeText.line($0) }
    if !tags.isEmpty { facts.append(("tags", .strings(tags))) }
    if let note = story.note { facts.append(("note", .string(SafeText.line(note)))) }
    if story.isStarred { facts.append(("starred", .boolean(true))) }
    return facts + [("id", .string(SafeText.line(story.id)))]
  }

  /// Returns a name that stays the same as long as day, title and id do.
  package static func fileName(of story: StoredItem) -> String {
    "\(Episode.baseName(of: story)) \(FNV1a.hash(story.id).hexadecimal.prefix(8)).md"
  }
}

extension CommandContext {
  /// Returns a story's text for others; where it cannot be read, its summary, with a complaint.
  package func outgoingText(
    of story: StoredItem,
    _ texts: StoryTextIndex,
    _ removal: TrackerRemoval,
  ) throws -> StoryDocument {
    do {
      return try StoryReading.shown(try texts.text(of: story), of: story, removal)
    } catch {
      complain("\(Spelling.quoted(StoryTitle.text(story.item))): \(error); its summary is taken")
      return try StoryReading.shown(nil, of: story, removal)
    }
  }
}
