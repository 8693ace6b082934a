package import FeedFetching
package import FeedModel
package import FeedStorage
package import FeedUpdating
internal import System

package struct SyncReport: Sendable {
  package var remote: SyncRemote
  /// False for a remote that was named only for this run.
  package var isAdded = true
  /// The outcome, or nil after a failure or without a sync.
  package var outcome: SyncOutcome?
  package var failure: SyncError?
  /// The number of changes for the next sync, or nil if it was not counted.
  package var waiting: Int?
  package var refused: [RefusedChange] = []
  package var fromServer = RefreshReport()

  package init(remote: SyncRemote, isAdded: Bool = true) {
    (self.remote, self.isAdded) = (remote, isAdded)
  }
}

package struct SyncRun {
  let context: SyncContext
  let store: LibraryStore
  let consent: SyncConsent
  /// True if the user asked for the sync, false in a fetch or refresh.
  let isByHand: Bool
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
    if case .server = remote.transport { tellMachines(&report) }
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

  /// Tells other machines at once what a server has changed here.
  ///
  /// One that has heard an older value sends that to the server, and this home would take it for news:
  /// two homes of one server would set and take back the same for ever.
  private func tellMachines(_ report: inout SyncReport) {
    guard var result = report.outcome?.result, result.taken > 0 else { return }
    let (sent, pending) = (result.sent, result.pending)
    for remote in (try? store.syncRemotes()) ?? [] {
      if case .server = remote.transport { continue }
      var session = session(with: remote)
      // A failure is told when it is this machine's turn.
      if let heard = try? session.synchronize() { result.add(heard.result) }
    }
    (result.sent, result.pending) = (sent, pending)
    report.outcome?.result = result
  }

  package var isCancelled: Bool { cancellation.isCancelled }

  /// Saves the result with the remote, if that still exists unchanged.
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
