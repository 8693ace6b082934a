/// An element of a story's list, such as an enclosure.
///
/// It is declared once, in `coded(by:)`; then it is packed, stored, read, compared and imported.
package protocol ItemPart: Hashable, Sendable {
  static var maximumCount: Int { get }

  init()

  /// Returns the part as a coder gives it back; nil where it lacks what every part has.
  func coded<Coder: PartCoder>(by coder: inout Coder) -> Self?
}

extension ItemPart {
  package static var maximumCount: Int { 64 }
}

/// A coder of a part's values, like `ItemCoder`; the keys are those of the data file and of JSON.
package protocol PartCoder {
  mutating func text(_ key: String, _ value: String?) -> String?
  /// Codes an absolute http or https URL.
  mutating func link(_ key: String, _ value: String?) -> String?
  mutating func number(_ key: String, _ value: Int?) -> Int?
}

/// A media file of a story, such as a podcast's episode (RSS 2.0 `enclosure`).
package struct Enclosure: ItemPart {
  package var url: String
  package var type: String?
  /// Bytes, as published; nil where the feed has no number above zero.
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

  package func coded<Coder: PartCoder>(by coder: inout Coder) -> Enclosure? {
    let url = coder.link("url", url)
    let type = coder.text("type", type)
    let length = coder.size("length", length)
    let duration = coder.seconds("duration", duration)
    return url.map { Enclosure(url: $0, type: type, length: length, duration: duration) }
  }

  /// True for audio and video, and where no type is given.
  package var plays: Bool {
    guard let type = type?.lowercased() else { return true }
    return type.hasPrefix("audio/") || type.hasPrefix("video/")
  }

  package var isImage: Bool { type?.lowercased().hasPrefix("image/") == true }
}

package struct RelatedFile: ItemPart {
  /// The order is that of printing; the names are those of the data file.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    /// An enclosure in another form (`alternateEnclosure`).
    case alternate
    case chapters, transcript
    /// `external` is the page that the story is about (JSON Feed `external_url`); `related` and
    /// `via`, by which its author found it, are Atom's (RFC 4287 §4.2.7.2).
    case external, related, via
    case image

    package var isOfEnclosures: Bool {
      self == .alternate || self == .chapters || self == .transcript
    }

    package var isPage: Bool { self == .external || self == .related || self == .via }
  }

  package var role: Role
  package var url: String
  package var type: String?
  package var length: Int64?
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

  package func coded<Coder: PartCoder>(by coder: inout Coder) -> RelatedFile? {
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
  package var url: String?

  /// An episode that lasts a day has fewer.
  package static let maximumCount = 300

  package init(start: Int, title: String, url: String? = nil) {
    (self.start, self.title, self.url) = (start, title, url)
  }

  package init() { self.init(start: 0, title: "") }

  package func coded<Coder: PartCoder>(by coder: inout Coder) -> Chapter? {
    let start = coder.seconds("start", start)
    let title = coder.text("title", title)
    let url = coder.link("url", url)
    guard let start, let title else { return nil }
    return Chapter(start: start, title: title, url: url)
  }
}

/// A person who is heard in an episode, or who made it (Podcasting 2.0 `person`).
package struct Person: ItemPart {
  package var name: String
  /// Lower case, such as `guest`; `host` where the feed does not say.
  package var role: String
  package var url: String?

  package static let host = "host"

  package init(name: String, role: String = host, url: String? = nil) {
    (self.name, self.role, self.url) = (name, role, url)
  }

  package init() { self.init(name: "") }

  package func coded<Coder: PartCoder>(by coder: inout Coder) -> Person? {
    let name = coder.text("name", name)
    let role = coder.text("role", role) ?? Self.host
    let url = coder.link("url", url)
    return name.map { Person(name: $0, role: role, url: url) }
  }
}

extension PartCoder {
  fileprivate mutating func size(_ key: String, _ value: Int64?) -> Int64? {
    number(key, value.map { Int($0) }).flatMap { $0 > 0 ? Int64($0) : nil }
  }

  /// Codes seconds, clamped to 0...2^40 whatever a file holds, so that they can be added.
  fileprivate mutating func seconds(_ key: String, _ value: Int?) -> Int? {
    number(key, value).map { min(max($0, 0), 1 << 40) }
  }
}
