import CommandLine
import FeedModel

extension Enclosure {
  package var words: String {
    let time = duration.flatMap { $0 > 0 ? FileDescription.time($0) : nil }
    return FileDescription.joined([type, FileDescription.size(length), time])
  }
}

extension RelatedFile {
  package var words: String {
    FileDescription.joined([role.rawValue, type, FileDescription.size(length), language])
  }
}

extension Person {
  package var words: String { "\(SafeText.line(name)) (\(SafeText.line(role)))" }
}

extension Chapter {
  var words: String { "\(FileDescription.time(start)) \(SafeText.line(title))" }
}

package enum FileDescription {
  /// Returns `34:12` or `1:34:12`; hours are there also beside a longer time.
  package static func time(_ seconds: Int, beside other: Int = 0) -> String {
    let tail = "\((seconds / 60 % 60).padded(to: 2)):\((seconds % 60).padded(to: 2))"
    return max(seconds, other) >= 3600 ? "\(seconds / 3600):\(tail)" : tail
  }

  fileprivate static func joined(_ facts: [String?]) -> String {
    facts.compactMap { $0.map { SafeText.line($0) } }.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  fileprivate static func size(_ length: Int64?) -> String? {
    length.map { ByteCount.text(Int(clamping: $0)) }
  }
}
