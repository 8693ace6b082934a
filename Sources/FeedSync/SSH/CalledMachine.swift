internal import FeedFetching
internal import FeedModel
internal import FeedStorage
internal import FeedUpdating
internal import System

/// Another machine, whose news this one calls by ssh.
struct CalledMachine: MachinesRemote {
  let home: HomeSync
  private let machine: RemoteMachine
  private let patience: ProgramPipe.Patience
  private var talk: MachineTalk?
  private var begun: SyncState?

  init(_ home: HomeSync, _ machine: RemoteMachine) {
    (self.home, self.machine) = (home, machine)
    patience = ProgramPipe.Patience(
      until: home.deadline,
      orReadable: home.cancellation.descriptor,
    )
  }

  private func words() -> [String] {
    machine.words(
      sharesStories: home.sharesStories,
      consent: home.consent,
      mayAsk: home.context.mayAsk,
    )
  }

  mutating func read() throws(SyncError) -> MachinesReading {
    guard let pipe = home.context.startProgram(words()) else {
      throw SyncError("ssh cannot be started: is it installed?")
    }
    let talk = MachineTalk(pipe: pipe, patience: patience, name: machine.host)
    self.talk = talk
    let begun = try home.begin()
    self.begun = begun
    let file = try talk.file(on: home.now)
    guard file.state.machine != begun.machine else {
      throw SyncError("\(talk.name): it takes itself for this home")
    }
    return MachinesReading(contents: SyncFolder.Contents(file), begun: begun)
  }

  func send(_ merged: MachinesMerge, _ outcome: inout SyncOutcome) throws(SyncError) {
    guard let talk else { return }
    var merged = merged
    try talk.say(merged.own.bytes(isShared: true))
    try talk.sayStories(merged, home)
    let count = try talk.takeStories(merged, home)
    try mergeAgain(withStories: count, &merged, &outcome)
  }

  func end(_ failure: SyncError?) -> SyncError? {
    guard let talk else { return failure }
    // What has said all may take a moment to end, and no longer.
    var ending = patience
    ending.end = .now + .seconds(2)
    let status = talk.pipe.end(ending)
    complain(talk.pipe.takeErrors())
    guard failure != nil, let begun else { return failure }
    // What was changed here has its time, whenever it is told.
    _ = try? home.noteChanges(begun)
    return status == 127 ? SyncError("\(machine.host): there is no program `news`") : failure
  }

  /// Passes on what ssh and the other machine say, without what would change the terminal.
  private func complain(_ errors: [UInt8]) {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    for line in lines.prefix(20) {
      let line = SafeText.line(String(line.prefix(500)))
      let words = line.hasPrefix("news: ") ? String(line.dropFirst(6)) : line
      if !words.isEmpty { home.context.complain("\(machine.host): \(words)") }
    }
  }
}

/// Another machine, whose news has called this one.
package struct CallingMachine: MachinesRemote {
  package let home: HomeSync
  private let talk: MachineTalk

  package init(_ home: HomeSync, _ talk: MachineTalk) {
    (self.home, self.talk) = (home, talk)
  }

  package func read() throws(SyncError) -> MachinesReading {
    let begun = try home.begin()
    try talk.say(try home.noteChanges(begun).bytes(isShared: true))
    let file = try talk.file(on: home.now)
    return MachinesReading(contents: SyncFolder.Contents(file), begun: begun)
  }

  package func send(
    _ merged: MachinesMerge,
    _ outcome: inout SyncOutcome,
  ) throws(SyncError) {
    var merged = merged
    let count = try talk.takeStories(merged, home)
    try mergeAgain(withStories: count, &merged, &outcome)
    try talk.sayStories(merged, home)
  }
}
