internal import CConfinement

struct StarterService {
  private struct Child {
    /// Nil for a reader.
    let kind: ProgramKind?
    let answer: Int32
  }

  private let channel: Int32
  private let reader: (Int32) -> Void
  private let ends: Int32
  private var children: [pid_t: Child] = [:]

  private static let firstFile: Int32 = 16
  private static let grace = Duration.milliseconds(500)

  init(_ channel: Int32, _ reader: @escaping (Int32) -> Void) {
    (self.channel, self.reader) = (channel, reader)
    ends = cconfinement_watch_children()
    Self.keepSignals()
    // Descriptors come with each order; our own would keep other processes' pipes open.
    let null = POSIX.openNull()
    for descriptor in Int32(0)...2 where null >= 0 { _ = dup2(null, descriptor) }
    if null > 2 { _ = close(null) }
  }

  /// Survives the signals that end the process it serves; it goes when the channel ends.
  ///
  /// Programs inherit ignored signals, but not handlers.
  static func keepSignals() {
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
      var old = sigaction()
      sigaction(number, nil, &old)
      if !old.isIgnoring { POSIX.setSignalHandler(number) { _, _, _ in } }
    }
  }

  func serve() -> Never {
    var service = self
    let room = Starter.maximumMessage
    var bytes = [UInt8](unsafeUninitializedCapacity: room) { $1 = room }
    while true {
      let ready = POSIX.wait(on: [channel, ends], until: nil)
      if ready[1] { service.takeEnds() }
      guard ready[0] else { continue }
      var files = [Int32](repeating: -1, count: 8)
      var count = 0
      let size = cconfinement_receive(channel, &bytes, bytes.count, &files, &count)
      // The process that was served has ended, or sends what it never would.
      guard size > 0 else { service.end() }
      let own = Array(files[..<count])
      if let order = StarterOrder(record: Array(bytes[..<size])) { service.carryOut(order, own) }
      for file in own { _ = close(file) }
    }
  }

  private mutating func carryOut(_ order: StarterOrder, _ files: [Int32]) {
    guard let answer = files.last else { return }
    let process = order.kind == nil ? fork(files) : spawn(order, files)
    Self.tell(process ?? -1, to: answer)
    guard let process else { return }
    children[process] = Child(
      kind: order.kind,
      answer: order.kind == nil ? -1 : fcntl(answer, F_DUPFD_CLOEXEC, Self.firstFile),
    )
  }

  private func spawn(_ order: StarterOrder, _ files: [Int32]) -> pid_t? {
    guard files.count == order.targets.count + 1 else { return nil }
    // Above all numbers that they are to get, so that none of them overwrites another.
    let high = files.dropLast().map { fcntl($0, F_DUPFD_CLOEXEC, Self.firstFile) }
    defer { for file in high where file >= 0 { _ = close(file) } }
    let descriptors = zip(high, order.targets).map { (from: $0, to: Int32($1)) }
    return order.kind?.start(order.words, order.variables, descriptors)
  }

  /// Forks a reader, which gets the connection and no way to order anything.
  private func fork(_ files: [Int32]) -> pid_t? {
    guard files.count == 2 else { return nil }
    let process = cconfinement_fork()
    guard process == 0 else { return process > 0 ? process : nil }
    let others = [channel, ends, files[1]] + children.values.map(\.answer)
    for descriptor in others where descriptor >= 0 { _ = close(descriptor) }
    cconfinement_end_with_parent()
    POSIX.shareMemory()
    reader(files[0])
    _exit(0)
  }

  private static func tell(_ number: Int32, to descriptor: Int32) {
    var number = number
    // An orderer that has gone needs no answer.
    _ = withUnsafeBytes(of: &number) { POSIX.writePart(of: $0, to: descriptor) }
  }

  // MARK: Ends

  private mutating func takeEnds() {
    cconfinement_take_child_signals(ends)
    var status: Int32 = 0
    while true {
      let process = waitpid(-1, &status, WNOHANG)
      guard process > 0 else { return }
      guard let child = children.removeValue(forKey: process), child.answer >= 0 else { continue }
      Self.tell(POSIX.exitStatus(status), to: child.answer)
      _ = close(child.answer)
    }
  }

  /// Ends what is still waited for, with all that it has started, and then this process.
  private mutating func end() -> Never {
    children = children.filter { ![.independent, .independentLeader].contains($0.value.kind) }
    signal(SIGTERM)
    let end = ContinuousClock.now + Self.grace
    while !children.isEmpty, .now < end {
      POSIX.wait(on: [ends], until: end)
      takeEnds()
    }
    signal(SIGKILL)
    _exit(0)
  }

  private func signal(_ number: Int32) {
    let own = Set(children.filter { $0.value.kind != nil }.keys)
    for (process, child) in children where child.kind != .member {
      // A reader has nothing to bring to an end.
      _ = child.kind == nil ? kill(process, SIGKILL) : kill(-process, number)
    }
    guard !own.isEmpty else { return }
    for process in ProcessTree.current.descendants(of: own) { _ = kill(process, number) }
  }
}
