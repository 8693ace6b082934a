/// A program that this process has had started, by itself or by the one that runs its commands.
package struct StartedProgram: Sendable {
  package let process: pid_t
  /// Where its status comes from, when it is another process's child.
  private let answer: Int32?

  /// As `POSIX.spawn`; or in a cage, and not at all where there is none.
  package init?(
    _ words: [String],
    variables: [String: String] = [:],
    copying descriptors: [(from: Int32, to: Int32)],
    isGroup: Bool = false,
    isCaged: Bool = false,
  ) {
    if let runner = CommandRunner.current {
      guard let started = runner.start(words, variables, descriptors, isGroup: isGroup) else {
        return nil
      }
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

  /// As `POSIX.waitForEnd`; to be called once.
  package func waitForEnd() -> Int32 {
    guard let answer else { return POSIX.waitForEnd(of: process) }
    defer { _ = close(answer) }
    return CommandRunner.number(from: answer) ?? 127
  }
}
