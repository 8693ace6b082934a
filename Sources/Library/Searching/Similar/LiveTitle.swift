/// The titles of live blogs: `War in Ukraine live: …`, `Liveticker`, `EN DIRECT`, `minuto a minuto`.
enum LiveTitle {
  private static let names = ids("liveblog liveticker newsblog newsticker онлайн 直播")
  private static let followers = ids("updates blog ticker")
  private static let live = ids("live")
  private static let phrases = [
    "en direct", "en vivo", "in diretta", "la diretta", "ao vivo", "im ticker", "minuto a minuto",
    "minute par minute",
  ].map { phrase in GistReader.words(of: phrase, maximumScalars: phrase.count).map(\.id) }

  private static func ids(_ words: String) -> Set<UInt64> {
    Set(GistReader.words(of: words, maximumScalars: words.count).map(\.id))
  }

  static func isLive(_ title: [GistWord]) -> Bool {
    title.indices.contains { index in
      let word = title[index]
      let rest = title[index...].lazy.map(\.id)
      if names.contains(word.id) || phrases.contains(where: rest.starts) { return true }
      guard live.contains(word.id) else { return false }
      let next = rest.dropFirst().first
      return index == 0 || word.isSetOff || next.map(followers.contains) ?? true
    }
  }
}
