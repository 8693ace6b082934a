package import FeedFetching
package import FeedModel
package import FeedStorage
package import FeedUpdating
package import System

package struct SyncContext: Sendable {
  package var now: @Sendable () -> Date
  package var machine: @Sendable () -> (name: String, id: String)
  /// The command and time with which the changes are recorded.
  package var origin: ChangeOrigin
  package var keepsTexts: Bool
  /// True if ssh may ask for a password at the terminal.
  package var mayAsk: Bool
  package var makeFetcher: @Sendable () -> any FeedFetcher
  package var fetchOptions: @Sendable (Library) -> FetchOptions
  /// Starts a program to exchange bytes with, or returns nil if it cannot.
  package var startProgram: @Sendable ([String]) -> ProgramPipe?
  /// Makes the evaluator of rules for new stories; nil without rules.
  package var evaluator: @Sendable ([StoryRule]) -> StoryRules?
  package var complain: @Sendable (String) -> Void
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
