import FeedModel
import System

/// The encoding of a field's collected bytes; base64 is Atom 0.3's.
enum TextMode: UInt8, Hashable, Sendable {
  case html, plain
  case base64HTML, base64Plain
}

struct FieldDraft: Hashable, Sendable {
  var span = TextSpan()
  var mode = TextMode.html
}

struct WholeDraft: Hashable, Sendable {
  var element: FeedElement
  /// The part of `Draft.markup` that holds its unescaped markup; empty where it has none.
  var markup: TextSpan
  /// An index into `BaseStack.bases`; -1 without an `xml:base`, as in the other drafts.
  var base: Int
}

struct LinkDraft: Hashable, Sendable {
  var url: TextSpan
  var rank: UInt8
  var base: Int
}

struct EnclosureDraft: Hashable, Sendable {
  var url: TextSpan
  var type: TextSpan?
  var length: TextSpan?
  var duration: TextSpan?
  var base: Int
  /// The number of its `media:group`, 0 of `media:content` alone; nil of an `enclosure`, which
  /// both repeat.
  var group: Int?
  /// The highest of a group's forms is the best.
  var rank = 0
}

/// Podcasting 2.0's `chapters`, `transcript`, or one `source` of an `alternateEnclosure`.
struct RelatedDraft: Hashable, Sendable {
  var role = RelatedFile.Role.alternate
  var url: TextSpan?
  var type: TextSpan?
  var length: TextSpan?
  var language: TextSpan?
  var base = -1
  /// The number of the `alternateEnclosure` in its item, from 1; 0 for all other files.
  var alternate = 0
}

struct ChapterDraft: Hashable, Sendable {
  var start: TextSpan
  var title: TextSpan
  var url: TextSpan?
  var base: Int
}

struct PodcastPersonDraft: Hashable, Sendable {
  var name = FieldDraft()
  var role: TextSpan?
  var url: TextSpan?
  var base: Int
}

/// The collected fields of an item, or of the feed itself, before anything is decided.
///
/// One draft is used for many items: `reset` keeps the memory.
final class Draft {
  /// The bytes collected of one field; of a field that may be the whole text, `maximumTextBytes`.
  static let maximumFieldBytes = 64 << 10
  static let maximumTextBytes = 1 << 20
  static let maximumListLength = 64

  let buffer: TextBuffer
  let markup = TextBuffer(capacity: 16)
  @exclusivity(unchecked) var wholes: [WholeDraft] = []
  @exclusivity(unchecked) var links: [LinkDraft] = []
  @exclusivity(unchecked) var enclosures: [EnclosureDraft] = []
  @exclusivity(unchecked) var related: [RelatedDraft] = []
  @exclusivity(unchecked) var alternate = RelatedDraft()
  @exclusivity(unchecked) var groups = 0
  @exclusivity(unchecked) var pictures: [PictureDraft] = []
  /// The address of the picture that the open or last `media:content` is.
  @exclusivity(unchecked) var picture: TextSpan?
  @exclusivity(unchecked) var pictureTexts: [(url: TextSpan, text: FieldDraft)] = []
  @exclusivity(unchecked) var chapters: [ChapterDraft] = []
  @exclusivity(unchecked) var people: [PodcastPersonDraft] = []
  @exclusivity(unchecked) var categories: [FieldDraft] = []
  @exclusivity(unchecked) var authors: [FieldDraft] = []
  @exclusivity(unchecked) var sourceAuthors: [FieldDraft] = []
  @exclusivity(unchecked) var isPermaLink: Bool?
  /// True of a story that is only listed, after a title that has words.
  @exclusivity(unchecked) var needsNoText = false
  @exclusivity(unchecked) private var fields = [FieldDraft?](
    repeating: nil,
    count: FeedElement.allCases.count,
  )

  init(buffer: TextBuffer) {
    self.buffer = buffer
  }

  func reset() {
    links.removeAll(keepingCapacity: true)
    enclosures.removeAll(keepingCapacity: true)
    related.removeAll(keepingCapacity: true)
    alternate = RelatedDraft()
    if !pictures.isEmpty { pictures.removeAll(keepingCapacity: true) }
    (groups, picture) = (0, nil)
    if !pictureTexts.isEmpty { pictureTexts.removeAll(keepingCapacity: true) }
    if !chapters.isEmpty { chapters.removeAll(keepingCapacity: true) }
    if !people.isEmpty { people.removeAll(keepingCapacity: true) }
    categories.removeAll(keepingCapacity: true)
    authors.removeAll(keepingCapacity: true)
    sourceAuthors.removeAll(keepingCapacity: true)
    (isPermaLink, needsNoText) = (nil, false)
    wholes.removeAll(keepingCapacity: true)
    markup.truncate(to: 0)
    fields.withUnsafeMutableBufferPointer { $0.update(repeating: nil) }
  }

  func field(_ element: FeedElement) -> FieldDraft? {
    fields[Int(element.rawValue)]
  }

  func number(_ element: FeedElement, in range: ClosedRange<Int>) -> Int? {
    let number = field(element).flatMap { Int(buffer.bytes($0.span).string) }
    return number.flatMap { range ~= $0 ? $0 : nil }
  }

  func firstField(of sources: [FeedElement], _ isEnough: (FieldDraft, FeedElement) -> Bool) {
    for source in sources {
      if let field = field(source), isEnough(field, source) { return }
    }
  }

  @discardableResult
  func keep(_ field: FieldDraft, as element: FeedElement) -> Bool {
    guard self.field(element) == nil else { return false }
    fields[Int(element.rawValue)] = field
    return true
  }
}

extension Array {
  mutating func appendWithinLimit(_ element: Element, _ limit: Int = Draft.maximumListLength) {
    if count < limit { append(element) }
  }
}

struct PersonDraft: Hashable, Sendable {
  var start = 0
  var textEnd: Int?
  var isAtom = false
  var isInSource = false
  var name: FieldDraft?
  var email: FieldDraft?
}
