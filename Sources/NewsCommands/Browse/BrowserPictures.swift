import CommandLine
import FeedFetching
import FeedModel
import FeedStorage
import FeedUpdating

/// The pictures in the text that is read: fetched and drawn on a thread, one after the other, and gone
/// on with only as long as their story is open.
final class BrowserPictures {
  private struct Drawing: Sendable {
    let url: String
    let columns: Int
    let body: ReceivedBody?
    let source: Source?
    let lines: [String]
  }

  /// What pictures are fetched with; reading the library for it takes its time.
  private struct Source: Sendable {
    let fetch: PictureFetch
    let subscriptions: [Subscription]

    init?(_ store: LibraryStore, _ context: CommandContext) {
      guard let library = try? store.library() else { return nil }
      let options = context.fetchOptions(library: library)
      fetch = PictureFetch(context.makeFetcher(), options: options)
      subscriptions = library.subscriptions
    }
  }

  private let program: PictureProgram
  private let context: CommandContext
  private let store: LibraryStore
  /// By address, for so many columns; no lines for what cannot be shown.
  private var drawn: [String: [String]] = [:]
  /// How many have come: a text that was laid out before lacks some.
  private(set) var count = 0
  private var columns = 0
  /// The story that is open, what is yet to be drawn of it, and what was fetched.
  private var story: StoredItem?
  private var waiting: [String] = []
  private var bodies: [String: ReceivedBody] = [:]
  private var source: Source?
  private var running: (task: BackgroundTask<Drawing>, cancellation: FetchCancellation)?

  /// More of one story are not fetched.
  private static let mostPictures = 16
  /// More are not kept, of all that were open.
  private static let mostDrawn = 64

  /// `context` says nothing to anybody but the table view.
  init(_ program: PictureProgram, _ context: CommandContext, _ store: LibraryStore) {
    (self.program, self.context, self.store) = (program, context, store)
  }

  /// Readable when a picture has come.
  var descriptor: Int32? { running?.task.descriptor }

  func drawn(columns: Int) -> [String: [String]] { columns == self.columns ? drawn : [:] }

  /// Has the pictures of a story drawn that are not yet; of the one before no more are.
  func open(_ story: StoredItem, _ urls: [String], columns: Int) {
    if self.story?.id != story.id {
      (self.story, bodies, source) = (story, [:], nil)
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

  /// Fetches and draws nothing more until a story is open.
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
    let (body, source) = (bodies[url], source)
    let cancellation = context.cancellation()
    let task = BackgroundTask {
      let source = source ?? (body == nil ? Source(store, context) : nil)
      let picture =
        body ?? source?.fetch.picture(url, of: story, source?.subscriptions ?? [], cancellation)
      let lines = picture?.withBytes {
        program.lines($0, columns: columns, orReadable: cancellation.descriptor)
      }
      return Drawing(url: url, columns: columns, body: picture, source: source, lines: lines ?? [])
    }
    running = (task, cancellation)
  }

  /// Takes what has come, and goes on.
  func take() {
    guard let (task, cancellation) = running, let drawing = task.value else { return }
    running = nil
    if !cancellation.isCancelled, drawing.columns == columns {
      if drawn.count >= Self.mostDrawn { drawn = [:] }
      drawn[drawing.url] = drawing.lines
      bodies[drawing.url] = drawing.body
      source = drawing.source
      if !drawing.lines.isEmpty { count += 1 }
    }
    start()
  }

  /// Waits until nothing is asked for any more.
  func end() {
    close()
    running?.task.wait()
  }
}
