internal import FeedModel
internal import System

extension PropertyListCoding where Value == [RefusedMark: ServerRefusal] {
  /// Dictionaries, each with a mark such as `tagged 000000000000000000000007 later`.
  static func refusedMarks(_ refusal: PropertyListTable<ServerRefusal>) -> Self {
    PropertyListCoding<[String: ServerRefusal]>.list(of: refusal, by: "mark").map(
      { marks in
        Dictionary(
          marks.compactMap { name, refusal in RefusedMark(stored: name).map { ($0, refusal) } },
          uniquingKeysWith: { one, _ in one },
        )
      },
      back: { marks in
        Dictionary(marks.map { ($0.stored, $1) }, uniquingKeysWith: { one, _ in one })
      },
    )
  }
}

extension RefusedMark {
  private static let plain: [(edit: ServerEdit, name: String)] = [
    (.read, "read"), (.unread, "unread"), (.starred, "starred"), (.unstarred, "unstarred"),
  ]
  private static let digits = 24

  fileprivate init?(stored text: String) {
    let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count >= 2, parts[1].utf8.count == Self.digits,
      let high = UInt32(parts[1].prefix(8), radix: 16),
      let low = UInt64(parts[1].dropFirst(8), radix: 16)
    else { return nil }
    let id = ServerItemID(high: high, low: low)
    if let plain = Self.plain.first(where: { $0.name == parts[0] }) {
      self.init(id, plain.edit)
    } else if parts.count == 3, ["tagged", "untagged"].contains(parts[0]) {
      self.init(id, parts[0] == "tagged" ? .tagged(parts[2]) : .untagged(parts[2]))
    } else {
      return nil
    }
  }

  fileprivate var stored: String {
    let id = String(UInt64(item.high).hexadecimal.suffix(8)) + item.low.hexadecimal
    return switch edit {
    case .tagged(let name): "tagged \(id) \(name)"
    case .untagged(let name): "untagged \(id) \(name)"
    default: (Self.plain.first { $0.edit == edit }?.name ?? "") + " " + id
    }
  }
}
