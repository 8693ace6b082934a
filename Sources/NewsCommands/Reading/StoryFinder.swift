import FeedModel
import FeedStorage

/// Reads the stories that a command's operands name.
struct StoryFinder {
  let context: CommandContext
  let store: LibraryStore

  func find(_ command: String) throws(CommandError) -> [NamedStory] {
    let library = try store.library(.names)
    let numbers = NumberedStories(library: library, listing: try ListingRecord.numbers(store))
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
