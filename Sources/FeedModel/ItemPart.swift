/// One of a list that a story holds, such as an enclosure.
///
/// Like the details of an item it is declared once, in `passed`: then it is packed, stored, read,
/// compared and imported.
package protocol ItemPart: Hashable, Sendable {
  /// More of one story are not taken.
  static var maximumCount: Int { get }

  /// One that says nothing yet, for a coder to fill.
  init()

  /// The part as it comes back from a coder; nil where it lacks what every part has.
  func passed<Coder: PartCoder>(through coder: inout Coder) -> Self?
}

extension ItemPart {
  package static var maximumCount: Int { 64 }
}

/// Takes what a part says, one value after the other, as `ItemCoder` does; the keys are those of the
/// data file and of JSON.
package protocol PartCoder {
  mutating func text(_ key: String, _ value: String?) -> String?
  /// An absolute http or https URL.
  mutating func link(_ key: String, _ value: String?) -> String?
  mutating func number(_ key: String, _ value: Int?) -> Int?
}

/// A media file that belongs to a story, such as a podcast's episode (RSS 2.0 `enclosure`).
package struct Enclosure: ItemPart {
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

  package init() { self.init(url: "") }

  package func passed<Coder: PartCoder>(through coder: inout Coder) -> Enclosure? {
    let url = coder.link("url", url)
    let type = coder.text("type", type)
    let length = coder.size("length", length)
    let duration = coder.seconds("duration", duration)
    return url.map { Enclosure(url: $0, type: type, length: length, duration: duration) }
  }

  /// Whether it is sound or video, or may be.
  package var plays: Bool {
    guard let type = type?.lowercased() else { return true }
    return type.hasPrefix("audio/") || type.hasPrefix("video/")
  }

  package var isImage: Bool { type?.lowercased().hasPrefix("image/") == true }
}

/// A file or a page beside a story's enclosures and its own page, not part of what it carries.
package struct RelatedFile: ItemPart {
  /// In the order in which they are told; the names are those of the data file.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    /// An enclosure in another form (`alternateEnclosure`).
    case alternate
    case chapters, transcript
    /// The page that the story is about (JSON Feed `external_url`), one that goes with it, and that by
    /// which its author found it (Atom, RFC 4287 §4.2.7.2).
    case external, related, via
    /// A picture of the story.
    case image

    /// Says that it belongs to the enclosures (Podcasting 2.0).
    package var isOfEnclosures: Bool {
      self == .alternate || self == .chapters || self == .transcript
    }

    package var isPage: Bool { self == .external || self == .related || self == .via }
  }

  package var role: Role
  /// An absolute http or https URL.
  package var url: String
  package var type: String?
  /// Bytes, as published.
  package var length: Int64?
  /// As published, such as `en-US`.
  package var language: String?

  package init(
    role: Role,
    url: String,
    type: String? = nil,
    length: Int64? = nil,
    language: String? = nil,
  ) {
    self.role = role
    self.url = url
    self.type = type
    self.length = length
    self.language = language
  }

  package init() { self.init(role: .alternate, url: "") }

  package func passed<Coder: PartCoder>(through coder: inout Coder) -> RelatedFile? {
    let role = coder.text("role", role.rawValue).flatMap(Role.init)
    let url = coder.link("url", url)
    let type = coder.text("type", type)
    let length = coder.size("length", length)
    let language = coder.text("language", language)
    guard let role, let url else { return nil }
    return RelatedFile(role: role, url: url, type: type, length: length, language: language)
  }
}

/// A chapter of an episode that its feed lists itself (Podlove Simple Chapters).
package struct Chapter: ItemPart {
  /// Seconds from the episode's beginning.
  package var start: Int
  package var title: String
  /// What it is about: an absolute http or https URL.
  package var url: String?

  /// An episode of a day has fewer.
  package static let maximumCount = 300

  package init(start: Int, title: String, url: String? = nil) {
    (self.start, self.title, self.url) = (start, title, url)
  }

  package init() { self.init(start: 0, title: "") }

  package func passed<Coder: PartCoder>(through coder: inout Coder) -> Chapter? {
    let start = coder.seconds("start", start)
    let title = coder.text("title", title)
    let url = coder.link("url", url)
    guard let start, let title else { return nil }
    return Chapter(start: start, title: title, url: url)
  }
}

/// Somebody whom one hears in an episode, or who made it (Podcasting 2.0 `person`).
package struct Person: ItemPart {
  package var name: String
  /// In small letters, such as `guest`; `host` where the feed does not say.
  package var role: String
  /// An absolute http or https URL.
  package var url: String?

  package static let host = "host"

  package init(name: String, role: String = host, url: String? = nil) {
    (self.name, self.role, self.url) = (name, role, url)
  }

  package init() { self.init(name: "") }

  package func passed<Coder: PartCoder>(through coder: inout Coder) -> Person? {
    let name = coder.text("name", name)
    let role = coder.text("role", role) ?? Self.host
    let url = coder.link("url", url)
    return name.map { Person(name: $0, role: role, url: url) }
  }
}

extension PartCoder {
  /// Bytes, above zero.
  fileprivate mutating func size(_ key: String, _ value: Int64?) -> Int64? {
    number(key, value.map { Int($0) }).flatMap { $0 > 0 ? Int64($0) : nil }
  }

  /// A time that others may calculate with, whatever a file holds.
  fileprivate mutating func seconds(_ key: String, _ value: Int?) -> Int? {
    number(key, value).map { min(max($0, 0), 1 << 40) }
  }
}
