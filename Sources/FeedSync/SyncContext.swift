package import FeedFetching
package import FeedModel
package import FeedStorage
package import FeedUpdating
package import System

/// What a sync has of the world outside.
package struct SyncContext: Sendable {
  package var now: @Sendable () -> Date
  /// What people call this machine, and what tells it from others.
  package var machine: @Sendable () -> (name: String, id: String)
  /// To be filled with what takes the sync back.
  package var origin: ChangeOrigin
  /// Whether whole texts of stories are stored.
  package var keepsTexts: Bool
  /// Whether somebody sits at the terminal, whom ssh may ask for a password.
  package var mayAsk: Bool
  package var makeFetcher: @Sendable () -> any FeedFetcher
  /// How the servers of a library are asked.
  package var fetchOptions: @Sendable (Library) -> FetchOptions
  /// Starts a program to exchange bytes with; nil when there is none such.
  package var startProgram: @Sendable ([String]) -> ProgramPipe?
  /// What the rules decide of stories that are new; nil where there are none.
  package var evaluator: @Sendable ([StoryRule]) -> StoryRules?
  /// Tells the reader what went wrong, in a line.
  package var complain: @Sendable (String) -> Void
  /// The interfaces of servers that are known, the usual one first.
  package var serverInterfaces = ServerInterface.all

  package init(
    now: @escaping @Sendable () -> Date,
    machine: @escaping @Sendable () -> (name: String, id: String),
    origin: ChangeOrigin,
    keepsTexts: Bool,
    mayAsk: Bool,
    makeFetcher: @escaping @Sendable () -> any FeedFetcher,
    fetchOptions: @escaping @Sendable (Library) -> FetchOptions,
    startProgram: @escaping @Sendable ([String]) -> ProgramPipe?,
    evaluator: @escaping @Sendable ([StoryRule]) -> StoryRules?,
    complain: @escaping @Sendable (String) -> Void,
  ) {
    (self.now, self.machine, self.origin) = (now, machine, origin)
    (self.keepsTexts, self.mayAsk) = (keepsTexts, mayAsk)
    (self.makeFetcher, self.fetchOptions) = (makeFetcher, fetchOptions)
    (self.startProgram, self.evaluator, self.complain) = (startProgram, evaluator, complain)
  }
}

extension LibraryStore {
  func library(_ detail: SubscriptionDetail = .whole) throws(SyncError) -> Library {
    try SyncError.converting { try read(detail) }
  }
}
