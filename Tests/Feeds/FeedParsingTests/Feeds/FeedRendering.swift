import FeedModel

@testable import FeedParsing
@testable import System

// A feed in the form of the expectations: the fields that a document can be compared by.
extension Feed {
  var rendered: JSONValue {
    .object([
      JSONMember(name: "format", value: .string(format.rawValue)),
      JSONMember(name: "title", value: .optional(title)),
      JSONMember(name: "link", value: .optional(link)),
      JSONMember(name: "description", value: .optional(description)),
      JSONMember(name: "language", value: .optional(language)),
      JSONMember(name: "date", value: .optional(date.map(RFC3339.string))),
      JSONMember(name: "newLocation", value: .optional(newLocation)),
      JSONMember(name: "isComplete", value: .bool(isComplete)),
      JSONMember(name: "timeToLive", value: .number(hints.timeToLive.map { "\($0)" } ?? "")),
      JSONMember(
        name: "updateFrequency",
        value: .number(hints.updateFrequency.map { "\($0)" } ?? ""),
      ),
      JSONMember(name: "skipHours", value: .numbers(hints.skipHours)),
      JSONMember(name: "skipDays", value: .numbers(hints.skipDays)),
      JSONMember(name: "itemCount", value: .number("\(items.count)")),
      JSONMember(name: "items", value: .array(items.map(\.rendered))),
    ])
  }
}

extension Item {
  var rendered: JSONValue {
    .object([
      JSONMember(name: "title", value: .optional(title)),
      JSONMember(name: "link", value: .optional(link)),
      JSONMember(name: "pubDate", value: .optional(pubDate)),
      JSONMember(name: "date", value: .optional(date.map(RFC3339.string))),
      JSONMember(name: "guid", value: .optional(guid)),
      JSONMember(name: "guidIsPermaLink", value: .bool(guidIsPermaLink)),
      JSONMember(name: "author", value: .optional(self.author)),
      JSONMember(name: "summary", value: .optional(summary)),
      JSONMember(name: "categories", value: .array(self.categories.map { .string($0) })),
      JSONMember(name: "enclosures", value: .array(self.enclosures.map(\.rendered))),
      JSONMember(name: "related", value: .array(self.related.map(\.rendered))),
      JSONMember(name: "chapters", value: .array(self.chapters.map(\.rendered))),
      JSONMember(name: "people", value: .array(self.people.map(\.rendered))),
    ])
  }
}

extension Enclosure {
  var rendered: JSONValue {
    .object([
      JSONMember(name: "url", value: .string(url)),
      JSONMember(name: "type", value: .optional(type)),
      JSONMember(name: "length", value: length.map { .number("\($0)") } ?? .null),
      JSONMember(name: "duration", value: duration.map { .number("\($0)") } ?? .null),
    ])
  }
}

extension RelatedFile {
  var rendered: JSONValue {
    .object([
      JSONMember(name: "role", value: .string(role.rawValue)),
      JSONMember(name: "url", value: .string(url)),
      JSONMember(name: "type", value: .optional(type)),
      JSONMember(name: "length", value: length.map { .number("\($0)") } ?? .null),
      JSONMember(name: "language", value: .optional(language)),
    ])
  }
}

extension Chapter {
  var rendered: JSONValue {
    .object([
      JSONMember(name: "start", value: .number("\(start)")),
      JSONMember(name: "title", value: .string(title)),
      JSONMember(name: "url", value: .optional(url)),
    ])
  }
}

extension Person {
  var rendered: JSONValue {
    .object([
      JSONMember(name: "name", value: .string(name)),
      JSONMember(name: "role", value: .string(role)),
      JSONMember(name: "url", value: .optional(url)),
    ])
  }
}

extension JSONValue {
  static func optional(_ text: String?) -> JSONValue {
    text.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null
  }

  static func numbers(_ numbers: Set<Int>) -> JSONValue {
    .array(numbers.sorted().map { .number("\($0)") })
  }

  /// Returns the expected members that another value lacks; members that are not expected are
  /// ignored.
  func differences(from found: JSONValue?, at path: String = "") -> [String] {
    switch self {
    case .object(let members):
      return members.flatMap {
        $0.value.differences(from: found?[$0.name], at: "\(path).\($0.name)")
      }
    case .array(let values):
      let others = found?.elements ?? []
      guard values.count == others.count else {
        return ["\(path): \(values.count) values expected, \(others.count) found"]
      }
      return zip(values, others).enumerated().flatMap { index, pair in
        pair.0.differences(from: pair.1, at: "\(path)[\(index)]")
      }
    default:
      return self == found
        ? [] : ["\(path): \(self) expected, \(found.map { "\($0)" } ?? "nothing") found"]
    }
  }
}
