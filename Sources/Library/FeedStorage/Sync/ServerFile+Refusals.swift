internal import FeedModel
internal import System

extension PropertyListCoding where Value == [ServerChange: ServerRefusal] {
  static func refusals(of refusal: PropertyListTable<ServerRefusal>, by name: String) -> Self {
    PropertyListCoding<[String: ServerRefusal]>.list(of: refusal, by: name).map(
      { refusals in
        refusals.reduce(into: [:]) { $0[ServerChange(stored: $1.key)] = $1.value }
      },
      back: { refusals in refusals.reduce(into: [:]) { $0[$1.key.stored] = $1.value } },
    )
  }
}

/// The stored form: for a mark a text such as `tagged 000000000000000000000007 later`, else a
/// feed's URL.
extension ServerChange {
  private static let digits = 24

  fileprivate init(stored text: String) {
    let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count >= 2, parts[1].utf8.count == Self.digits,
      let high = UInt32(parts[1].prefix(8), radix: 16),
      let low = UInt64(parts[1].dropFirst(8), radix: 16),
      let edit = ServerEdit(parts[0], tag: parts.count > 2 ? parts[2] : "")
    else {
      self = .feed(text)
      return
    }
    self = .story(edit, ServerItemID(high: high, low: low))
  }

  fileprivate var stored: String {
    switch self {
    case .feed(let url): return url
    case .story(let edit, let item):
      let id = String(UInt64(item.high).hexadecimal.suffix(8)) + item.low.hexadecimal
      let words = [edit.word, id] + (edit.mark.tag.map { [$0] } ?? [])
      return words.joined(separator: " ")
    }
  }
}

extension ServerEdit {
  fileprivate init?(_ word: String, tag: String) {
    let marks: [String: SyncKey.StoryMark] = [
      "read": .read, "starred": .starred, "tagged": .tag(tag),
    ]
    let isSet = !word.hasPrefix("un")
    guard let mark = marks[isSet ? word : String(word.dropFirst(2))] else { return nil }
    self.init(mark, isSet)
  }
}
