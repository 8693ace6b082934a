/// What one builder of items leaves for the next: memory, and texts that come again and again.
final class BuilderMemory {
  /// Memory for texts in the making.
  let scratch = TextBuffer()
  /// The texts of the item that is built.
  let texts = TextBuffer()
  let authors = ShortTexts()
  let categories = ShortTexts()
  /// Bytes of the bases so far that references were resolved against, and what each costs besides.
  private var baseBytes = 0

  /// Takes note of a base that a reference is resolved against: some short references and a long
  /// base make a hundred times as much of a document.
  func use(_ base: String?) -> String? {
    baseBytes += 64 + (base?.utf8.count ?? 0)
    return base
  }

  /// - Throws: When more was resolved than any honest document needs.
  func checkBases(_ limits: ParsingLimits) throws(FeedParsingError) {
    guard baseBytes <= limits.maximumBytes else {
      throw .limitExceeded(name: "bytes of resolved links", limit: limits.maximumBytes)
    }
  }
}
