import FeedModel
import FeedStorage

/// The store as the commands use it: its errors are messages, its waits bounded.
extension LibraryStore {
  /// How long a command waits for another that is saving.
  private static let patience = Duration.seconds(30)

  func library(_ detail: SubscriptionDetail = .whole) throws(CommandError) -> Library {
    do { return try read(detail) } catch { throw .failed("\(error)") }
  }

  /// Changes what is stored, under the lock; what `change` throws changes nothing.
  func change<Result>(
    _ change: (Library) throws(CommandError) -> (LibraryChange, Result)
  ) throws(CommandError) -> Result {
    var refusal: CommandError?
    do {
      let result = try update(waitAtMost: Self.patience) {
        library throws(StorageError) -> (LibraryChange, Result?) in
        do throws(CommandError) {
          let (change, result) = try change(library)
          return (change, result)
        } catch {
          refusal = error
          return (LibraryChange(), nil)
        }
      }
      if let result { return result }
    } catch {
      throw .failed("\(error)")
    }
    throw refusal ?? .failed("nothing was changed")
  }
}
