package import System

extension LibraryStore {
  /// Changes what is stored, under the lock; what `change` throws changes nothing.
  package func change<Result, Failure: DescribedError>(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (Library) throws(Failure) -> (LibraryChange, Result),
  ) throws(Failure) -> Result {
    let result = try Failure.converting {
      try update(waitAtMost: limit) { library in
        // What the caller refuses is no fault of the store.
        let result = Swift.Result { () throws(Failure) in try change(library) }
        return ((try? result.get().0) ?? LibraryChange(), result)
      }
    }
    return try result.get().1
  }
}
