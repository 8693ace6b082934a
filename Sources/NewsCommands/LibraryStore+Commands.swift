import FeedModel
import FeedStorage

/// What `body` gives; an error of the store becomes what the command fails for.
func commandErrors<Result>(_ body: () throws -> Result) throws(CommandError) -> Result {
  do {
    return try body()
  } catch let error as CommandError {
    throw error
  } catch {
    throw .failed("\(error)")
  }
}

/// The store as the commands use it: its errors are theirs.
extension LibraryStore {
  func library(_ detail: SubscriptionDetail = .whole) throws(CommandError) -> Library {
    try commandErrors { try read(detail) }
  }

  func outlines() throws(CommandError) -> OutlineDocument {
    try commandErrors { try readOutlines() }
  }

  /// Changes what is stored, under the lock; what `change` throws changes nothing.
  func change<Result>(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (Library) throws(CommandError) -> (LibraryChange, Result),
  ) throws(CommandError) -> Result {
    let result = try commandErrors {
      try update(waitAtMost: limit) { library in
        // What the command refuses is no fault of the store.
        let result = Swift.Result { () throws(CommandError) in try change(library) }
        return ((try? result.get().0) ?? LibraryChange(), result)
      }
    }
    return try result.get().1
  }
}
