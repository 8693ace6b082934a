package import FeedModel
internal import PropertyLists
internal import System

/// The commands, files and servers outside of a home that its files name.
///
/// They are the user's own words, to be read before those of strangers.
package struct HomeNeeds: Sendable {
  /// Lines for the shell, of feeds and servers, that print passwords and headers.
  package var commands: [String] = []
  package var remoteCommands: [String] = []
  /// Commands that print and filter documents, without a shell.
  package var documentCommands: [String] = []
  /// The files that are feeds, or have the certificates of feeds.
  package var files: [String] = []
  package var savesEpisodes = false
  package var remotes: [SyncRemote] = []
  /// True if a rule has a fetch tell of stories.
  package var notifies = false
}

extension LibraryStore {
  /// Returns the needs; a file that cannot be read names none, and its user reports the fault.
  package func needs() -> HomeNeeds {
    var needs = (try? SubscriptionsFile(path: subscriptionsPath).needs()) ?? HomeNeeds()
    needs.remotes = (try? syncRemotes()) ?? []
    needs.notifies = !notifyingRules.isEmpty
    needs.remoteCommands = needs.remotes.compactMap { $0.server?.passwordCommand }
    return needs
  }

  /// Returns the folders outside of the home that its files lie in.
  package func linkedFolders() -> [String] {
    let links = (POSIX.names(inFolder: home) ?? []).map(path).filter { path in
      FileStatus(at: path, followingLinks: false)?.kind == .link
    }
    return links.compactMap { link in
      let target = try? OpenFile.resolvingLinks(link)
      return target.map { FileStatus(at: $0)?.kind == .folder ? $0 : FilePath.folder(of: $0) }
    } + [stateFolder].compactMap(\.self)
  }
}

extension SubscriptionsFile {
  /// Finds the needs of subscriptions.
  ///
  /// PERF: subscriptions are not decoded for it; of ten thousand that would take as long as a list.
  fileprivate func needs() throws -> HomeNeeds {
    var needs = HomeNeeds()
    guard let reader = try reader() else { return needs }
    try StorageError.translating(path) {
      guard let feeds = try reader.value(of: "feeds", in: reader.root) else { return }
      for feed in try reader.elements(feeds) ?? [] {
        _ = try reader.forEachEntry(feed) { (key, value) in
          let saysPassword = try reader.isString(key, "passwordCommand")
          let saysHeaders = try reader.isString(key, "headerCommand")
          let isFilter = try reader.isString(key, "filter")
          if saysPassword || saysHeaders {
            if let command = try reader.string(value) { needs.commands.append(command) }
          } else if isFilter {
            if let command = try reader.string(value) { needs.documentCommands.append(command) }
          } else if try reader.isString(key, "url") {
            guard let url = try reader.string(value) else { return }
            if url.hasPrefix("file:") { needs.files.append(url) }
            if let command = CommandURL.command(of: url) {
              needs.documentCommands.append(command)
            }
          } else if try Subscription.certificateKeys.contains(where: {
            try reader.isString(key, $0)
          }) {
            if let path = try reader.string(value) { needs.files.append(path) }
          } else if try reader.isString(key, "download") {
            needs.savesEpisodes = true
          }
        }
      }
    }
    return needs
  }
}
