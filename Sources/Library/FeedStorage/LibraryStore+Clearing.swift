package import FeedModel
internal import System

extension LibraryStore {
  /// Deletes all stories, and forgets what would keep the next refresh from bringing them back.
  ///
  /// The data file goes even if it is damaged. With an origin it is set aside, and can be brought
  /// back; without one it is deleted for good.
  ///
  /// - Returns: false if nothing was done, since there are saved pages.
  @discardableResult
  package func clearStories(by origin: ChangeOrigin? = nil) throws -> Bool {
    try locked {
      let file = SubscriptionsFile(path: subscriptionsPath)
      let feeds = try file.read()
      // This holds even if the file of feeds, which would name them, is lost.
      if hasSavedPages { return false }
      let history = try historyFile()
      var forgotten = feeds
      forgotten.subscriptions = feeds.subscriptions.map { $0.forgettingStories() }
      forgotten.savedStories = 0
      let step = try origin.flatMap { origin in
        try prepareStep(origin, history, from: feeds.subscriptions, to: forgotten.subscriptions)
      }
      var noted = step
      func commitNotes() throws {
        defer { noted = nil }
        try noted?.commit()
      }
      // Validators first: a stop in between costs one request more, not every story.
      do {
        if forgotten.subscriptions != feeds.subscriptions {
          try file.save(forgotten, after: commitNotes)
        }
        try commitNotes()
      } catch {
        noted?.discard()
        throw error
      }
      if let step {
        try history.setAside(step)
        history.finish(step)
      } else {
        try AtomicFile(path: dataPath).delete()
      }
      try removeListing()
      collectTexts()
      return true
    }
  }

  private var hasSavedPages: Bool { (try? readItems().hasSavedPages) ?? false }

  private func prepareStep(
    _ origin: ChangeOrigin,
    _ history: HistoryFile,
    from subscriptions: [Subscription],
    to forgotten: [Subscription],
  ) throws -> HistoryFile.Prepared? {
    guard let (file, status) = try OpenFile.reading(history.dataPath) else { return nil }
    var step = HistoryStep(origin: origin)
    step.isOfStories = true
    // All feeds are noted: a story of any other feed is of one that is not followed.
    step.feeds = zip(subscriptions, forgotten).map { ListFact(old: $0, new: $1.withoutState) }
    return try history.prepare(
      step,
      of: ItemTable(path: dataPath),
      madeFrom: try StoreGeneration(of: self),
      settingAside: SetAsideFile(try FileVersion(of: file, status), size: status.size),
    )
  }
}

extension ItemTable {
  package var hasSavedPages: Bool {
    get throws {
      guard var reader = ItemReader(self) else { return false }
      for position in 0..<count {
        try reader.move(to: position)
        if try reader.feedURLs().contains(Subscription.savedURL) { return true }
      }
      return false
    }
  }
}

extension Library {
  /// Forgets what says that feeds have not changed, since stories of theirs are gone.
  mutating func forgetWhatIsGone() {
    guard items.count > 0 else {
      subscriptions = subscriptions.map { $0.forgettingStories() }
      return
    }
    subscriptions = subscriptions.map { $0.forgettingDocument() }
  }
}

extension FeedState {
  var isOfNoDocument: Bool {
    validators == nil && bodyDigest == nil && lastUnconditional == nil
  }
}

extension Subscription {
  package func forgettingStories() -> Subscription {
    var copy = self
    copy.state.validators = nil
    copy.state.bodyDigest = nil
    copy.state.lastUnconditional = nil
    copy.state.nextDue = nil
    copy.state.evicted = []
    copy.state.cleared = []
    copy.state.older = nil
    return copy
  }

  /// Returns the subscription without what says that its document has not changed: it comes whole
  /// again.
  package func forgettingDocument() -> Subscription {
    var copy = self
    copy.state.validators = nil
    copy.state.bodyDigest = nil
    return copy
  }

  /// Returns the subscription with what its stories had left behind before they were cleared,
  /// unless it has answered since; the way back through older ones holds in any case.
  package func rememberingStories(as old: FeedState) -> Subscription {
    var copy = self
    copy.state.older = state.older ?? old.older
    guard state.isOfNoDocument else { return copy }
    copy.state.validators = old.validators
    copy.state.bodyDigest = old.bodyDigest
    copy.state.lastUnconditional = old.lastUnconditional
    copy.state.nextDue = state.nextDue ?? old.nextDue
    copy.state.evicted = old.evicted
    copy.state.cleared = old.cleared
    return copy
  }
}
