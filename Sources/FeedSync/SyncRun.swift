package import FeedFetching
package import FeedModel
package import FeedStorage
package import FeedUpdating
internal import System

/// What became of one place.
package struct SyncReport: Sendable {
  package var place: SyncPlace
  /// Whether the place was added, and not only named this once.
  package var isAdded = true
  /// nil where it failed, and where nothing was tried.
  package var outcome: SyncOutcome?
  package var failure: SyncError?
  /// Changes of this home that the place does not know of; nil where that was not counted.
  package var waiting: Int?
  /// What a server has brought, though something may have failed behind that.
  package var served = RefreshReport()

  package init(
    place: SyncPlace,
    isAdded: Bool = true,
    outcome: SyncOutcome? = nil,
    failure: SyncError? = nil,
    waiting: Int? = nil,
    served: RefreshReport = RefreshReport(),
  ) {
    self.place = place
    self.isAdded = isAdded
    self.outcome = outcome
    self.failure = failure
    self.waiting = waiting
    self.served = served
  }
}

/// Synchronizes a home with places, one after the other.
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

  package func run(_ place: SyncPlace, isAdded: Bool = true) -> SyncReport {
    var report = SyncReport(place: place, isAdded: isAdded)
    var remote = remote(place)
    do throws(SyncError) {
      report.outcome = try remote.synchronize()
    } catch {
      report.failure = error
    }
    report.served = remote.served
    let result = report.outcome?.result
    if let told = report.outcome?.told { report.place.told = told }
    report.place.note(
      report.failure?.line,
      sent: result?.sent ?? 0,
      taken: result?.taken ?? 0,
      on: context.now(),
    )
    return report
  }

  package var isCancelled: Bool { cancellation.isCancelled }

  /// Notes how it ended with a place that was added, where it still is one.
  package func note(_ report: SyncReport) {
    guard report.isAdded else { return }
    do throws(StorageError) {
      try store.changeSyncPlaces { places in
        guard let number = places.firstIndex(where: { $0.name == report.place.name }),
          places[number].way == report.place.way
        else { return }
        places[number] = report.place
      }
    } catch {
      context.complain("\(report.place.name): \(error)")
    }
  }

  private func remote(_ place: SyncPlace) -> any SyncRemote {
    let home = HomeSync(
      context,
      store,
      sharesStories: place.sharesStories,
      consent: consent,
      isByHand: isByHand,
      until: deadline,
      cancellation,
    )
    switch place.way {
    case .folder(let path): return FolderRemote(home, SyncFolder(path))
    case .machine(let host, let remoteHome):
      return CalledMachine(home, RemoteMachine(host: host, home: remoteHome))
    case .server(let server): return ServerSync(home, server)
    }
  }
}
