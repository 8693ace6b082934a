import Aggregation
import FeedModel

/// The line that a terminal shows while feeds are asked: calm, in place, gone at the end.
///
/// Drawn at most ten times a second; the caller's callbacks come one at a time.
final class ProgressLine {
  private let output: TextOutput
  private let columns: Int
  private var lastDrawn = -1.0
  private var isShown = false

  private static let secondsBetween = 0.1

  init(output: TextOutput, columns: Int) {
    self.output = output
    self.columns = columns
  }

  func show(_ progress: RefreshProgress) {
    let isDue = progress.seconds - lastDrawn >= Self.secondsBetween
    guard isDue, progress.done < progress.total else { return }
    lastDrawn = progress.seconds
    isShown = true
    // The last column stays free: a full line makes some terminals wrap.
    let text = TerminalText.cut(Self.text(progress), to: max(columns - 1, 1))
    output.print("\r\(text)\u{1b}[K")
  }

  /// Leaves no trace.
  func clear() {
    guard isShown else { return }
    output.print("\r\u{1b}[K")
    isShown = false
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
