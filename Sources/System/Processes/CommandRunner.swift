internal import CConfinement
internal import Synchronization

/// A command that may be run once a process can run none itself.
package struct RunnableCommand: Sendable {
  package enum Word: Sendable {
    case fixed(String)
    /// What is only known later, if it is as it has to be: never the program.
    case open(@Sendable (String) -> Bool)
  }

  private let words: [Word]
  fileprivate let variables: [String: String]
  /// It is run in a cage, or not at all.
  fileprivate let isCaged: Bool

  package init(_ words: [Word], variables: [String: String] = [:], isCaged: Bool = false) {
    (self.words, self.variables, self.isCaged) = (words, variables, isCaged)
  }

  package init(_ words: [String], variables: [String: String] = [:], isCaged: Bool = false) {
    self.init(words.map(Word.fixed), variables: variables, isCaged: isCaged)
  }

  /// A line for the shell.
  package init(shell line: String) {
    self.init(["/bin/sh", "-c", line])
  }

  /// What stands in the open places of these words; nil when they are another command's.
  fileprivate func arguments(in said: [String], _ variables: [String: String]) -> [String]? {
    guard said.count == words.count, variables == self.variables else { return nil }
    var arguments: [String] = []
    for (word, text) in zip(words, said) {
      switch word {
      case .fixed(let known): if known != text { return nil }
      case .open(let isRight):
        guard isRight(text) else { return nil }
        arguments.append(text)
      }
    }
    return arguments
  }

  /// The command with what stands in its open places; nil where that is not as it has to be.
  fileprivate func words(with arguments: [String]) -> [String]? {
    var rest = arguments[...]
    var said: [String] = []
    for word in words {
      switch word {
      case .fixed(let known): said.append(known)
      case .open(let isRight):
        guard let text = rest.popFirst(), isRight(text) else { return nil }
        said.append(text)
      }
    }
    return rest.isEmpty ? said : nil
  }
}

