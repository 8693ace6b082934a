package import FeedFetching
package import FeedModel
package import FeedStorage
package import FeedUpdating
internal import System

/// What became of one remote.
package struct SyncReport: Sendable {
  package var remote: SyncRemote
  /// Whether the remote was added, and not only named this once.
  package var isAdded = true
  /// nil where it failed, and where nothing was tried.
  package var outcome: SyncOutcome?
  package var failure: SyncError?
  /// Changes of this home that the remote is told with the next sync; nil where that was not counted.
  package var waiting: Int?
  /// Those that a server has refused, and is told later.
  package var refused: [RefusedChange] = []
  /// What a server has brought, though something may have failed behind that.
  package var fromServer = RefreshReport()

  package init(remote: SyncRemote, isAdded: Bool = true) {
    (self.remote, self.isAdded) = (remote, isAdded)
  }
}

/// Synchronizes a home with remotes, one after the other.
package struct SyncRun {
  let context: SyncContext
  let store: LibraryStore
  /// What the reader says to what is much at once.
  let consent: SyncConsent
  /// Whether somebody has asked for it, and not a fetch or refresh.
  let isByHand: Bool
  /// When it must have ended.
  package let deadline: ContinuousClock.Instant?
  private let cancellation: FetchCancellation

  package init(
    _ context: SyncContext,
    _ store: LibraryStore,
    consent: SyncConsent = .asked,
    isByHand: Bool = false,
    until deadline: ContinuousClock.Instant?,
    _ cancellation: FetchCancellation,
  ) {
    (self.context, self.store, self.deadline) = (context, store, deadline)
    (self.consent, self.isByHand) = (consent, isByHand)
    self.cancellation = cancellation
  }

  package func run(_ remote: SyncRemote, isAdded: Bool = true) -> SyncReport {
    var report = SyncReport(remote: remote, isAdded: isAdded)
    var session = session(with: remote)
    do throws(SyncError) {
      report.outcome = try session.synchronize()
    } catch {
      report.failure = error
    }
    report.fromServer = session.fromServer
    let result = report.outcome?.result
    if let lastSent = report.outcome?.lastSent { report.remote.lastSent = lastSent }
    report.remote.note(
      report.failure?.line,
      sent: result?.sent ?? 0,
      taken: result?.taken ?? 0,
      on: context.now(),
    )
    return report
  }

  package var isCancelled: Bool { cancellation.isCancelled }

  /// Notes how it ended with a remote that was added, where it still is one.
  package func note(_ report: SyncReport) {
    guard report.isAdded else { return }
    do throws(StorageError) {
      try store.changeSyncRemotes { remotes in
        guard let number = remotes.firstIndex(where: { $0.name == report.remote.name }),
          remotes[number].transport == report.remote.transport
        else { return }
        remotes[number] = report.remote
      }
    } catch {
      context.complain("\(report.remote.name): \(error)")
    }
  }

  private func session(with remote: SyncRemote) -> any SyncSession {
    let home = HomeSync(
      context,
      store,
      sharesStories: remote.sharesStories,
      allowsPrivate: remote.allowsPrivate,
      consent: consent,
      isByHand: isByHand,
      until: deadline,
      cancellation,
    )
    switch remote.transport {
    case .folder(let path): return FolderSession(home, SyncFolder(path))
    case .machine(let host, let remoteHome):
      return SSHSession(home, RemoteMachine(host: host, home: remoteHome))
    case .server(var server):
      server.allowsPrivate = remote.allowsPrivate
      return ServerSession(home, server)
    }
  }
}
