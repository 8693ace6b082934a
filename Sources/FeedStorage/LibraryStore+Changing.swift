package import System

extension LibraryStore {
  /// Changes the store under the lock; an error of `change` changes nothing.
  package func change<Result, Failure: DescribedError>(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (Library) throws(Failure) -> (LibraryChange, Result),
  ) throws(Failure) -> Result {
    let result = try Failure.converting {
      try update(waitAtMost: limit) { library in
        // A refusal of the caller is no fault of the store.
        let result = Swift.Result { () throws(Failure) in try change(library) }
        return ((try? result.get().0) ?? LibraryChange(), result)
      }
    }
    return try result.get().1
  }
}
