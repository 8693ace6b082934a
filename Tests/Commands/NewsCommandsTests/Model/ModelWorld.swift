import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import Synchronization
import TestSupport

@testable import System

final class ModelWorld: @unchecked Sendable {
  let setting: ModelSetting
  let homes: [CommandRun]
  let server = ReaderServer()
  /// The home that answers in the place of the server's account.
  let served: ModelServedHome?
  private(set) var web = ModelWeb()
  private let pages = FakeFetcher()
  private let folder: TemporaryFolder
  private var callees: [TestThread] = []
  private var backups: [Int: ModelFiles] = [:]
  private var serverBackup: ReaderServer.Account?

  init(_ setting: ModelSetting) throws {
    self.setting = setting
    // The program does the same: a home that ends while it is told something must not end this one.
    POSIX.ignoreSignals()
    folder = try TemporaryFolder()
    homes = try (0..<setting.homes).map { _ in try CommandRun() }
    served = setting.servesHome ? try ModelServedHome() : nil
    served?.home.realFetcher = ModelFetcher(pages: pages, server: server)
    served?.home.now += setting.secondsAhead
    if let served {
      server.home.withLock {
        $0 = { [weak served] in served?.answer($0, isKilled: $1) ?? (503, "") }
      }
    }
    for (number, home) in homes.enumerated() {
      home.machine = ("machine \(number)", "\(number)")
      if setting.clocks.indices.contains(number) { home.now += setting.clocks[number] }
      home.realFetcher = ModelFetcher(pages: pages, server: server)
      home.startProgram = { [unowned self] in call($0) }
      try home.store.prepareHome()
    }
    for feed in 0..<ModelWeb.feeds { serve(feed) }
    let stories = (0..<ModelWeb.feeds).flatMap { feed in
      (0..<ModelWeb.storiesAtFirst).map { ModelWeb.story(feed, $0) }
    }
    for page in ModelWeb.pages + stories {
      pages.serve(ModelWeb.link(page), ModelWeb.article(page))
    }
    try homes[0].folder.write(ModelWeb.printedDocument, to: "printed")
    // Some servers answer in pages.
    if setting.homes > 1 { server.account.withLock { $0.pageSize = 7 } }
  }

  /// The command that prints a feed's document in the first home, and hangs while a file is there.
  var command: String {
    let (document, hanging) = (homes[0].folder.path("printed"), homes[0].folder.path("hanging"))
    let script = "cat '\(document)'; test -e '\(hanging)' && exec sleep 600; exit 0"
    return "sh -c " + ShellWord.quoted(script)
  }

  func setHanging(_ isHanging: Bool) throws {
    if isHanging {
      try homes[0].folder.write("", to: "hanging")
    } else {
      unlink(homes[0].folder.path("hanging"))
    }
  }

  func path(_ home: Int, _ name: String = "") -> String { homes[home].folder.path("home/" + name) }

  private func serve(_ feed: Int) {
    for story in web.carried[feed] {
      pages.serve(ModelWeb.link(story), ModelWeb.page(ofStory: story))
    }
    pages.serve(ModelWeb.url(feed), web.page(feed))
    pages.serve(ModelWeb.url(feed + ModelWeb.feeds), web.page(feed))
  }

  func state(_ place: Int) throws -> ModelState {
    if place < homes.count { return try ModelState(of: homes[place]) }
    return try served.map { try ModelState(served: $0.home) } ?? ModelState(of: server)
  }

  func pass(_ seconds: Double) {
    for home in homes + [served?.home].compactMap(\.self) { home.now += seconds }
  }

  // MARK: Commands

  /// Runs a command; `whole` looks at the effect that one which is killed would have had.
  func run(
    _ words: [String],
    _ number: Int,
    killedBefore point: Int?,
    whole: () throws -> Void,
  ) throws -> CommandResult {
    let home = homes[number]
    guard let point else { return run(words, home) }
    var (files, account): (ModelFiles?, ReaderServer.Account?) = (nil, nil)
    var result: CommandResult?
    let folders =
      [folder.path] + homes.map { $0.folder.path("home") } + [served?.path].compactMap(\.self)
    ModelKill.before(point) { [server] in
      (files, account) = (ModelFiles(folders), server.account.withLock { $0 })
    } in: {
      result = run(words, home)
    }
    guard let files, let account else { return result ?? run(words, home) }
    try whole()
    files.putBack()
    server.account.withLock { $0 = account }
    served?.end()
    return CommandResult(output: "", errors: "killed", status: SIGKILL)
  }

  private func run(_ words: [String], _ home: CommandRun) -> CommandResult {
    let result = home.run(words)
    for callee in callees { callee.join() }
    callees = []
    return result
  }

