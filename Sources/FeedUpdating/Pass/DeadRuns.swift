import FeedModel
import FeedStorage

extension Refresher {
  /// Takes note of the runs that ended without a word; the feeds at which they may have died are to
  /// be asked last, and by themselves.
  func noteDeadRuns(waitAtMost limit: Duration) throws(StorageError) -> [Subscription] {
    let runs = store.deadRuns()
    guard runs.contains(where: { !$0.suspects.isEmpty }) else {
      for run in runs { try run.remove() }
      return []
    }
    let suspects = try store.update(waitAtMost: limit) { (library) throws(StorageError) in
      var subscriptions = library.subscriptions
      var noted: Set<String> = []
      for run in runs {
        let suspects = Dictionary(
          run.suspects.map { ($0.url, $0.wasAnswering) },
          uniquingKeysWith: { $0 || $1 },
        )
        for index in subscriptions.indices {
          guard let wasAnswering = suspects[subscriptions[index].url] else { continue }
          noted.insert(subscriptions[index].url)
          subscriptions[index].state.noteCrash(
            whileAnswering: wasAnswering,
            isOnlySuspect: suspects.count == 1,
          )
        }
      }
      let change = LibraryChange(subscriptions: subscriptions)
      return (change, subscriptions.filter { noted.contains($0.url) })
    }
    for run in runs { try run.remove() }
    return suspects
  }
}

extension FeedState {
  /// Only a crash that nothing else can have caused makes the feed one that is left alone: others
  /// die with it that have done no harm.
  ///
  /// It was answering if its document was coming in, or being read.
  mutating func noteCrash(whileAnswering wasAnswering: Bool, isOnlySuspect: Bool) {
    let before = crashes?.count ?? 0
    let most = isOnlySuspect ? RunCrashes.most : RunCrashes.most - 1
    crashes = RunCrashes(
      count: max(before, min(before + 1, most)),
      isAlone: wasAnswering || isOnlySuspect || before > 0,
    )
    guard isQuarantined else { return }
    lastOutcome = .failed
    lastStatus = nil
    lastError = "three runs ended without a word while it was being asked: it is left alone"
    nextDue = nil
  }
}
