import FeedModel
import System

package enum FeedMark: String {
  case hidden, paused
  case cutOff = "cut off"
}

extension FeedSettings {
  package func marks(at now: Date) -> [FeedMark] {
    (isHidden ? [.hidden] : []) + (isPaused(at: now) ? [.paused] : [])
  }
}
