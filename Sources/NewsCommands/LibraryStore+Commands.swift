import FeedModel
import FeedStorage

/// What `body` gives; an error of the store becomes what the command fails for.
func commandErrors<Result>(_ body: () throws -> Result) throws(CommandError) -> Result {
  try CommandError.converting(body)
}

/// The store as the commands use it: its errors are theirs.
extension LibraryStore {
  func library(_ detail: SubscriptionDetail = .whole) throws(CommandError) -> Library {
    try commandErrors { try read(detail) }
  }

  func outlines() throws(CommandError) -> OutlineDocument {
    try commandErrors { try readOutlines() }
  }
}
