package import FeedModel
package import System

/// Facts about what is to be stored from now on; saving applies them.
package struct LibraryChange: Sendable {
  package var stories = StoryChanges()
  package var feeds = FeedChanges()
  /// All rules; nil leaves them.
  package var rules: [StoryRule]?
  /// The arrangement of exported lists; nil leaves it.
  package var outlines: OutlineDocument?
  /// Who made it; nil for what nobody has wished.
  package var origin: ChangeOrigin?
  /// What merges with others came to; saved last.
  package var agreements = SyncAgreements()

  package init(_ stories: StoryChanges = StoryChanges(), subscriptions: [Subscription]? = nil) {
    self.stories = stories
    feeds.subscriptions = subscriptions
  }
}

/// The parts of `feeds.plist` that become others; nil leaves one as it is.
package struct FeedChanges: Sendable {
  package var subscriptions: [Subscription]?
  package var retryTimes: [String: RetryTime]?
  package var formerNames: [String: String]?
  package var formerFeeds: [Subscription]?
  package var fewerKeptSince: Date?
  /// Feeds that have another URL now, which rules follow.
  package var moves: [(from: String, to: String)] = []
  /// Says that they are saved before the stories, since a process can be stopped in between.
  ///
  /// Where stories go, validators that outlive them would keep them from coming back. Where stories
  /// come they are saved last: with the old validators one request more is made than needed, while with
  /// new validators and old stories a story could be missed for ever.
  package var areSavedFirst = false

  func applied(to feeds: FollowedFeeds) -> FollowedFeeds {
    var new = feeds
    new.subscriptions = subscriptions ?? new.subscriptions
    new.retryTimes = retryTimes ?? new.retryTimes
    new.formerNames = formerNames ?? new.formerNames
    new.formerFeeds = formerFeeds ?? new.formerFeeds
    new.fewerKeptSince = fewerKeptSince ?? new.fewerKeptSince
    return new
  }
}

package struct SyncAgreements: Sendable {
  package var machines: SyncSaving?
  package var server: ServerFile?
}

/// Who made a change, and when.
///
/// With that time its marks, subscriptions and rules are recorded for other machines.
package struct ChangeOrigin: Hashable, Sendable {
  /// The command's words without operands, such as `read` or `clear --feed`.
  package var command: String
  package var date: Date
  /// Says that it is a step of the reader's, which `news undo` takes back.
  package var isStep: Bool
  /// Says that it was made on another machine, and is recorded there.
  package var isOfOthers = false
  /// The number of the step that it takes back, or does again; nil for one of its own.
  package var answered: Int?
  /// Says that it takes that step back.
  package var isBack = false
  /// Says that the step which it answers took stories away for good.
  package var isForGood = false
  /// Says that it goes on with the last step, which was of the same command.
  package var joinsLast = false

  package init(command: String, date: Date, isStep: Bool = true) {
    (self.command, self.date, self.isStep) = (command, date, isStep)
  }
}
