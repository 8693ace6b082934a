/// Two descriptors to a program: one that it reads, one that it writes.
///
/// No call waits beyond its timeout, nor for a program that has gone.
package struct ProgramPipe: Sendable {
  package let input: Int32
  package let output: Int32
  private let program: StartedProgram?
  private let isGroup: Bool
  private let errors: Int32?

  package init(readingFrom output: Int32, writingTo input: Int32) {
    (self.input, self.output, program, isGroup) = (input, output, nil, false)
    errors = nil
  }

  /// Starts a program, and keeps its standard error to be taken; nil when there is no such program.
  package init?(starting words: [String]) {
    let pipes = (0..<3).compactMap { _ in SystemPipe() }
    // It needs our process group to ask something at the terminal.
    isGroup = isatty(0) == 0
    let theirs = zip(pipes, Int32(0)...2).map {
      (from: $1 == 0 ? $0.readEnd : $0.writeEnd, to: $1)
    }
    let ours = zip(pipes, 0...2).map { $1 == 0 ? $0.writeEnd : $0.readEnd }
    let kind = isGroup ? ProgramKind.groupLeader : .member
    program = pipes.count < 3 ? nil : StartedProgram(words, copying: theirs, as: kind)
    for (end, _) in theirs { close(end) }
    guard program != nil else {
      for end in ours { close(end) }
      return nil
    }
    (input, output, errors) = (ours[0], ours[1], ours[2])
  }

  package struct Timeout: Sendable {
    package var end: ContinuousClock.Instant?
    package var cancellation: Int32?

    package init(until end: ContinuousClock.Instant?, orReadable cancellation: Int32? = nil) {
      (self.end, self.cancellation) = (end, cancellation)
    }
  }

  /// Writes all bytes; false where the other end has gone or took too long.
  package func write(_ bytes: [UInt8], _ timeout: Timeout) -> Bool {
    // A blocking write would not look at the time.
    let flags = fcntl(input, F_GETFL)
    _ = fcntl(input, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(input, F_SETFL, flags) }
    return bytes.withUnsafeBytes { all in
      var rest = all
      while !rest.isEmpty {
        let count = POSIX.writePart(of: rest, to: input)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if count == 0 || errno != EAGAIN || !wait(for: Int32(POLLOUT), on: input, timeout) {
          return false
        }
      }
      return true
    }
  }

  package func read(_ count: Int, _ timeout: Timeout) -> [UInt8]? {
    var bytes: [UInt8] = []
    return read(count, timeout) { bytes += $0 } ? bytes : nil
  }

  /// Reads exactly `count` bytes, piece by piece; false where there are fewer, or none came in
  /// time.
  package func read(
    _ count: Int,
    _ timeout: Timeout,
    _ body: (UnsafeRawBufferPointer) -> Void,
  ) -> Bool {
    var piece = [UInt8](repeating: 0, count: min(count, 65_536))
    var rest = count
    while rest > 0 {
      guard wait(for: Int32(POLLIN), on: output, timeout) else { return false }
      let wanted = min(rest, piece.count)
      let got = piece.withUnsafeMutableBytes {
        POSIX.readPart(of: output, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]))
      }
      if got < 0, errno == EAGAIN { continue }
      guard got > 0 else { return false }
      piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
      rest -= got
    }
    return true
  }

  private func wait(for events: Int32, on descriptor: Int32, _ timeout: Timeout) -> Bool {
    let others = [timeout.cancellation].compactMap(\.self)
    // The cancellation is something to read; no end of a pipe is ever both readable and writable.
    let events = others.isEmpty ? events : Int32(POLLIN) | Int32(POLLOUT)
    repeat {
      let ready = POSIX.wait(for: events, on: [descriptor] + others, until: timeout.end)
      if ready.dropFirst().contains(true) { return false }
      if ready.first == true { return true }
    } while timeout.end.map { $0 > .now } ?? true
    return false
  }

  /// Closes both ends and waits for the program's end.
  ///
  /// - Returns: the status of `POSIX.waitForEnd`, 0 for a program that another process started, and
  ///   nil
  ///   for one that had to be killed.
  package func end(_ timeout: Timeout) -> Int32? {
    close(input)
    close(output)
    guard let program else { return 0 }
    let waiting = BackgroundTask { program.waitForEnd() }
    waiting.wait(until: timeout.end, orReadable: timeout.cancellation)
    if let status = waiting.value { return status }
    let target = isGroup ? -program.process : program.process
    _ = kill(target, SIGTERM)
    waiting.wait(until: .now + .seconds(1))
    if waiting.value == nil { _ = kill(target, SIGKILL) }
    return nil
  }

  /// Returns the program's standard error, up to 64 KiB, which is all that a pipe holds.
  ///
  /// To be called once, when the program has ended.
  package func takeErrors() -> [UInt8] {
    guard let errors else { return [] }
    defer { close(errors) }
    _ = fcntl(errors, F_SETFL, fcntl(errors, F_GETFL) | O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = bytes.withUnsafeMutableBytes { POSIX.readPart(of: errors, into: $0) }
    return Array(bytes.prefix(max(count, 0)))
  }
}
