import Aggregation
import FeedModel
import Synchronization

/// The line that a terminal shows while feeds are asked: calm, in place, gone at the end.
///
/// Drawn at most ten times a second, from whatever thread.
final class ProgressLine: Sendable {
  private struct State {
    var lastDrawn = -1.0
    var isShown = false
  }

  private let state = Mutex(State())
  private let output: TextOutput
  private let columns: Int

  private static let secondsBetween = 0.1

  init(output: TextOutput, columns: Int) {
    self.output = output
    self.columns = columns
  }

  func show(_ progress: RefreshProgress) {
    state.withLock { state in
      let isDue = progress.seconds - state.lastDrawn >= Self.secondsBetween
      guard isDue, progress.done < progress.total else { return }
      state = State(lastDrawn: progress.seconds, isShown: true)
      // The last column stays free: a full line makes some terminals wrap.
      let text = TerminalText.cut(Self.text(progress), to: max(columns - 1, 1))
      output.print("\r\(text)\u{1b}[K")
    }
  }

  /// Leaves no trace.
  func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      output.print("\r\u{1b}[K")
      state.isShown = false
    }
  }

  /// `12 of 500 feeds, 340 stories  example.com, example.org`.
  static func text(_ progress: RefreshProgress) -> String {
    let counts =
      "\(progress.done) of \(Count.of(progress.total, "feed")), "
      + Count.of(progress.stories, "story", "stories")
    let hosts = progress.hosts.map { SafeText.line($0) }.joined(separator: ", ")
    return hosts.isEmpty ? counts : "\(counts)  \(hosts)"
  }
}
