internal import CommandLine
internal import FeedFetching
package import FeedModel
internal import FeedStorage
package import FeedUpdating

package struct SyncReport: Sendable {
  package var remote: SyncRemote
  /// The way to the remote as it was before.
  fileprivate let former: SyncRemote.Transport
  /// False for a remote that was named only for this run.
  package var isAdded = true
  /// The outcome, or nil after a failure or without a sync.
  package var outcome: SyncOutcome?
  package var failure: (any Error)?
  /// The number of changes for the next sync, or nil if it was not counted.
  package var waiting: Int?
  package var refused: [RefusedChange] = []
  package var fromServer = RefreshReport()

  package init(remote: SyncRemote, isAdded: Bool = true) {
    (self.remote, self.isAdded, former) = (remote, isAdded, remote.transport)
  }
}

package struct SyncRun {
  private var home: HomeSync

  package init(_ home: HomeSync) { self.home = home }

  package func run(_ remote: SyncRemote, isAdded: Bool = true) -> SyncReport {
    var report = SyncReport(remote: remote, isAdded: isAdded)
    var session = session(with: remote)
    do {
      report.outcome = try session.synchronize()
    } catch {
      report.failure = error
    }
    report.fromServer = session.fromServer
    if var server = remote.server, let interface = session.interface {
      server.interface = interface
      report.remote.transport = .server(server)
    }
    let result = report.outcome?.result
    if let lastSent = report.outcome?.lastSent { report.remote.lastSent = lastSent }
    report.remote.note(
      report.failure?.line,
      sent: result?.sent ?? 0,
      taken: result?.taken ?? 0,
      on: home.now,
    )
    return report
  }

  /// Synchronizes with the folders again after a server that has changed something here.
  ///
  /// A machine that has got an older value from a folder sends it to the server, and this home
  /// would take it for a change: two homes of one server would set and take back the same value for
  /// ever. Other machines may ask for a password, and are asked in their own turn alone.
  package func tellFolders(after report: SyncReport) -> [SyncReport] {
    guard case .server = report.remote.transport else { return [] }
    // A server that fails may have been merged before.
    let result = report.outcome?.result
    guard result.map({ $0.taken > $0.stories }) ?? true, let all = try? home.store.syncRemotes()
    else {
      return []
    }
    let folders = all.filter { if case .folder = $0.transport { true } else { false } }
    var asking = self
    asking.home.consent = .asked
    return folders.compactMap { folder in
      guard !isCancelled, !isOutOfTime else { return nil }
      let again = asking.run(folder)
      // The folder's own turn reports a failure.
      return again.failure == nil ? again : nil
    }
  }

  package var isCancelled: Bool { home.cancellation.isCancelled }

  package var isOutOfTime: Bool { home.deadline.map { $0 <= .now } ?? false }

  /// Saves the result with the remote, if that still exists unchanged.
  package func note(_ report: SyncReport) {
    guard report.isAdded else { return }
    do {
      try home.store.changeSyncRemotes { remotes in
        guard let number = remotes.firstIndex(where: { $0.name == report.remote.name }),
          remotes[number].transport == report.former
        else { return }
        remotes[number] = report.remote
      }
    } catch {
      home.context.complain("\(report.remote.name): \(error)")
    }
  }

  private func session(with remote: SyncRemote) -> any SyncSession {
    var home = home
    home.allowsPrivate = remote.allowsPrivate
    switch remote.transport {
    case .folder(let path): return FolderSession(home: home, path: SyncFolder(path))
    case .machine(let host, let remoteHome):
      return SSHSession(home, RemoteMachine(host: host, home: remoteHome))
    case .server(var server):
      server.allowsPrivate = remote.allowsPrivate
      return ServerSession(home, server)
    }
  }
}
