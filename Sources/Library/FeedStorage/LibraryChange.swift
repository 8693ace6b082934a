package import FeedModel
package import System

package struct LibraryChange: Sendable {
  package var stories = StoryChanges()
  package var feeds = FeedChanges()
  /// All rules; nil leaves them.
  package var rules: [StoryRule]?
  package var outlines: OutlineDocument?
  /// The command and the time with which it is recorded; nil for a change that is not recorded.
  package var origin: ChangeOrigin?
  /// The results of merges with others; saved last.
  package var agreements = SyncAgreements()

  package init(_ stories: StoryChanges = StoryChanges(), subscriptions: [Subscription]? = nil) {
    self.stories = stories
    feeds.subscriptions = subscriptions
  }
}

package struct FeedChanges: Sendable {
  package var subscriptions: [Subscription]?
  package var retryTimes: [String: RetryTime]?
  package var formerNames: [String: String]?
  package var formerFeeds: [Subscription]?
  package var lists: [FeedList]?
  /// Moves of feeds to other URLs, which rules follow.
  package var moves: [(from: String, to: String)] = []
  /// True to save them before the stories, since a process can be stopped in between.
  ///
  /// If stories go, validators that outlive them would keep them from coming back. If stories come,
  /// feeds are saved last: with the old validators one request more is made than needed, while with
  /// new validators and old stories a story could be missed for ever.
  package var areSavedFirst = false

  func applied(to feeds: FollowedFeeds) -> FollowedFeeds {
    var new = feeds
    new.subscriptions = subscriptions ?? new.subscriptions
    new.retryTimes = retryTimes ?? new.retryTimes
    new.formerNames = formerNames ?? new.formerNames
    new.formerFeeds = formerFeeds ?? new.formerFeeds
    new.lists = lists ?? new.lists
    return new
  }
}

package struct SyncAgreements: Sendable {
  package var machines: SyncSaving?
  package var server: ServerFile?
}

/// The one who makes a change.
package enum ChangeAuthor: Hashable, Sendable {
  case user
  case phone
  /// Other machines and servers, by their names.
  case remote(String)
  /// A list that is followed, by its tag.
  case list(String)

  /// The names of machines and servers; nil for anyone else.
  package var remote: String? { if case .remote(let names) = self { names } else { nil } }

  /// The name in lists and in the log; empty for the user.
  package var name: String {
    switch self {
    case .user: ""
    case .phone: "phone"
    case .remote(let names): "remote \(names)"
    case .list(let tag): "list \(tag)"
    }
  }

  init(name: String) {
    self =
      switch name.split(separator: " ", maxSplits: 1).first {
      case "phone": .phone
      case "remote": .remote(String(name.dropFirst(7)))
      case "list": .list(String(name.dropFirst(5)))
      default: .user
      }
  }
}

/// The command and the time of a change, with which its marks, subscriptions and rules are recorded
/// for other machines.
package struct ChangeOrigin: Hashable, Sendable {
  package var command: String
  package var date: Date
  /// True for a step of the user's, which `news undo` takes back.
  package var isStep: Bool
  /// True for a change that was made on another machine, and is recorded there.
  package var isOfOthers = false
  package var answered: Int?
  package var isBack = false
  /// True if the stories that it takes away are to stay away, or those that it brings back were.
  package var isForGood = false
  package var author = ChangeAuthor.user
  /// True to continue the last step, if that is of the same command.
  package var joinsLast = false

  package init(command: String, date: Date, isStep: Bool = true) {
    (self.command, self.date, self.isStep) = (command, date, isStep)
  }
}