/// A process that runs the user's own commands for one that may run nothing any more.
///
/// It is forked before anything foreign was read, and knows its commands by number: what it is told
/// later is a number, descriptors, and texts for the places that the command leaves open. It is in the
/// same session and process group, so that programs have the terminal as ever, and ends with the
/// process that it serves. Of files it opens those that it was told of, which may be other ones by then
/// (a feed that a program writes anew). Its rights are the user's whole ones, with those of setuid and setgid
/// programs: crontab, sendmail and browsers are such, and what they are to do the user has said.
package final class CommandRunner: Sendable {
  private let channel: Int32
  private let commands: [RunnableCommand]
  private let files: [String]

  private static let shared = Mutex<CommandRunner?>(nil)
  private static let maximumMessage = 128 << 10
  private static let firstFile: Int32 = 16

  /// The one that serves this process.
  static var current: CommandRunner? { shared.withLock(\.self) }

  private init(_ channel: Int32, _ commands: [RunnableCommand], _ files: [String]) {
    (self.channel, self.commands, self.files) = (channel, commands, files)
  }

  /// Starts it, before there are other threads, and before the process is confined.
  ///
  /// Where there can be none, programs are started as ever.
  package static func start(_ commands: [RunnableCommand], files: [String]) {
    var ends: [Int32] = [-1, -1]
    guard cconfinement_make_channel(&ends) else { return }
    let process = cconfinement_fork()
    if process == 0 {
      _ = close(ends[0])
      serve(ends[1], commands, files)
    }
    _ = close(ends[1])
    guard process > 0 else {
      _ = close(ends[0])
      return
    }
    shared.withLock { $0 = CommandRunner(ends[0], commands, files) }
  }

  // MARK: The process that is served

  /// The program's process, and where its status comes; nil for a command that it does not know, and
  /// where there is no such program.
  func start(
    _ words: [String],
    _ variables: [String: String],
    _ descriptors: [(from: Int32, to: Int32)],
    isGroup: Bool,
  ) -> (process: pid_t, answer: Int32)? {
    for (number, command) in commands.enumerated() {
      guard let arguments = command.arguments(in: words, variables) else { continue }
      let standard = (Int32(0)...2).filter { to in !descriptors.contains { $0.to == to } }
      let all = descriptors + standard.map { ($0, $0) }
      let kind = isGroup ? Order.Kind.runGroup : .run
      let order = Order(number: number, kind, targets: all.map(\.to), arguments)
      return send(order, all.map(\.from))
    }
    return nil
  }

  private func send(_ order: Order, _ files: [Int32]) -> (process: pid_t, answer: Int32)? {
    guard let pipe = SystemPipe() else { return nil }
    let bytes = order.bytes
    let files = files + [pipe.writeEnd]
    let isSent =
      bytes.count <= Self.maximumMessage
      && cconfinement_send(channel, bytes, bytes.count, files, files.count)
    _ = close(pipe.writeEnd)
    if isSent, let process = Self.number(from: pipe.readEnd), process > 0 {
      return (process, pipe.readEnd)
    }
    _ = close(pipe.readEnd)
    return nil
  }

  /// As `POSIX.openForReading`, of a file that both were told of, whatever has taken its place since.
  package static func openForReading(_ path: String) -> Int32 {
    let own = POSIX.openForReading(path)
    guard own < 0, errno == EACCES else { return own }
    let other = open(path)
    if other < 0 { errno = EACCES }
    return other
  }

  private static func open(_ path: String) -> Int32 {
    guard let runner = current, let number = runner.files.firstIndex(of: path) else { return -1 }
    var ends: [Int32] = [-1, -1]
    guard cconfinement_make_channel(&ends) else { return -1 }
    defer { _ = close(ends[0]) }
    let order = Order(number: number, .open, targets: [], []).bytes
    let isSent = cconfinement_send(runner.channel, order, order.count, [ends[1]], 1)
    _ = close(ends[1])
    guard isSent else { return -1 }
    var (byte, count): (UInt8, Int) = (0, 0)
    var files = [Int32](repeating: -1, count: 8)
    return cconfinement_receive(ends[0], &byte, 1, &files, &count) == 1 && count == 1
      ? files[0] : -1
  }

  /// nil when the other end has gone.
  static func number(from descriptor: Int32) -> Int32? {
    var number: Int32 = 0
    // Of a pipe, so few bytes come whole or not at all.
    let count = withUnsafeMutableBytes(of: &number) { POSIX.readPart(of: descriptor, into: $0) }
    return count == MemoryLayout<Int32>.size ? number : nil
  }

  // MARK: The process that serves

  private static func serve(
    _ channel: Int32,
    _ commands: [RunnableCommand],
    _ paths: [String],
  ) -> Never {
    prepare()
    var bytes = [UInt8](repeating: 0, count: maximumMessage)
    while true {
      var files = [Int32](repeating: -1, count: 8)
      var count = 0
      let size = cconfinement_receive(channel, &bytes, bytes.count, &files, &count)
      // Whoever was served has ended, or says what nobody would.
      guard size > 0 else { _exit(0) }
      let own = Array(files[..<count])
      if let order = Order(bytes[..<size]) {
        if order.kind == .open {
          open(order, paths, own)
        } else {
          run(order, commands, own)
        }
      }
      for file in own { _ = close(file) }
    }
  }

  /// Has what ends the process that is served not end this one first: it goes when the channel ends.
  ///
  /// Programs do not inherit handlers, as they would what is ignored.
  private static func prepare() {
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
      var old = sigaction()
      sigaction(number, nil, &old)
      if !old.isIgnoring { POSIX.setSignalHandler(number) { _, _, _ in } }
    }
    // Descriptors come with each order; our own would keep others' pipes open.
    let null = POSIX.openNull()
    for descriptor in Int32(0)...2 where null >= 0 { _ = dup2(null, descriptor) }
    if null > 2 { _ = close(null) }
  }

  private static func open(_ order: Order, _ paths: [String], _ files: [Int32]) {
    guard let answer = files.first, paths.indices.contains(order.number) else { return }
    let file = POSIX.openForReading(paths[order.number])
    guard file >= 0 else { return }
    _ = cconfinement_send(answer, [0 as UInt8], 1, [file], 1)
    _ = close(file)
  }

  private static func run(_ order: Order, _ commands: [RunnableCommand], _ files: [Int32]) {
    guard let answer = files.last, files.count == order.targets.count + 1,
      commands.indices.contains(order.number)
    else { return }
    let command = commands[order.number]
    // Above all numbers that they are to have, which another one would take otherwise.
    let high = files.dropLast().map { fcntl($0, F_DUPFD_CLOEXEC, firstFile) }
    defer { for file in high where file >= 0 { _ = close(file) } }
    let descriptors = Array(zip(high, order.targets)).map { (from: $0.0, to: $0.1) }
    let process = command.words(with: order.arguments).flatMap { words in
      command.isCaged
        ? CagedProgram.start(words, copying: descriptors)
        : POSIX.spawn(
          words,
          variables: command.variables,
          copying: descriptors,
          isGroup: order.kind == .runGroup,
        )
    }
    tell(process ?? -1, to: answer)
    guard let process else { return }
    let own = fcntl(answer, F_DUPFD_CLOEXEC, firstFile)
    let wait = { @Sendable in
      tell(POSIX.waitForEnd(of: process), to: own)
      _ = close(own)
    }
    if !POSIX.startThread(wait) { wait() }
  }

  private static func tell(_ number: Int32, to descriptor: Int32) {
    var number = number
    // Who has gone needs no answer.
    _ = withUnsafeBytes(of: &number) { POSIX.writePart(of: $0, to: descriptor) }
  }
}

/// What the process that runs commands is told: texts with a NUL between them.
private struct Order {
  enum Kind: String {
    case run
    /// In a process group of its own.
    case runGroup
    case open
  }

  /// Of the command, or the file.
  let number: Int
  let kind: Kind
  /// What the descriptors that come with it are to be in the program.
  let targets: [Int32]
  let arguments: [String]

  init(number: Int, _ kind: Kind, targets: [Int32], _ arguments: [String]) {
    (self.number, self.kind, self.targets) = (number, kind, targets)
    self.arguments = arguments
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 3, let number = Int(parts[0]), let kind = Kind(rawValue: parts[1]) else {
      return nil
    }
    let targets = parts[2].split(separator: ",").map { Int32($0) ?? -1 }
    guard targets.allSatisfy({ (0...9).contains($0) }) else { return nil }
    self.init(number: number, kind, targets: targets, Array(parts[3...]))
  }

  var bytes: [UInt8] {
    let slots = targets.map(String.init).joined(separator: ",")
    let parts = [String(number), kind.rawValue, slots] + arguments
    return Array(parts.joined(separator: "\0").utf8)
  }
}
