package import FeedModel
internal import FeedStorage
package import System

package struct SyncedValue: Hashable, Sendable {
  /// One of `read`, `starred`, `note`, `deleted`, `followed` and `tagged NAME`.
  package let name: String
  package let isSet: Bool
  /// The name of the machine, or nil if it is unknown.
  package let machine: String?
  package let date: Date
}

extension SyncKey.StoryMark {
  fileprivate func word(_ value: SyncValue) -> String {
    switch self {
    case .tag(let name): "tagged \(value.text ?? name)"
    default: kindName
    }
  }
}

extension SyncState {
  package func marks(
    of story: StoredItem,
    _ subscriptions: [Subscription],
  ) -> [SyncedValue] {
    let keys = SharedMarks.keys(of: story, subscriptions)
    let known = replica.otherMarks
    let others = Set(keys.flatMap { known[$0] ?? [] }).sorted()
    return (SyncKey.StoryMark.flags + others).compactMap { mark in
      let register = keys.lazy.compactMap { replica.registers[.story($0, mark)] }.first
      return register.map { value($0, mark.word($0.value)) }
    }
  }

  package func following(_ feed: Subscription) -> SyncedValue? {
    replica.registers[.feed(feed.sharedURL, .followed)].map { value($0, "followed") }
  }

  private func value(_ register: Replica.Register, _ name: String) -> SyncedValue {
    SyncedValue(
      name: name,
      isSet: !register.isGone,
      machine: names[register.stamp.machine],
      date: register.stamp.date,
    )
  }
}
