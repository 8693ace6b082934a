import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("What undo takes back, with every stop in between", .serialized)
struct UndoProofTests {
  private static let commands = [
    ["read", "--all"], ["delete", "--all", "--grep", "is:read", "--yes"],
    ["clear", "--yes", "--feed", UndoTrial.feed], ["clear", "--yes"],
    ["unsubscribe", UndoTrial.feed], ["feeds", "set", UndoTrial.feed, "--tag", "new"],
    ["move", UndoTrial.feed, "https://example.org/moved", "--no-check"],
    ["move", UndoTrial.feed, UndoTrial.other, "--no-check", "--merge"],
    ["subscribe", "--no-check", "https://example.org/new"],
  ]

  @Test("is the command that was stopped, or the one before it: never one that is not the last")
  func stoppedCommand() throws {
    for command in Self.commands {
      let problems = try Self.problems(command) { trial, fault in
        let before = try trial.state()
        _ = try trial.run(command, stopped: fault)
        let stopped = try trial.state()
        let undone = try trial.run(["undo"])
        let after = try trial.state()
        guard [0, 1].contains(undone.status) else { return "\(fault): \(undone.errorText)" }
        let isOlder = stopped == before && after == trial.first
        return after == before || isOlder ? nil : "\(fault): \(undone.errorText)"
      }
      #expect(problems == [], "\(command)")
    }
  }

  @Test("is all back when undo itself was stopped, and is run again")
  func stoppedUndo() throws {
    for command in Self.commands {
      let problems = try Self.problems(["undo"], after: command) { trial, fault in
        let before = try trial.state()
        _ = try trial.run(command)
        _ = try trial.run(["undo"], stopped: fault)
        let stopped = try trial.state()
        let undone = try trial.run(["undo"])
        guard [0, 1].contains(undone.status) else { return "\(fault): \(undone.errorText)" }
        let after = try trial.state()
        // After an undo that was done, the next one takes back the change before.
        let isOlder = stopped == before && after == trial.first
        guard after == before || isOlder else { return "\(fault): \(undone.errorText)" }
        let left = try namesInFolder(trial.home).filter {
          $0.hasPrefix(".")
        }
        return left.isEmpty ? nil : "\(fault): left over: \(left)"
      }
      #expect(problems == [], "\(command)")
    }
  }

  /// Stops a command before and after each of its file operations, and returns the harm.
  private static func problems(
    _ command: [String],
    after earlier: [String]? = nil,
    _ body: @escaping @Sendable (UndoTrial, FaultShim.Fault) throws -> String?,
  ) throws -> [String] {
    let first = try UndoTrial()
    try first.reset()
    if let earlier { _ = try first.run(earlier) }
    let count = try first.operations(of: command)
    #expect(count > 10)
    let faults = (1...count).flatMap { number in
      ["kill", "killafter"].map { FaultShim.Fault(operation: number, kind: $0) }
    }
    return try Parallel.map(faults, workers: { try UndoTrial() }) { trial, fault in
      try trial.reset()
      return try body(trial, fault)
    }.compactMap(\.self)
  }
}

/// A store in which a story was starred last, and which can be put back to that.
private struct UndoTrial {
  static let feed = "https://example.org/feed"
  static let other = "https://example.org/other"

  struct State: Hashable {
    let stories: [StoredItem]
    let subscriptions: [Subscription]
  }

  let first: State
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try BuiltProduct.path("news")
    try Self.fill(LibraryStore(home: folder.path("home")))
    first = try Self.state(folder.path("home"))
    let result = try Subprocess.run(
      ["sh", "-c", "\"$1\" --home home star 7 && cp -a home original", "sh", program],
      environment: ["HOME": folder.path],
      folder: folder.path,
    )
    guard result.status == 0 else { throw Shell.Failure(description: result.errorText) }
  }

  private static func fill(_ store: LibraryStore) throws {
    let stories = (0..<30).map { number in
      var story = ShapedStore.story(number)
      story.isRead = number % 3 == 0
      if number % 5 == 0 { story.feeds.append(other) }
      if number % 7 == 1 { story.feeds = [other] }
      return story
    }
    try store.update { (_) in
      let feeds = [feed, other].map { url in
        var subscription = Subscription(url: url)
        subscription.state.bodyDigest = "body"
        subscription.state.validators = CacheValidators(etag: "1", lastModified: nil, url: url)
        return subscription
      }
      return (LibraryChange(StoryChanges(adding: stories), subscriptions: feeds), ())
    }
  }

  var home: String { folder.path("home") }

  func reset() throws {
    removeTree(home)
    _ = try Subprocess.run(["cp", "-a", folder.path("original"), home])
  }

  func state() throws -> State {
    try Self.state(home)
  }

  private static func state(_ home: String) throws -> State {
    let library = try LibraryStore(home: home).read()
    let stories = try (0..<library.items.count).map { try library.items.item(at: $0) }
    return State(stories: stories, subscriptions: library.subscriptions)
  }

  func run(
    _ command: [String],
    stopped fault: FaultShim.Fault? = nil,
  ) throws -> Subprocess.Result {
    let shim = try fault.map { try FaultShim.environment(of: home, fault: $0) } ?? [:]
    return try run(command, shim)
  }

  private func run(
    _ command: [String],
    _ environment: [String: String?],
  ) throws -> Subprocess.Result {
    try Subprocess.run(
      [program, "--home", home] + command,
      environment: environment.merging(["HOME": folder.path, "TZ": "UTC"]) { $1 },
    )
  }

  func operations(of command: [String]) throws -> Int {
    let log = folder.path("log")
    let result = try run(command, FaultShim.environment(of: home, log: log))
    guard result.status == 0 else { throw Shell.Failure(description: result.errorText) }
    return try FaultShim.operations(inLog: log).count
  }
}
