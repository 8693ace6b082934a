import CommandLine
import CommandSupport
import Episodes
import FeedLibrary
import FeedModel
import FeedStorage

struct DownloadResult: Sendable {
  var number: Int?
  let story: StoredItem
  let url: String
  var path: String?
  var bytes = 0
  var error: String?
  var isUnbegun: Bool { error == EpisodeDownloads.stopped && bytes == 0 }

  static let fields: [JSONField<DownloadResult>] =
    [
      StoryJSON.number, StoryJSON.id.of(\.story), StoryJSON.title.of(\.story),
    ].map { field in
      field.of { NamedStory(number: $0.number, story: $0.story) }
    } + [
      JSONField("url", "where the file is from") { .text($0.url) },
      JSONField("file", "its path, null where it is not whole") { .text($0.path) },
      JSONField("bytes", "its size, or of a file that is not whole what is kept") {
        .integer($0.bytes)
      },
      JSONField("error", "why it failed, null when it did not") { .text($0.error) },
    ]

  init(_ story: StoredItem, file: String, bytes: Int) {
    self.story = story
    url = Episode(story)?.enclosure.url ?? ""
    (path, self.bytes) = (file, bytes)
  }

  /// Records the path of the file with its story.
  init(_ episode: Episode, _ outcome: DownloadOutcome, notedIn store: LibraryStore) {
    (story, url) = (episode.story, episode.enclosure.url)
    switch outcome {
    case .saved(let path, let bytes): (self.path, self.bytes) = (path, bytes)
    case .present(let path):
      (self.path, bytes) = (path, FileStatus(at: path, followingLinks: false)?.size ?? 0)
    case .failed(let reason, let kept): (error, bytes) = (reason, kept)
    }
    guard let path, path != story.file else { return }
    do {
      try store.note(files: [story.id: path])
    } catch {
      self.error = "\(error)"
    }
  }
}
