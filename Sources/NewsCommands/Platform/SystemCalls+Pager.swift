#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Starts a pager and gives it text.
extension SystemCalls {
  /// Runs a program that reads `lines` on its standard input and has the terminal to itself.
  ///
  /// Until it ends, Ctrl-C and Ctrl-\ are the program's business: `less` stops searching and stays,
  /// and its terminal would be left in disorder by a process that died above it. A program that
  /// ends before it has read everything has shown enough.
  /// - Parameters:
  ///   - words: the program and its arguments.
  ///   - variables: set for the program over those of this process.
  ///   - lines: what it reads, with line feeds.
  /// - Returns: its exit status; 127 when there is no such program.
  static func page(_ words: [String], variables: [String: String], lines: [String]) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return 127 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let saved = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in saved { _ = signal(number, action) } }
    let process = spawn(words, variables: variables, input: ends[0])
    _ = close(ends[0])
    guard let process else {
      _ = close(ends[1])
      return 127
    }
    let writer = ends[1]
    let input = TextOutput { write($0, to: writer) }
    for line in lines where !input.hasFailed { input.print(line) }
    input.flush()
    _ = close(writer)
    return wait(for: process)
  }
}
