internal import CommandLine
internal import FeedFetching
internal import FeedModel
package import FeedStorage
internal import System

/// A sync with another machine, on which this one starts `news` by ssh.
struct SSHSession: MachineSession {
  let home: HomeSync
  private let machine: RemoteMachine
  private let timeout: ProgramPipe.Timeout
  private var connection: MachineConnection?
  private var begun: SyncState?

  init(_ home: HomeSync, _ machine: RemoteMachine) {
    (self.home, self.machine) = (home, machine)
    timeout = ProgramPipe.Timeout(
      until: home.deadline,
      orReadable: home.cancellation.descriptor,
    )
  }

  private func words() -> [String] {
    machine.words(consent: home.consent, mayAsk: home.context.mayAsk)
  }

  mutating func read() throws -> MachineReading {
    if let refusal = home.store.ownWords().refusal {
      throw Failure("ssh is not started: \(refusal)")
    }
    guard let pipe = home.context.startProgram(words()) else {
      throw Failure("ssh cannot be started: is it installed?")
    }
    let connection = MachineConnection(pipe: pipe, timeout: timeout, name: machine.host)
    self.connection = connection
    let begun = try home.begin()
    self.begun = begun
    let file = try connection.receiveFile(home.intake(begun))
    guard file.state.machine != begun.machine else {
      throw Failure("\(connection.name): it takes itself for this home")
    }
    return MachineReading(
      contents: SyncFolder.Contents(file, from: connection.name),
      begun: begun,
    )
  }

  func send(_ merged: SyncFile, _ outcome: inout SyncOutcome) throws {
    guard let connection else { return }
    try connection.send(merged.bytes(isShared: true))
    try connection.send([])
    try connection.receiveNothing()
  }

  func end(_ failure: (any Error)?) -> (any Error)? {
    guard let connection else { return failure }
    // A program that has sent everything may take a moment to end.
    var ending = timeout
    ending.end = .now + .seconds(2)
    let status = connection.pipe.end(ending)
    complain(connection.pipe.takeErrors())
    guard failure != nil, let begun else { return failure }
    // Changes made here keep their time, whenever they are sent.
    _ = try? home.noteChanges(begun)
    return status == 127 ? Failure("\(machine.host): there is no program `news`") : failure
  }

  /// Reports the errors of ssh and the other machine, without control characters.
  private func complain(_ errors: [UInt8]) {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    for line in lines.prefix(20) {
      let line = SafeText.line(String(line.prefix(500)))
      let words = line.hasPrefix("news: ") ? String(line.dropFirst(6)) : line
      if !words.isEmpty { home.context.complain("\(machine.host): \(words)") }
    }
  }
}

/// A sync with the machine that started this process by ssh.
package struct CallerSession: MachineSession {
  package let home: HomeSync
  private let connection: MachineConnection

  package init(_ home: HomeSync, _ connection: MachineConnection) {
    (self.home, self.connection) = (home, connection)
  }

  package func read() throws -> MachineReading {
    let begun = try home.begin()
    try connection.send(try home.noteChanges(begun).bytes(isShared: true))
    let file = try connection.receiveFile(home.intake(begun))
    return MachineReading(
      contents: SyncFolder.Contents(file, from: connection.name),
      begun: begun,
    )
  }

  package func send(_ merged: SyncFile, _ outcome: inout SyncOutcome) throws {
    try connection.receiveNothing()
    try connection.send([])
  }
}
