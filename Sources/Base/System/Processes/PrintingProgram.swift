/// A program that reads bytes, prints bytes, and asks nobody anything.
///
/// It leads a process group of its own, by which all that it has started is killed with it.
package struct PrintingProgram: Sendable {
  package enum End: Hashable, Sendable {
    /// The status of `POSIX.waitForEnd`, and the last line on standard error.
    case ended(status: Int32, said: String)
    case timedOut
    case refused
  }

  private static let maximumErrors = 4096

  private let program: StartedProgram
  private let output: Int32
  private let errors: Int32

  /// Runs it, and passes on its output; nil where it cannot be started.
  ///
  /// It is killed at `end`, when `descriptor` is readable, or when `receive` returns false. If
  /// caged, it runs as a `CagedProgram` or not at all.
  package static func run(
    _ words: [String],
    input: UnsafeRawBufferPointer,
    until end: ContinuousClock.Instant?,
    orReadable descriptor: Int32?,
    isCaged: Bool = false,
    receive: (UnsafeRawBufferPointer) -> Bool,
  ) -> End? {
    guard let running = PrintingProgram(words, input, isCaged: isCaged) else { return nil }
    let result = running.read(until: end, orReadable: descriptor, receive)
    if case .ended = result { return result }
    _ = kill(-running.program.process, SIGKILL)
    return result
  }

  private init?(_ words: [String], _ input: UnsafeRawBufferPointer, isCaged: Bool) {
    let source = POSIX.openForReading(bytes: input)
    let pipes = [SystemPipe(), SystemPipe()].compactMap(\.self)
    let outputs = zip(pipes, Int32(1)...2).map { (from: $0.writeEnd, to: $1) }
    let program =
      source < 0 || pipes.count < 2
      ? nil
      : StartedProgram(
        words,
        copying: [(source, 0)] + outputs,
        as: isCaged ? .caged : .groupLeader,
      )
    for end in [source] + pipes.map(\.writeEnd) where end >= 0 { _ = close(end) }
    guard let program else {
      for pipe in pipes { _ = close(pipe.readEnd) }
      return nil
    }
    (self.program, output, errors) = (program, pipes[0].readEnd, pipes[1].readEnd)
  }

  private func read(
    until end: ContinuousClock.Instant?,
    orReadable descriptor: Int32?,
    _ receive: (UnsafeRawBufferPointer) -> Bool,
  ) -> End {
    // It ends by itself or by the signal that follows; its thread is left alone with one that
    // hangs.
    let waiting = BackgroundTask { [program] in program.waitForEnd() }
    var open = [output, errors]
    defer { for end in open { _ = close(end) } }
    var said: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
    defer { buffer.deallocate() }
    while open.contains(output) || !open.isEmpty && waiting.value == nil {
      let others = [descriptor, open.contains(output) ? nil : waiting.descriptor]
      let ready = POSIX.wait(on: open + others.compactMap(\.self), until: end)
      if end.map({ $0 <= .now }) ?? false { return .timedOut }
      if descriptor != nil, ready[open.count] { return .timedOut }
      for (end, isReady) in zip(open, ready) where isReady {
        let count = POSIX.readPart(of: end, into: buffer)
        guard count > 0 else {
          _ = close(end)
          open.removeAll { $0 == end }
          continue
        }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        if end == errors {
          said = (said + piece).suffix(Self.maximumErrors)
        } else if !receive(piece) {
          return .refused
        }
      }
    }
    waiting.wait(until: end, orReadable: descriptor)
    guard let status = waiting.value else { return .timedOut }
    let lines = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
    return .ended(status: status, said: SafeText.line(lines.last.map(String.init) ?? ""))
  }
}
