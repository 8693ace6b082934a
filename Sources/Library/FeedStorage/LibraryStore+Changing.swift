extension LibraryStore {
  /// Changes the store under the lock; an error of `change` changes nothing.
  package func change<R>(
    waitAtMost limit: Duration = .seconds(30),
    _ change: (Library) throws -> (LibraryChange, R),
  ) throws -> R {
    let result = try update(waitAtMost: limit) { library in
      // A refusal of the caller is no fault of the store.
      let result = Result { try change(library) }
      return ((try? result.get().0) ?? LibraryChange(), result)
    }
    return try result.get().1
  }
}
