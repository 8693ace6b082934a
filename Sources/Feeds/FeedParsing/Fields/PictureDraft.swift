import System

struct PictureDraft: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// One picture in several sizes (`media:content`, `media:thumbnail`).
    case content, thumbnail
    /// A picture that stands alone (`itunes:image`, JSON Feed `image` and `banner_image`).
    case own
  }

  var url: TextSpan
  var source: Source
  /// The highest of several sizes is the best: the default, else the widest up to 2,000 pixels.
  let rank: Int
  let group: Int
  var base: Int

  init(url: TextSpan, source: Source, _ attributes: XMLAttributes?, group: Int = 0, base: Int) {
    (self.url, self.source, self.group, self.base) = (url, source, group, base)
    let width = attributes?.raw("width").flatMap { Int($0.string.prefix(9)) } ?? 0
    let isDefault = attributes?.has("isDefault", "true") ?? false
    rank = isDefault ? .max : width <= Self.enough ? width : Self.enough - width
  }

  private static let enough = 2000

  /// Recognizes a picture that only tells who reads.
  static func isPixel(_ attributes: XMLAttributes) -> Bool {
    ["0", "1"].contains(attributes.raw("width")?.string)
      && ["0", "1"].contains(attributes.raw("height")?.string)
  }

  private static let endings: [StaticString] = [
    ".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif",
  ]

  static func isNamedAsPicture(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    let path = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return endings.contains { UnsafeBufferPointer(rebasing: path).hasSuffix($0) }
  }

  /// Recognizes the author's picture, which WordPress.com declares before the story's.
  static func isOfAuthor(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    ByteScan.first("gravatar.com/avatar/", in: UnsafeRawBufferPointer(url), from: 0) != nil
  }
}
