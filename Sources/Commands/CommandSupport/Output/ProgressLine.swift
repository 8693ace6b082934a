package import CommandLine
package import FeedModel
import Synchronization

/// The line that a terminal shows while servers are asked, gone at the end.
///
/// It is drawn at most ten times a second, from any thread; while nothing comes, it counts the
/// seconds.
package final class ProgressLine: Sendable {
  private struct State {
    var latest: (@Sendable (Double) -> String)?
    var isDrawn = false
    var lastDrawn = -1.0
    var isShown = false
  }

  private let state = Mutex(State())
  private let output: TextOutput
  private let columns: Int

  private static let secondsBetween = 0.1
  /// The line tells the seconds from here on.
  private static let timeout = 3.0

  /// The seconds before the line appears: shorter work needs none.
  private let delay: Double

  package init(output: TextOutput, columns: Int, delay: Double = 0) {
    self.output = output
    self.columns = columns
    self.delay = delay
  }

  package func show(_ progress: RefreshProgress) {
    let text = { @Sendable in Self.text(progress, seconds: $0) }
    show(progress.done < progress.total ? text : nil, at: progress.seconds)
  }

  package func show(_ text: (@Sendable (Double) -> String)?, at seconds: Double) {
    state.withLock { state in
      state.latest = text
      state.isDrawn = false
      drawIfDue(&state, seconds)
    }
  }

  /// Draws what came too soon after the last drawing, and the seconds that have passed.
  func tick(seconds: Double) {
    state.withLock { state in
      let isNextSecond = seconds >= Self.timeout && Int(seconds) > Int(state.lastDrawn)
      if !state.isDrawn || isNextSecond { drawIfDue(&state, seconds) }
    }
  }

  package func during<R: Sendable>(_ work: @escaping @Sendable () -> R) -> R {
    defer { clear() }
    let started = ContinuousClock.now
    let task = BackgroundTask(work)
    while true {
      task.wait(until: .now + .seconds(Self.secondsBetween))
      if let value = task.value { return value }
      tick(seconds: (ContinuousClock.now - started) / .seconds(1))
    }
  }

  package func clear() {
    state.withLock { state in
      state.latest = nil
      guard state.isShown else { return }
      output.print("\r\u{1b}[K")
      state.isShown = false
    }
  }

  private func drawIfDue(_ state: inout State, _ seconds: Double) {
    guard let latest = state.latest, seconds >= delay,
      seconds - state.lastDrawn >= Self.secondsBetween
    else { return }
    (state.isDrawn, state.isShown, state.lastDrawn) = (true, true, seconds)
    // The last column stays free: a full line makes some terminals wrap.
    let text = TerminalText.cut(latest(seconds), to: max(columns - 1, 1))
    output.print("\r\(text)\u{1b}[K")
  }

  static func text(_ progress: RefreshProgress, seconds: Double) -> String {
    let counts =
      "\(progress.done) of "
      + (progress.isOfPages
        ? Count.of(progress.total, "page")
        : "\(Count.of(progress.total, "feed")), \(Count.stories(progress.stories))")
      + (seconds >= timeout ? ", \(Int(seconds)) s" : "")
    let hosts = progress.hosts.map { SafeText.line($0) }.joined(separator: ", ")
    return hosts.isEmpty ? counts : "\(counts)  \(hosts)"
  }
}

extension CommandContext {
  /// Returns nil where nobody would see a line, and with `--quiet` and `--verbose`.
  package func progressLine(delay: Double = 0) -> ProgressLine? {
    let isDumb = environment.variable("TERM") == "dumb"
    guard environment.terminal.isErrorTerminal, !isQuiet, !isDumb, !isVerbose else { return nil }
    return ProgressLine(output: environment.errorOutput, columns: columns, delay: delay)
  }
}
