package import CommandLine
internal import FeedFetching
internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
package import System

/// What two machines tell each other through one connection: three times one says something, and the
/// other waits for it.
///
/// The one that was called says what it knows; the caller merges that, and says what it knows now, and
/// the stories that the other lacks; the other merges it, and says the stories that the caller lacks.
/// Whatever breaks off leaves both as they are, or one further than the other, as by a folder.
package struct MachineTalk {
  let pipe: ProgramPipe
  let patience: ProgramPipe.Patience
  /// Who the other one is, for messages.
  let name: String

  package init(pipe: ProgramPipe, patience: ProgramPipe.Patience, name: String) {
    self.pipe = pipe
    self.patience = patience
    self.name = name
  }

  private static let greeting = "news-sync 1 "
  /// The greeting, a length of ten digits, a line feed.
  private static let headLength = greeting.utf8.count + 11
  private static let maximumBytes = 2 * StorySharing.maximumBytes

  func say(_ bytes: [UInt8]) throws(SyncError) {
    let head = Self.greeting + bytes.count.padded(to: 10) + "\n"
    guard pipe.write(Array(head.utf8) + bytes, patience) else { throw brokenOff }
  }

  func hear() throws(SyncError) -> [UInt8] {
    guard let head = pipe.read(Self.headLength, patience) else { throw brokenOff }
    let text = String(decoding: head, as: UTF8.self)
    guard text.hasPrefix(Self.greeting), text.hasSuffix("\n"),
      let length = Int(text.dropFirst(Self.greeting.count).dropLast())
    else {
      throw SyncError(
        "\(name): it does not talk as news does (does its shell print something when it begins?)"
      )
    }
    guard (0...Self.maximumBytes).contains(length) else {
      throw SyncError("\(name): refused: more than \(Self.maximumBytes) bytes at once")
    }
    guard let bytes = pipe.read(length, patience) else { throw brokenOff }
    return bytes
  }

  private var brokenOff: SyncError { SyncError("\(name): the connection broke off") }
}

extension HomeSync {
  /// Synchronizes with another machine's news, which `talk` leads to.
  func call(_ talk: MachineTalk, _ begun: SyncState) throws(SyncError) -> Outcome {
    let file = try file(talk.hear(), from: talk)
    guard file.state.machine != begun.machine else {
      throw SyncError("\(talk.name): it takes itself for this home")
    }
    var (outcome, own) = try merge(SyncFolder.Contents(file), begun, in: nil)
    try talk.say(own.bytes(isShared: true))
    try talk.say(try lacked(by: file, own))
    outcome.result.stories = try take(talk.hear(), from: talk, own.state)
    if outcome.result.stories > 0 {
      let second = try merge(SyncFolder.Contents(file), begun, in: nil).outcome
      outcome.result.add(second.result)
    }
    return outcome
  }

  /// Does the same as the one that was called.
  package func answer(_ talk: MachineTalk) throws(SyncError) -> Outcome {
    try talk.say(try noteChanges(try begin()).bytes(isShared: true))
    let file = try file(talk.hear(), from: talk)
    let (outcome, own) = try merge(SyncFolder.Contents(file), try begin(), in: nil)
    if try take(talk.hear(), from: talk, own.state) > 0 {
      _ = try merge(SyncFolder.Contents(file), try begin(), in: nil)
    }
    try talk.say(try lacked(by: file, own))
    return outcome
  }

  private func file(_ bytes: [UInt8], from talk: MachineTalk) throws(SyncError) -> SyncFile {
    let latest = SyncFolder.latest(on: context.now())
    do throws(StorageError) {
      return try SyncFile(bytes, from: talk.name, latest: latest)
    } catch {
      guard case .damaged(_, let reason) = error else { throw SyncError("\(error)") }
      throw SyncError("\(talk.name): what it says cannot be read: \(reason)")
    }
  }

  private func lacked(by file: SyncFile, _ own: SyncFile) throws(SyncError) -> [UInt8] {
    guard own.state.stories != nil else { return [] }
    return try sharing.stories(for: [file.state.stories].compactMap(\.self)) ?? []
  }

