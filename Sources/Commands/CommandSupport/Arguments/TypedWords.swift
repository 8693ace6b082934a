import CommandLine
package import FeedModel
package import FeedStorage
package import System

extension CommandContext {
  /// The commands in the options of the command line, which the user typed, or wrote as defaults.
  var typedCommands: OwnWords {
    let lines = arguments.commands
    return OwnWords(typed: lines + lines.map { String($0.drop { $0 == " " }) })
  }

  /// Returns the address of a source that is an operand, which the user typed.
  package func typed(_ source: FeedSource) -> OwnWords { OwnWords(typed: [source.url]) }

  /// Returns the store that may follow what a list names that the user named: a file of his, or `-`
  /// for his own pipe; nil stands for a list of somebody else's.
  package func store(naming feeds: [Subscription], in file: String?) throws -> LibraryStore {
    let words = feeds.flatMap(\.ownWords)
    var store = try store()
    guard let file, !words.isEmpty else { return store }
    let own = file == "-" ? OwnWords(typed: words) : OwnWords(words, of: absolutePath(file))
    store.typed = store.typed.union(own)
    return store
  }

  private func absolutePath(_ file: String) -> String {
    LocalPath.absolute(file, in: environment.currentFolder()) ?? file
  }
}
