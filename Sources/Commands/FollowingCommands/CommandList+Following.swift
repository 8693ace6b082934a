package import CommandSupport

extension CommandList {
  /// The commands to follow feeds with.
  package static let following: [any Command.Type] = [
    SubscribeCommand.self, UnsubscribeCommand.self, MoveCommand.self, FeedsCommand.self,
    TagsCommand.self, SaveCommand.self, RefreshCommand.self, RulesCommand.self,
  ]

  /// The commands to fetch with in the background.
  package static let fetching: [any Command.Type] = [ScheduleCommand.self, FetchCommand.self]

  package static let sync: any Command.Type = SyncCommand.self
  package static let why: any Command.Type = WhyCommand.self
  package static let log: any Command.Type = LogCommand.self
}
