import FeedModel
import FeedStorage

/// A story that the words of a command named.
struct NamedStory: Hashable, Sendable {
  /// The number it was named by; nil for an id.
  let number: Int?
  let story: StoredItem

  var id: String { story.id }

  /// How to speak of it: `story 3`, `story 0123456789abcdef`.
  var name: String {
    "story \(number.map(String.init) ?? story.id)"
  }
}

/// Reads the stories that a command's operands name.
struct StoryFinder {
  let context: CommandContext
  let store: LibraryStore

  func find(_ command: String) throws(CommandError) -> [NamedStory] {
    let library = try store.library()
    let numbers = NumberedStories(library: library, listing: try ListingRecord.ids(store))
    let found = try numbers.find(context.arguments.operands, command: command)
    do throws(StorageError) {
      var stories: [NamedStory] = []
      for place in found {
        let story = try library.items.item(at: place.position)
        stories.append(NamedStory(number: place.number, story: story))
      }
      return stories
    } catch {
      throw .failed("\(error)")
    }
  }
}
