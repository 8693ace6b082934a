internal import System

extension LibraryStore {
  /// Returns why no command is run that stands in the home's files; nil where they may be.
  package func whyCommandsAreRefused() -> String? {
    [subscriptionsPath, remotesPath, rulesFile.path].lazy.compactMap(FileTrust.refusal).first
  }
}
