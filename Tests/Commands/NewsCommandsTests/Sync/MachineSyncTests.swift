import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FeedSync
@testable import FollowingCommands
@testable import System

@Suite("Homes are kept alike by way of ssh")
struct MachineSyncTests {
  private let homes: SyncedHomes

  init() throws {
    homes = try SyncedHomes(2)
    homes.connect()
  }

  private func call(_ words: String...) -> CommandResult {
    let result = homes.homes[0].run(["sync", "ssh:1"] + words)
    return result
  }

  @Test("a rule that notifies and a feed that keeps its trackers do so everywhere")
  func laterSettings() throws {
    try homes.storeSample()
    _ = call()
    _ = homes.run(0, "rules", "add", "r", "--grep", "x", "--then", "notify")
    _ = homes.run(0, "feeds", "set", "Example", "--keep-tracking")
    #expect(call().status == 0)
    #expect(homes.run(1, "rules", "--json").output.contains(#""then":["notify"]"#))
    #expect(homes.run(1, "feeds", "Example", "--json").output.contains(#""keepTracking":true"#))
  }

  @Test("what is too much for the one that is called is told with what the caller can do")
  func agreement() throws {
    let urls = (0..<5).map { "https://example.net/\($0)" }
    for home in homes.homes {
      for url in urls { home.run(["subscribe", url, "--no-check"]) }
    }
    _ = call()
    for url in urls.dropLast() { homes.run(0, "unsubscribe", url) }
    _ = call()
    #expect(try homes.homes[1].store.read().subscriptions.count == 5)
    _ = call("--accept")
    #expect(try homes.homes[1].store.read().subscriptions.count == 1)
    var report = SyncReport(
      remote: SyncRemote(name: "", transport: .machine(host: "x", home: nil))
    )
    report.outcome = SyncOutcome()
    report.outcome?.result.pending.removed = 4
    #expect(
      report.calledPendingLine
        == "not done before you agree: it would stop following 4 feeds on this machine; "
        + "the same sync with --accept does it"
    )
  }

  @Test("what was changed while the other was away has the time of the try")
  func away() throws {
    try homes.storeSample()
    _ = call()
    let serve = homes.homes[0].startProgram
    homes.homes[0].startProgram = { _ in nil }
    _ = homes.run(0, "read", "1")
    homes.homes[0].now += 100
    let away = call()
    #expect(away.status == 1)
    #expect(away.errors == "news: ssh cannot be started: is it installed?\n")
    // The other machine is not reached at first, and changes the same later: its change counts.
    homes.homes[0].startProgram = { _ in
      guard let input = SystemPipe(), let output = SystemPipe() else { return nil }
      close(input.readEnd)
      close(output.writeEnd)
      return ProgramPipe(readingFrom: output.readEnd, writingTo: input.writeEnd)
    }
    #expect(call().errors == "news: 1: the connection broke off\n")
    _ = homes.run(1, "read", "1")
    homes.homes[1].now += 5000
    _ = homes.run(1, "sync", homes.path)
    _ = homes.run(1, "unread", "1")
    homes.homes[1].now += 5000
    _ = homes.run(1, "sync", homes.path)
    homes.homes[0].now += 90_000
    homes.homes[0].startProgram = serve
    #expect(call().status == 0)
    #expect(try homes.isRead(0, "Newest of all") == false)
    #expect(try homes.isRead(1, "Newest of all") == false)
  }

  private func answer(_ bytes: [UInt8]) {
    homes.homes[0].startProgram = { _ in
      guard let input = SystemPipe(), let output = SystemPipe() else { return nil }
      _ = bytes.withUnsafeBytes { POSIX.writeAll($0, to: output.writeEnd) }
      close(output.writeEnd)
      close(input.readEnd)
      return ProgramPipe(readingFrom: output.readEnd, writingTo: input.writeEnd)
    }
  }

  @Test(
    "what is no news is told of in a line, and changes nothing",
    arguments: [
      ("Welcome to desk!\nYou have mail, and this line is long.", "it does not talk as news does"),
      ("news-sync 1 9999999999\n", "refused: more than "),
      ("news-sync 1 -000000001\n", "refused: more than "),
      ("news-sync 1 0000000100\nbplist00", "the connection broke off"),
      ("news-sync 1 0000000012\nbplist00\u{1}\u{2}\u{3}\u{4}", "what it says cannot be read: "),
      ("news-sync 1 0000000000\n", "what it says cannot be read: "),
      ("news-sync 2 0000000000\n", "it does not talk as news does"),
      ("", "the connection broke off"),
    ],
  )
  func hostile(_ bytes: String, _ words: String) throws {
    try homes.storeSample()
    let before = try homes.state(0)
    answer(Array(bytes.utf8))
    let result = call()
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("news: 1: ") && result.errors.contains(words), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try homes.state(0) == before)
  }

  @Test("a home that is called by itself says so")
  func itself() throws {
    try homes.storeSample()
    homes.homes[1].machine = homes.homes[0].machine
    homes.homes[0].startProgram = { [homes] _ in
      guard let input = SystemPipe(), let output = SystemPipe() else { return nil }
      let home = homes.homes[0]
      home.caller = ProgramPipe(readingFrom: input.readEnd, writingTo: output.writeEnd)
      _ = try? TestThread {
        home.served = home.run(["sync", "--serve"])
        for end in [input.readEnd, output.writeEnd] { close(end) }
      }
      return ProgramPipe(readingFrom: output.readEnd, writingTo: input.writeEnd)
    }
    _ = homes.sync(0)
    #expect(call().errors == "news: 1: it takes itself for this home\n")
  }

  @Test("what ssh is started with is one command for the other shell, whatever the words")
  func words() throws {
    func words(_ word: String, mayAsk: Bool = true) throws -> [String] {
      try #require(try RemoteMachine(word)).words(mayAsk: mayAsk)
    }
    let start = ["ssh", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15"]
    let serve = "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\" news sync --serve"
    #expect(try words("ssh:desk") == start + ["--", "desk", serve])
    #expect(try words("ssh://me@desk") == start + ["--", "me@desk", serve])
    #expect(
      try words("ssh:desk", mayAsk: false)
        == start + ["-o", "BatchMode=yes", "--", "desk", serve]
    )
    #expect(
      try words("ssh:me@[::1]:~/a b").suffix(2) == ["me@::1", serve + " --home=\"$HOME\"'/a b'"]
    )
    #expect(try words("ssh:desk:/x;rm").last == serve + " --home='/x;rm'")
    for wrong in ["ssh:-oProxyCommand=x", "ssh:", "ssh:a b", "ssh:$(x)", "ssh::/x"] {
      let result = homes.homes[0].run(["sync", wrong])
      #expect(result.status == 64, "\(wrong)")
    }
    #expect(try RemoteMachine("/ssh:x") == nil)
  }
}
