/// The titles of live blogs: `War in Ukraine live: …`, `Liveticker`, `EN DIRECT`.
enum LiveTitle {
  private static let names = ids("liveblog liveticker newsblog онлайн 直播")
  private static let followers = ids("updates blog ticker")
  private static let live = ids("live")
  private static let pairs = ["en direct", "en vivo", "in diretta"].map { phrase in
    GistReader.words(of: phrase, maximumScalars: phrase.count).map(\.id)
  }

  private static func ids(_ words: String) -> Set<UInt64> {
    Set(GistReader.words(of: words, maximumScalars: words.count).map(\.id))
  }

  static func isLive(_ title: [GistWord]) -> Bool {
    title.indices.contains { index in
      let word = title[index]
      let next = index + 1 < title.count ? title[index + 1].id : nil
      if names.contains(word.id) || next.map({ pairs.contains([word.id, $0]) }) == true {
        return true
      }
      guard live.contains(word.id) else { return false }
      return index == 0 || word.isSetOff || next.map(followers.contains) ?? true
    }
  }
}
