import CommandLine
import CommandSupport
import FeedStorage
import NewsCommands
import Synchronization
import TestSupport

/// The command that reads a file which is not listed: it does its work, or says in one line why
/// not, and loses no story.
struct CommandTrial {
  private let store: LibraryStore
  private let name: String
  private let words: [String]
  private let stories: [UInt8]
  private let ids: Set<String>

  /// Fails for files that no such command reads.
  init?(_ store: LibraryStore, damaging name: String) throws {
    switch name {
    case "outlines.plist": words = ["export"]
    case "rules.plist": words = ["rules"]
    case "history.plist", "newsdata.plist.cleared-1": words = ["undo"]
    default: return nil
    }
    self.store = store
    self.name = name
    stories = try readFile(store.dataPath)
    ids = try Self.ids(store)
  }

  private static func ids(_ store: LibraryStore) throws -> Set<String> {
    let items = try store.read().items
    return Set(try (0..<items.count).map { try items.id(at: $0) })
  }

  /// Runs the command.
  ///
  /// - Throws: a failure that says how the command ended wrongly.
  func run(isCut: Bool) throws {
    let errors = Mutex<[UInt8]>([])
    var environment = Environment.process()
    environment.output = TextOutput { _ in 0 }
    environment.errorOutput = TextOutput(capacity: 0) { new in
      errors.withLock { $0 += new }
      return 0
    }
    let status = NewsCommand.run(
      arguments: ["--home", store.home] + words,
      environment: environment,
    )
    let text = errors.withLock { String(decoding: $0, as: UTF8.self) }
    let result = "\(words) ended with \(status): \(text)"
    guard status == 0 else { return try checkRefusal(status, text, isCut: isCut, result) }
    guard !isCut else { throw Failure(description: "a cut went unseen: \(result)") }
    guard try Self.ids(store).isSuperset(of: ids) else {
      throw Failure(description: "stories are gone: \(result)")
    }
  }

  private func checkRefusal(
    _ status: Int32,
    _ text: String,
    isCut: Bool,
    _ result: String,
  ) throws {
    let isOneLine = text.hasPrefix("news: ") && text.split(separator: "\n").count == 1
    guard status == 1, isOneLine, !isCut || text.contains("/\(name) ") else {
      throw Failure(description: "it is not said what is wrong: \(result)")
    }
    guard try readFile(store.dataPath) == stories else {
      throw Failure(description: "the stories are others: \(result)")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
