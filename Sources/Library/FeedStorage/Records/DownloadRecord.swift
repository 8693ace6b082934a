internal import System

struct DownloadRecord: Hashable, Sendable {
  var story: String
  var home: String
  var url: String
  /// A name or a path of names, below the folder.
  var name: String
  var validator: String?
  var size: Int?
  var isWhole = false
  /// The number of runs in a row that brought nothing of use, and the date of the last one.
  var failures = 0
  var failed: Date?

  var part: String { Self.part(of: name) }

  static func part(of name: String) -> String { name + ".part" }

  /// The time of the next try after failures: an hour later, two, four… up to a day.
  var retry: Date? { failed?.addingTimeInterval(min(3_600 * exp2(Double(failures - 1)), 86_400)) }

  static let table: PropertyListTable<DownloadRecord> = .init(
    DownloadRecord(story: "", home: "", url: "", name: ""),
    [
      .init("story", { $1(&$0.story) }, required: .string),
      .init("home", { $1(&$0.home) }, required: .string),
      .init("url", { $1(&$0.url) }, required: .string),
      // A name must not lead out of the folder, and must be one that we give.
      .init("name", { $1(&$0.name) }, required: .string.accepting(isVisiblePath)),
      .init("validator", { $1(&$0.validator) }, .string), .init("size", { $1(&$0.size) }, .count),
      .init("whole", { $1(&$0.isWhole) }, .boolean),
      .init("failures", { $1(&$0.failures) }, .count(atMost: 100)),
      .init("failed", { $1(&$0.failed) }, .date),
    ],
  )

  private static func isVisiblePath(_ path: String) -> Bool {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return names.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") } && !path.utf8.contains(0)
  }

  mutating func forgetOrigin(_ url: String) {
    (self.url, validator, size, isWhole) = (url, nil, nil, false)
  }
}