  private func take(
    _ bytes: [UInt8],
    from talk: MachineTalk,
    _ state: SyncState,
  ) throws(SyncError) -> Int {
    guard !bytes.isEmpty, state.stories != nil else { return 0 }
    let body = ReceivedBody()
    bytes.withUnsafeBytes { body.append($0) }
    return try body.withBytes { bytes throws(SyncError) in
      try sharing.take(ReaderExport(bytes, name: talk.name), but: state)
    }
  }
}

/// Another machine as ssh reaches it.
package struct RemoteMachine: Hashable {
  package let host: String
  package let home: String?

  /// Reads `ssh:HOST[:HOME]`; nil for another word.
  ///
  /// HOST may have a user before it, and be an address in brackets.
  /// - Throws: where it would be an option of ssh, or of several words.
  package init?(_ word: String) throws(WordFault) {
    guard word.hasPrefix("ssh:") else { return nil }
    var rest = word.dropFirst(4)
    while rest.hasPrefix("/") { rest = rest.dropFirst() }
    let end = rest.hasPrefix("[") || rest.contains("@[") ? rest.firstIndex(of: "]") : nil
    let colon = rest[(end ?? rest.startIndex)...].firstIndex(of: ":")
    host = rest[..<(colon ?? rest.endIndex)].filter { $0 != "[" && $0 != "]" }
    let path = colon.map { rest[rest.index(after: $0)...] } ?? ""
    home = path.isEmpty ? nil : String(path)
    let isName = host.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || "@.:-_%".utf8.contains(byte)
    }
    guard isName, !host.isEmpty, !host.hasPrefix("-") else {
      throw WordFault(reason: "not a host as ssh knows it: ssh:HOST or ssh:HOST:HOME")
    }
  }

  package init(host: String, home: String?) { (self.host, self.home) = (host, home) }

  /// What ssh is to be started with; without a terminal it asks nothing.
  package func words(
    sharesStories: Bool,
    consent: SyncConsent = .asked,
    mayAsk: Bool,
  ) -> [String] {
    let home = home.map { home in
      // The other shell's own home is for it to find.
      home == "~" || home.hasPrefix("~/")
        ? "\"$HOME\"" + ShellWord.asNeeded(String(home.dropFirst())) : ShellWord.quoted(home)
    }
    // Shells that nobody logs in to often lack the folder of one's own programs.
    let command =
      "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\" news sync --serve"
      + (sharesStories ? " --stories" : "") + consent.words + (home.map { " --home=\($0)" } ?? "")
    let ssh = ["ssh", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15"]
    return ssh + (mayAsk ? [] : ["-o", "BatchMode=yes"]) + ["--", host, command]
  }
}

extension SyncConsent {
  /// What is agreed to here is agreed to there: by whoever sits at both.
  fileprivate var words: String {
    switch self {
    case .asked: ""
    // What is here is to be there, too.
    case .accepted, .restored: " --accept"
    }
  }
}

extension HomeSync {
  func run(
    _ machine: RemoteMachine,
    sharesStories: Bool,
    _ patience: ProgramPipe.Patience,
  ) throws(SyncError) -> Outcome {
    let words = machine.words(
      sharesStories: sharesStories,
      consent: consent,
      mayAsk: context.mayAsk,
    )
    guard let pipe = context.startProgram(words) else {
      throw SyncError("ssh cannot be started: is it installed?")
    }
    let talk = MachineTalk(pipe: pipe, patience: patience, name: machine.host)
    // What has said all may take a moment to end, and no longer.
    var ending = patience
    let begun = try begin()
    do throws(SyncError) {
      let outcome = try call(talk, begun)
      ending.end = .now + .seconds(2)
      _ = pipe.end(ending)
      tell(pipe.takeErrors(), of: machine)
      return outcome
    } catch {
      ending.end = .now + .seconds(2)
      let status = pipe.end(ending)
      tell(pipe.takeErrors(), of: machine)
      // What was changed here has its time, whenever it is told.
      _ = try? noteChanges(begun)
      throw status == 127 ? SyncError("\(machine.host): there is no program `news`") : error
    }
  }

  /// Passes on what ssh and the other machine say, without what would change the terminal.
  private func tell(_ errors: [UInt8], of machine: RemoteMachine) {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    for line in lines.prefix(20) {
      let line = SafeText.line(String(line.prefix(500)))
      let words = line.hasPrefix("news: ") ? String(line.dropFirst(6)) : line
      if !words.isEmpty { context.complain("\(machine.host): \(words)") }
    }
  }
}
