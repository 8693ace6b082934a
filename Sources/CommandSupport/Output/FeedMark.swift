import FeedModel
import System

package enum FeedMark: String {
  case hidden, paused
  case arrivesRead = "arrives read"
  case cutOff = "cut off"

  package var short: String { self == .arrivesRead ? "read" : rawValue }
}

extension FeedSettings {
  package func marks(at now: Date) -> [FeedMark] {
    let marks: [(isSet: Bool, mark: FeedMark)] = [
      (isHidden, .hidden), (isPaused(at: now), .paused), (arrivesRead, .arrivesRead),
    ]
    return marks.filter(\.isSet).map(\.mark)
  }
}
