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
  /// The width in pixels; 0 where it is not told.
  var width: Int
  var base: Int

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
