internal import System

extension LibraryStore {
  /// Returns the reason why commands in the home's files are not run; nil if they may be.
  package func whyCommandsAreRefused() -> String? {
    [subscriptionsPath, remotesPath, rulesFile.path].lazy.compactMap(FileTrust.refusal).first
  }
}
