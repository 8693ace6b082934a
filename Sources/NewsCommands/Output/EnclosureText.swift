import FeedModel

/// What is known of an enclosure, in words.
enum EnclosureText {
  /// ` (audio/mpeg, 12.3 MB, 34:12)`; empty when nothing is known.
  static func facts(_ enclosure: Enclosure) -> String {
    var facts: [String] = []
    if let type = enclosure.type { facts.append(SafeText.line(type)) }
    if let length = enclosure.length { facts.append(size(length)) }
    if let duration = enclosure.duration, duration > 0 { facts.append(time(duration)) }
    return facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
  }

  private static func size(_ bytes: Int64) -> String {
    guard bytes >= 1_000_000 else {
      return bytes >= 1000 ? "\(bytes / 1000) kB" : Count.of(Int(bytes), "byte")
    }
    return "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
  }

  private static func time(_ seconds: Int) -> String {
    let tail = "\(CivilTime.padded(seconds / 60 % 60)):\(CivilTime.padded(seconds % 60))"
    return seconds >= 3600 ? "\(seconds / 3600):\(tail)" : tail
  }
}
