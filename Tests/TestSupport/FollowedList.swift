/// The list that a reader has who follows the changes of `news list --follow --json`.
package struct FollowedList {
  package private(set) var order: [String] = []
  /// The JSON of each story by its id, without its number.
  package private(set) var stories: [String: Substring] = [:]
  /// The changes that cannot be: of stories that are not there, and those that change nothing.
  package private(set) var problems: [String] = []

  package init() {}

  package mutating func take(_ line: String) {
    let id = Self.value("id", in: line)
    let change = Self.value("change", in: line)
    let story = Self.story(line)
    let old = stories[id]
    switch change {
    case "insert" where old == nil, "move" where old != nil:
      order.removeAll { $0 == id }
      let before = Self.value("before", in: line)
      order.insert(id, at: order.firstIndex(of: before) ?? order.count)
      stories[id] = story
    case "update" where old != nil && old != story: stories[id] = story
    case "delete" where old != nil:
      order.removeAll { $0 == id }
      stories[id] = nil
    default: problems.append("\(change) \(id), which was \(old ?? "not there")")
    }
  }

  package static func listed(_ text: String) -> (order: [String], stories: [String: Substring]) {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("{") }
    let ids = lines.map { value("id", in: String($0)) }
    let stories = lines.map { story($0.hasSuffix(",") ? String($0.dropLast()) : String($0)) }
    return (ids, Dictionary(zip(ids, stories)) { first, _ in first })
  }

  /// Returns the value of a key before the story's own keys; empty for null.
  private static func value(_ key: String, in line: String) -> String {
    let parts = line.split(separator: "\"\(key)\":\"", maxSplits: 1)
    guard parts.count == 2 else { return "" }
    return String(parts[1].prefix { $0 != "\"" })
  }

  private static func story(_ line: String) -> Substring {
    let parts = line.split(separator: "\"id\":", maxSplits: 1)
    return parts.last ?? ""
  }
}
