package struct StartedProgram: Sendable {
  package let process: pid_t
  private let answer: Int32?

  /// Starts a program with some of our descriptors; nil when there is no such program.
  ///
  /// `isGroup` makes it lead a process group, as a caged one always does. One that outlives us goes
  /// on after this process is killed. A caged one is not started where there can be no cage.
  package init?(
    _ words: [String],
    variables: [String: String] = [:],
    copying descriptors: [(from: Int32, to: Int32)],
    isGroup: Bool = false,
    outlivesUs: Bool = false,
    isCaged: Bool = false,
  ) {
    if let starter = Starter.current {
      let kind: StarterOrder.Kind =
        isCaged
        ? .caged
        : outlivesUs
          ? (isGroup ? .independentGroup : .independent) : isGroup ? .group : .program
      guard let started = starter.start(words, variables, descriptors, kind) else { return nil }
      (process, answer) = (started.process, started.answer)
    } else {
      let process =
        isCaged
        ? CagedProgram.start(words, copying: descriptors)
        : POSIX.spawn(words, variables: variables, copying: descriptors, isGroup: isGroup)
      guard let process else { return nil }
      (self.process, answer) = (process, nil)
    }
  }

  /// Waits as `POSIX.waitForEnd` does; to be called once.
  package func waitForEnd() -> Int32 {
    guard let answer else { return POSIX.waitForEnd(of: process) }
    defer { _ = close(answer) }
    return Starter.number(from: answer) ?? 127
  }
}
