import CommandLine
import CommandSupport
import Episodes
import FeedModel
import Synchronization

final class DownloadProgress: Sendable {
  private struct State {
    var files: [String: (count: Int, size: Int?)] = [:]
    var done = 0
    var fetched = 0
    var samples: [(seconds: Double, bytes: Int)] = [(0, 0)]
  }

  private let state = Mutex(State())
  private let total: Int
  private let line: ProgressLine?
  private let started = ContinuousClock.now
  private static let window = 5.0

  init(_ episodes: [Episode], line: ProgressLine?) {
    total = episodes.count
    self.line = line
    state.withLock { state in
      for episode in episodes {
        state.files[episode.story.id] = (0, episode.enclosure.length.map { Int(clamping: $0) })
      }
    }
  }

  func note(_ episode: Episode, _ count: Int, _ size: Int?) {
    guard let line else { return }
    let seconds = seconds
    state.withLock { state in
      let old = state.files[episode.story.id] ?? (0, nil)
      // Bytes of an earlier run say nothing of the speed.
      if old.count > 0 { state.fetched += max(count - old.count, 0) }
      state.files[episode.story.id] = (count, size ?? old.size)
      if seconds - (state.samples.last?.seconds ?? 0) >= 0.2 {
        state.samples.append((seconds, state.fetched))
        state.samples.removeAll { seconds - $0.seconds > Self.window }
      }
    }
    show(line)
  }

  func end(_ episode: Episode) {
    state.withLock { state in
      state.done += 1
      let count = state.files[episode.story.id]?.count ?? 0
      state.files[episode.story.id] = (count, count)
    }
    if let line { show(line) }
  }

  private var seconds: Double { started.duration(to: .now) / .seconds(1) }

  private func show(_ line: ProgressLine) {
    line.show({ [self] seconds in text(seconds) }, at: seconds)
  }

  private func text(_ seconds: Double) -> String {
    state.withLock { state in
      let count = state.files.values.reduce(0) { $0 + $1.count }
      let sizes = state.files.values.compactMap(\.size)
      let size = sizes.count == state.files.count ? sizes.reduce(0, +) : nil
      var parts = ["\(state.done) of \(Count.of(total, "file"))"]
      parts.append(ByteCount.text(count) + (size.map { " of \(ByteCount.text($0))" } ?? ""))
      if let first = state.samples.first, seconds - first.seconds >= 0.5 {
        let speed = Double(state.fetched - first.bytes) / (seconds - first.seconds)
        parts.append("\(ByteCount.text(Int(speed)))/s")
        if let size, size > count, speed >= 1 {
          parts.append("\(FileDescription.time(Int(Double(size - count) / speed))) left")
        }
      }
      return parts.joined(separator: ", ")
    }
  }
}
