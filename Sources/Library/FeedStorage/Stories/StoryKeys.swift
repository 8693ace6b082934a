internal import FeedModel
package import System

/// The keys of a stored story, by which a merge recognises one that comes.
///
/// Texts are fingerprints, 0 for one that is missing.
package struct StoryKeys: BitwiseCopyable, Hashable, Sendable {
  /// The number of the id; 0 if another program gave it.
  package private(set) var id: UInt64 = 0
  /// The date, or the time of storing without one, in seconds since 2001.
  private var time = Double.nan
  package private(set) var (title, guid, path, guidPath): (UInt32, UInt32, UInt32, UInt32)
  /// The object of the list of feeds; 0 without one.
  package private(set) var feeds: UInt32 = 0

  static let unknown = StoryKeys()
  static let size = MemoryLayout<StoryKeys>.size

  private init() { (title, guid, path, guidPath) = (0, 0, 0, 0) }

  /// Returns true if nothing need be asked of the story itself.
  var isWhole: Bool { id != 0 && feeds != 0 && !time.isNaN }

  /// The instant by which the story is sorted; nil where that depends on what is not known here.
  package func instant(now: Date) -> Double? {
    time <= now.timeIntervalSinceReferenceDate ? time : nil
  }
}

extension StoryKeys {
  package init(_ story: borrowing ItemReader) throws {
    self.init()
    id = try story.idNumber() ?? 0
    feeds = UInt32(clamping: story.feedList ?? 0)
    time = try story.instant(.date) ?? story.instant(.stored) ?? .nan
    if let text = try story.text(.title) { title = TextFingerprint.exact(text) }
    _ = try story.has(.link) { link in
      if !link.isEmpty { path = TextFingerprint.path(link) }
      return true
    }
    let isLink = story.object(.guid) == story.object(.link)
    _ = try story.has(.guid) { bytes in
      guid = TextFingerprint.guid(bytes)
      guard !isLink, TextFingerprint.begin(bytes, with: "http") else { return true }
      guidPath = TextFingerprint.path(bytes)
      return true
    }
  }
}

extension ItemReader {
  /// The object of the list of feeds.
  package var feedList: Int? { object(.feeds) }
}
