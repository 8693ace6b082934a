/// Why bytes are not a property list, or are refused.
package enum PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  /// Neither a binary nor an XML property list.
  case unrecognized
  case truncated
  /// What is wrong, and at which byte of the file.
  case damaged(String, offset: Int)
  case tooDeep(limit: Int)
  /// The file would expand to many times its size.
  case tooLarge
  /// Wrong XML, and in which line.
  case malformedXML(String, line: Int)

  package var description: String {
    switch self {
    case .empty: "the file is empty"
    case .unrecognized: "not a property list"
    case .truncated: "the property list is cut off"
    case .damaged(let reason, let offset):
      "the property list is damaged: \(reason) at byte \(offset)"
    case .tooDeep(let limit): "the property list is nested deeper than \(limit)"
    case .tooLarge: "the property list refers to its own parts so often that it is refused"
    case .malformedXML(let reason, let line):
      "the XML property list is damaged: line \(line): \(reason)"
    }
  }
}
