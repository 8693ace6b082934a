internal import System

/// Shows text that is longer than the screen in the user's pager, like git.
///
/// `NEWS_PAGER`, else `PAGER`, is a line for the shell; empty and `cat` mean none. Without either
/// it is `less -FRX`, if there is a `less`. Text that fits, and text for anything but a terminal
/// that can move its cursor, is printed.
package struct Pager {
  package var output: TextOutput
  /// Nil where the output is no terminal, or no pager is wanted.
  package var variable: (@Sendable (String) -> String?)?
  package var columns: Int
  package var rows: Int?
  package var show: @Sendable ([String], [String: String], [String]) -> Int32

  package static let option = CommandOption(
    "no-pager",
    help: "do not use a pager ($NEWS_PAGER, $PAGER, else less -FRX)",
  )

  package init(
    output: TextOutput,
    variable: (@Sendable (String) -> String?)?,
    columns: Int,
    rows: Int?,
    show: @escaping @Sendable ([String], [String: String], [String]) -> Int32,
  ) {
    (self.output, self.variable, self.columns, self.rows) = (output, variable, columns, rows)
    self.show = show
  }

  /// Prints lines, which have their line feeds, or shows them page by page.
  ///
  /// `seen` is called once the text can have been seen, before a pager has ended; not when it could
  /// not be written.
  package func print(_ lines: [String], seen: () -> Void = {}) {
    if let words = command, !fits(lines.reduce(0) { $0 + rowCount($1) }) {
      output.flush()
      seen()
      // `less` shows jumps as their letters.
      let status = show(words, variables, lines.map(TerminalText.withoutJumps))
      // The shell's statuses for a program that it could not start or not find.
      if status != 126, status != 127 { return }
    }
    for line in lines where !output.hasFailed { output.print(line) }
    output.flush()
    if output.isSound { seen() }
  }

  /// Runs a program that reads `lines` on its standard input and has the terminal to itself.
  ///
  /// Until it ends, Ctrl-C and Ctrl-\ are left to the program: `less` stops searching and stays,
  /// and its terminal would be left in disorder by a process that died above it. A program that
  /// ends before it has read everything has shown enough.
  /// - Returns: its exit status; 127 when there is no such program.
  package static func show(
    _ lines: [String],
    with words: [String],
    variables: [String: String],
  ) -> Int32 {
    guard let pipe = SystemPipe() else { return 127 }
    let saved = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in saved { _ = signal(number, action) } }
    let program = StartedProgram(
      words,
      variables: variables,
      copying: [(from: pipe.readEnd, to: 0)],
    )
    _ = close(pipe.readEnd)
    if program != nil {
      let input = TextOutput.descriptor(pipe.writeEnd)
      for line in lines where !input.hasFailed { input.print(line) }
      input.flush()
    }
    _ = close(pipe.writeEnd)
    return program?.waitForEnd() ?? 127
  }

  package func print(paragraphs: [[String]]) {
    print(paragraphs.joined(separator: [""]).map { $0 + "\n" })
  }

  private var command: [String]? {
    guard let variable, let terminal = variable("TERM"), !terminal.isEmpty, terminal != "dumb"
    else {
      return nil
    }
    guard let own = variable("NEWS_PAGER") ?? variable("PAGER") else { return ["less", "-FRX"] }
    let line = own.split(separator: " ").joined(separator: " ")
    return line.isEmpty || line == "cat" ? nil : ["/bin/sh", "-c", own]
  }

  /// The variables for a `less` of the user's own, unless the user has set them.
  ///
  /// It quits when one screen is enough, passes colors on, and leaves the text on the screen.
  private var variables: [String: String] {
    var variables: [String: String] = [:]
    if variable?("LESS") == nil { variables["LESS"] = "FRX" }
    if variable?("LV") == nil { variables["LV"] = "-c" }
    return variables
  }

  private func fits(_ rows: Int) -> Bool {
    self.rows.map { rows < $0 } ?? true
  }

  private func rowCount(_ line: String) -> Int {
    var count = 0
    for row in line.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let mayWrap = row.utf8.count > columns
      let width = mayWrap ? TerminalText.width(TerminalText.unstyled(String(row))) : 0
      count += max(1, (width + columns - 1) / columns)
    }
    return count
  }
}
