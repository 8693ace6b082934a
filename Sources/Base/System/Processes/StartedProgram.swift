/// The relation of a program to the process that starts it.
package enum ProgramKind: CaseIterable, Sendable {
  case member
  case groupLeader
  /// A `CagedProgram`, which leads a process group too.
  case caged
  /// One that goes on after the process that started it is killed.
  case independent
  case independentLeader

  func start(
    _ words: [String],
    _ variables: [String: String],
    _ descriptors: [(from: Int32, to: Int32)],
  ) -> pid_t? {
    if self == .caged { return CagedProgram.start(words, copying: descriptors) }
    let isGroup = self == .groupLeader || self == .independentLeader
    return POSIX.spawn(words, variables: variables, copying: descriptors, isGroup: isGroup)
  }
}

package struct StartedProgram: Sendable {
  package let process: pid_t
  private let answer: Int32?

  /// Starts a program with some of our descriptors; nil when there is no such program, or no cage
  /// for a caged one.
  package init?(
    _ words: [String],
    variables: [String: String] = [:],
    copying descriptors: [(from: Int32, to: Int32)],
    as kind: ProgramKind = .member,
  ) {
    if let starter = Starter.current {
      guard let started = starter.start(words, variables, descriptors, kind) else { return nil }
      (process, answer) = (started.process, started.answer)
    } else {
      guard let process = kind.start(words, variables, descriptors) else { return nil }
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
