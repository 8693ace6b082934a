/// A media file that belongs to a story, such as a podcast's episode (RSS 2.0 `enclosure`).
package struct Enclosure: Hashable, Sendable {
  /// An absolute http or https URL.
  package var url: String
  /// The media type as published, such as `audio/mpeg`.
  package var type: String?
  /// Bytes, as published; nil when absent or not a number above zero.
  package var length: Int64?
  /// Seconds (`itunes:duration`, JSON Feed `duration_in_seconds`).
  package var duration: Int?

  package init(url: String, type: String? = nil, length: Int64? = nil, duration: Int? = nil) {
    self.url = url
    self.type = type
    self.length = length
    self.duration = duration
  }
}
