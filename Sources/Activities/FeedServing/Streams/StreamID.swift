/// The name by which an app asks for a list of stories.
enum StreamID: Hashable, Sendable {
  case readingList, read, unread, starred
  /// A folder of feeds, a tag of stories, or both.
  case label(String)
  /// A feed, by the name after `feed/`.
  case feed(String)
  /// A list of Google's that no reader here can fill.
  case empty

  private static let states: [Substring: StreamID] = [
    "reading-list": .readingList, "read": .read, "kept-unread": .unread, "unread": .unread,
    "starred": .starred,
  ]

  /// Reads the name of a stream; nil for other text.
  ///
  /// Apps that know a feed by its id write the prefix twice, and some write a state's name alone,
  /// which FreshRSS accepts.
  init?(_ text: String) {
    if let state = Self.states[text[...]] {
      self = state
      return
    }
    if text.hasPrefix("feed/") {
      var name = text.dropFirst(5)
      while name.hasPrefix("feed/") { name = name.dropFirst(5) }
      self = .feed(String(name))
      return
    }
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "user", !parts[1].isEmpty else { return nil }
    let name = text.dropFirst(5 + parts[1].utf8.count + 1)
    if name.hasPrefix("state/com.google/") {
      self = Self.states[name.dropFirst(17)] ?? .empty
    } else if name.hasPrefix("label/") {
      self = .label(String(name.dropFirst(6)))
    } else {
      return nil
    }
  }

  /// The name, with `-` for the user.
  var text: String {
    switch self {
    case .feed(let name): "feed/\(name)"
    case .label(let name): "user/-/label/\(name)"
    default: "user/-/state/com.google/\(label)"
    }
  }

  /// The end of the name: what newsboat knows a state by, and readers know a label by.
  var label: String {
    switch self {
    case .readingList, .empty: "reading-list"
    case .read: "read"
    case .unread: "kept-unread"
    case .starred: "starred"
    case .label(let name), .feed(let name): name
    }
  }
}
