/// A program that this process has had started, by itself or by its starter.
package struct StartedProgram: Sendable {
  package let process: pid_t
  /// Where its status comes from, when it is another process's child.
  private let answer: Int32?

  /// Starts a program with some of our descriptors as its own; nil when there is no such program.
  ///
  /// A group is one of its own, which it leads; what outlives us goes on where this process is killed.
  /// In a cage it leads a group, too, and it is not started at all where there is none.
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
        isCaged ? .caged : outlivesUs ? .independent : isGroup ? .group : .program
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

  /// Waits for the end as `POSIX.waitForEnd` does; to be called once.
  package func waitForEnd() -> Int32 {
    guard let answer else { return POSIX.waitForEnd(of: process) }
    defer { _ = close(answer) }
    return Starter.number(from: answer) ?? 127
  }
}
