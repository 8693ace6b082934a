import FeedModel
import FeedStorage
import Searching

@testable import NewsCommands
@testable import ReadingCommands

extension Browser {
  /// Makes a view with the default keys.
  init(
    _ library: Library,
    _ rules: [StoryRule] = [],
    _ query: StoryQuery = StoryQuery(),
    _ words: [String] = [],
  ) {
    self.init(library, rules, query, words, keys: KeyMap(.news))
  }
}
