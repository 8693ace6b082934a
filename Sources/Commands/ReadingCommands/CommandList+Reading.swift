package import CommandSupport

extension CommandList {
  /// The commands to read with.
  package static let reading: [any Command.Type] = [
    ListCommand.self, BrowseCommand.self, ShowCommand.self, OpenCommand.self, PlayCommand.self,
    DownloadCommand.self, ReadCommand.self, UnreadCommand.self, StarCommand.self,
    UnstarCommand.self, TagCommand.self, UntagCommand.self, NoteCommand.self,
    DeleteCommand.self, ClearCommand.self, UndoCommand.self, RedoCommand.self,
  ]
}
