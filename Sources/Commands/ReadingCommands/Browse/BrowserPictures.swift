import CommandSupport
import FeedFetching
import FeedModel
import FeedStorage
import Pages

/// The pictures of the open story, fetched and drawn on a thread, one after the other.
///
/// Another story cancels what is left of the one before.
final class BrowserPictures {
  private struct Drawing: Sendable {
    let url: String
    let columns: Int
    let body: ReceivedBody?
    let fetch: PageFetch?
    let lines: [String]
  }

  private let program: PictureProgram
  private let context: CommandContext
  private let store: LibraryStore
  /// Lines by address, for `columns`; none for a picture that cannot be shown.
  private var drawn: [String: [String]] = [:]
  /// The number of pictures drawn; a text that was laid out at a lower one lacks some.
  private(set) var count = 0
  private var columns = 0
  private var story: StoredItem?
  private var waiting: [String] = []
  private var bodies: [String: ReceivedBody] = [:]
  /// The fetch of the story's pictures, made on the thread, since it reads the library.
  private var fetch: PageFetch?
  private var running: (task: BackgroundTask<Drawing>, cancellation: FetchCancellation)?

  private static let mostPictures = 16
  private static let mostDrawn = 64

  init(_ program: PictureProgram, _ context: CommandContext, _ store: LibraryStore) {
    (self.program, self.context, self.store) = (program, context, store)
  }

  /// Readable once a picture was drawn.
  var descriptor: Int32? { running?.task.descriptor }

  func drawn(columns: Int) -> [String: [String]] { columns == self.columns ? drawn : [:] }

  func open(_ story: StoredItem, _ urls: [String], columns: Int) {
    if self.story?.id != story.id {
      (self.story, bodies, fetch) = (story, [:], nil)
      stop()
    }
    if self.columns != columns {
      (self.columns, drawn) = (columns, [:])
      stop()
    }
    guard waiting.isEmpty, running == nil else { return }
    waiting = urls.prefix(Self.mostPictures).filter { drawn[$0] == nil && SafeLink.isSafe($0) }
    start()
  }

  func close() {
    story = nil
    stop()
  }

  private func stop() {
    waiting = []
    running?.cancellation.event?.happen()
  }

  private func start() {
    guard running == nil, let story, let url = waiting.first else { return }
    waiting.removeFirst()
    let (program, context, store, columns) = (program, context, store, columns)
    let (body, fetch) = (bodies[url], fetch)
    let cancellation = context.cancellation()
    let task = BackgroundTask {
      let fetch = fetch ?? (body == nil ? try? PageFetch(store, context) : nil)
      let picture = body ?? fetch?.picture(url, of: story, cancellation)
      let lines = picture?.withBytes {
        program.lines($0, columns: columns, orReadable: cancellation.descriptor)
      }
      return Drawing(url: url, columns: columns, body: picture, fetch: fetch, lines: lines ?? [])
    }
    running = (task, cancellation)
  }

  func take() {
    guard let (task, cancellation) = running, let drawing = task.value else { return }
    running = nil
    if !cancellation.isCancelled, drawing.columns == columns {
      if drawn.count >= Self.mostDrawn { drawn = [:] }
      drawn[drawing.url] = drawing.lines
      bodies[drawing.url] = drawing.body
      fetch = drawing.fetch
      if !drawing.lines.isEmpty { count += 1 }
    }
    start()
  }

  func end() {
    close()
    running?.task.wait()
  }
}
