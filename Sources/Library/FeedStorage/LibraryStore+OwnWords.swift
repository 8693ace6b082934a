package import FeedModel
package import System

extension LibraryStore {
  /// Returns the commands that the home's files name, besides those that were typed.
  package func ownWords(_ needs: HomeNeeds? = nil) -> OwnWords {
    let needs = needs ?? self.needs()
    return OwnWords(needs.commands + needs.documentCommands, of: subscriptionsPath)
      .union(OwnWords(needs.remoteCommands, of: remotesPath))
      .union(OwnWords([], of: rulesFile.path)).union(typed)
  }

  /// Throws for subscriptions that reach beyond the web and are not the user's own.
  ///
  /// Stored words are his own; so are those that come back by `undo` or `redo`, if nobody else can
  /// write the history.
  func checkWords(of change: LibraryChange, over old: FollowedFeeds) throws {
    let new = (change.feeds.subscriptions ?? []).flatMap(\.ownWords)
    guard !new.isEmpty else { return }
    let known = Set((old.subscriptions + old.formerFeeds).flatMap(\.ownWords))
    let strange = new.filter { !known.contains($0) && !typed.contains($0) }
    guard !strange.isEmpty else { return }
    let back = OwnWords(change.origin?.answered == nil ? [] : strange, of: path(.history))
    guard let word = strange.first(where: { !back.contains($0) }) else { return }
    let reason = back.refusal ?? typed.refusal ?? "it was not typed, nor is it of a file of yours"
    throw StorageError.refused("\(WebURL.printable(word)): \(reason)")
  }
}

extension Subscription {
  /// The words that reach beyond the web.
  package var ownWords: [String] {
    let isLocal = !SafeLink.isAbsolute(url) && !isOfSavedPages
    return [isLocal ? url : nil, passwordCommand, headers.command, filter].compactMap(\.self)
  }
}