  private func call(_ words: [String]) -> ProgramPipe? {
    guard let end = words.firstIndex(of: "--"), let number = Int(words[end + 1]),
      let input = SystemPipe(), let output = SystemPipe()
    else { return nil }
    let home = homes[number]
    home.caller = ProgramPipe(readingFrom: input.readEnd, writingTo: output.writeEnd)
    let callee = try? TestThread {
      home.run(["sync", "--serve"])
      for end in [input.readEnd, output.writeEnd] { close(end) }
    }
    guard let callee else { return nil }
    callees.append(callee)
    return ProgramPipe(readingFrom: output.readEnd, writingTo: input.writeEnd)
  }

  func syncWords(_ number: Int, _ place: ModelSetting.Place) throws -> [String] {
    let known = try homes[number].store.syncRemotes().map(\.name)
    switch place {
    case .folder:
      return ["sync"] + (known.contains("f") ? ["f"] : ["add", "f", folder.path])
    case .machine:
      return ["sync"]
        + (known.contains("m")
          ? ["m"] : ["add", "m", "ssh:\((number + 1) % homes.count)"])
    case .server:
      return ["sync"]
        + (known.contains("rss")
          ? ["rss"] : ["add", "rss", ReaderServer.url, "--user", ReaderServer.user])
    }
  }

  func export(from number: Int, _ form: String...) throws -> String {
    let home = homes[number]
    return try home.folder.write(home.run(["export"] + form).output, to: "exported")
  }

  // MARK: Files

  func backUp(_ home: Int) { backups[home] = ModelFiles([path(home)]) }
  func putBack(_ home: Int, _ name: String) { backups[home]?.putBack(path(home, name)) }
  func delete(_ home: Int, _ name: String) { unlink(path(home, name)) }

  // MARK: The web and the server

  func work(_ step: ModelStep) throws {
    if step.act.isOnServer, let served { return try served.work(step) }
    switch step.act {
    case .publish: web.publish(step.feed)
    case .change: web.change(step.story)
    case .vanish: web.vanish(step.feed)
    case .comeBack: web.comeBack(step.feed)
    case .serverRead, .serverUnread:
      mark(step.story) { $0.isRead = step.act == .serverRead }
    case .serverStar, .serverUnstar:
      mark(step.story) { $0.isStarred = step.act == .serverStar }
    case .serverLater, .serverNotLater:
      mark(step.story) { $0.labels = step.act == .serverLater ? ["later"] : [] }
    case .serverSubscribe:
      let url = ModelWeb.url(step.feed)
      if server.labels(url) == nil { server.follow(url, title: "Feed \(step.feed)") }
    case .serverUnsubscribe: server.unfollow(ModelWeb.url(step.feed))
    case .serverFetch: fetch()
    case .serverBackUp: serverBackup = server.account.withLock { $0 }
    case .serverPutBack: putServerBack()
    case .serverLoses:
      server.account.withLock { ($0.feeds, $0.stories) = ([], []) }
    default: break
    }
    if step.act.isOnWeb { serve(step.feed) }
  }

  private func mark(_ story: Int, _ body: (inout ReaderServer.Story) -> Void) {
    server.account.withLock { account in
      for place in account.stories.indices
      where ModelWeb.story(at: account.stories[place].link) == story {
        body(&account.stories[place])
      }
    }
  }

  private func fetch() {
    let account = server.account.withLock { $0 }
    for there in account.feeds {
      guard let feed = ModelWeb.feed(at: there.url) else { continue }
      for story in web.carried[feed % ModelWeb.feeds].reversed()
      where !account.stories.contains(where: {
        $0.stream == there.stream && $0.link == ModelWeb.link(story)
      }) {
        let (link, date) = (ModelWeb.link(story), ModelWeb.date(story))
        server.add(link, web.title(story), of: there.url, date: date)
      }
    }
  }

  /// Puts the server back as it was, but for its numbers: those given since are not given again.
  private func putServerBack() {
    guard let backup = serverBackup else { return }
    server.account.withLock { account in
      let next = account.next
      account = backup
      account.next = next
    }
  }
}

extension ReaderServer {
  fileprivate func unfollow(_ url: String) {
    account.withLock { account in
      let streams = account.feeds.filter { $0.url == url }.map(\.stream)
      account.feeds.removeAll { $0.url == url }
      account.stories.removeAll { streams.contains($0.stream) }
    }
  }
}

private struct ModelFetcher: FeedFetcher {
  let pages: FakeFetcher
  let server: ReaderServer

  func fetch(_ batch: FetchBatch) {
    var (feeds, calls) = (batch, batch)
    feeds.requests.removeAll { $0.url.hasPrefix(ReaderServer.url) }
    calls.requests.removeAll { !$0.url.hasPrefix(ReaderServer.url) }
    for place in calls.requests.indices {
      ModelKill.passed()
      if calls.requests[place].url.hasSuffix("ClientLogin") {
        calls.requests[place].password = ReaderServer.password
      }
    }
    if !feeds.requests.isEmpty { pages.fetch(feeds) }
    if !calls.requests.isEmpty { ReaderFetcher(server: server).fetch(calls) }
  }
}
