package import System

/// The reader's settings for one feed; nil and false stand for the setting of all feeds.
package struct FeedSettings: Hashable, Sendable {
  /// The time between two fetches, in place of the feed's own rhythm.
  package var interval: Duration?
  /// The number of stories kept that the feed no longer carries; 0 keeps all.
  package var keep: Int?
  /// The limit of its document, in bytes after decompression.
  package var maximumBytes: Int?
  package var userAgent: String?
  package var fetchesPages = false
  /// The number of newest episodes that the background fetch saves.
  package var downloads: Int?
  /// The limit of its saved episodes together, in bytes.
  package var downloadBytes: Int?
  package static let usualDownloadBytes = 1 << 30
  /// Seconds since 1970 until which the feed is not asked; 0 until the reader resumes it.
  package var pausedUntil: Int?
  /// Shows its stories only where the feed, or a tag of it, is asked for.
  package var isHidden = false
  /// The only version of HTTP to ask its server with: `1.1`.
  package var httpVersion: String?
  /// Shows its stories' links as they were published (`TrackerRemoval`).
  package var keepsTracking = false
  /// The age, in seconds, at which its stories count as read.
  package var readAfter: Int?
  package var unreadWhenEdited = false
  package var isOldestFirst = false
  /// The effect of Enter in the table view: `browser` or `page`; nil shows the feed's text.
  package var opening: String?

  package init() {}

  package func isPaused(at now: Date) -> Bool {
    pausedUntil.map { $0 == 0 || Double($0) > now.timeIntervalSince1970 } ?? false
  }

  fileprivate var seconds: Int? {
    get { interval.map { Int($0.components.seconds) } }
    set { interval = newValue.map { .seconds($0) } }
  }
}

/// A setting of a feed, by its name in files, in JSON and on other machines.
///
/// It is declared here, as an option in `FeedSetting+Option.swift`, and in words for a change in
/// `FeedChanges.swift`; all else follows.
package enum FeedSetting: String, CaseIterable, Sendable {
  case interval, keep, maxSize, userAgent, full, download, downloadLimit, pause, hide, http,
    keepTracking, readAfter, unreadWhenEdited, oldestFirst, open

  fileprivate enum Form {
    case number(WritableKeyPath<FeedSettings, Int?>, ClosedRange<Int>)
    case text(WritableKeyPath<FeedSettings, String?>)
    case choice(WritableKeyPath<FeedSettings, String?>, [String])
    case flag(WritableKeyPath<FeedSettings, Bool>)
  }

  /// The property that holds the setting, and the numbers that it takes.
  ///
  /// They count seconds, stories, bytes, episodes, seconds since 1970, and seconds.
  fileprivate var form: Form {
    switch self {
    case .interval: .number(\.seconds, 900...604_800)
    case .keep: .number(\.keep, 0...1_000_000_000)
    case .maxSize: .number(\.maximumBytes, 1 << 20...2047 << 20)
    case .userAgent: .text(\.userAgent)
    case .full: .flag(\.fetchesPages)
    case .download: .number(\.downloads, 1...1000)
    case .downloadLimit: .number(\.downloadBytes, 1 << 20...1_000_000 << 20)
    case .pause: .number(\.pausedUntil, 0...1 << 40)
    case .hide: .flag(\.isHidden)
    case .http: .choice(\.httpVersion, ["1.1"])
    case .keepTracking: .flag(\.keepsTracking)
    case .readAfter: .number(\.readAfter, 3600...315_360_000)
    case .unreadWhenEdited: .flag(\.unreadWhenEdited)
    case .oldestFirst: .flag(\.isOldestFirst)
    case .open: .choice(\.opening, ["browser", "page"])
    }
  }

  package var range: ClosedRange<Int>? {
    if case .number(_, let range) = form { range } else { nil }
  }

  package var choices: [String] {
    if case .choice(_, let words) = form { words } else { [] }
  }

  package var isFlag: Bool {
    if case .flag = form { true } else { false }
  }

  /// Returns true for a value that a reader could have typed, and for `none`.
  package func accepts(_ value: SyncValue) -> Bool {
    switch (form, value) {
    case (.number(_, let range), .number(let number)): range.contains(number)
    case (.text, .text(let text)): SyncKey.isLine(text)
    case (.choice(_, let words), .text(let text)): words.contains(text)
    case (.flag, .yes), (_, .none): true
    default: false
    }
  }
}

extension FeedSettings {
  /// The value of a setting; `none` where it is that of all feeds.
  ///
  /// A file may hold any number and text: numbers are clamped to 0...2^40, and texts cut to a line.
  package subscript(setting: FeedSetting) -> SyncValue {
    get {
      switch setting.form {
      case .number(let path, _): self[keyPath: path].map { .number($0) } ?? .none
      case .text(let path), .choice(let path, _): self[keyPath: path].map { .text($0) } ?? .none
      case .flag(let path): self[keyPath: path] ? .yes : .none
      }
    }
    set {
      switch setting.form {
      case .number(let path, _):
        self[keyPath: path] = newValue.number.map { min(max($0, 0), 1 << 40) }
      case .text(let path): self[keyPath: path] = newValue.text.map { SafeText.line($0) }
      case .choice(let path, let words):
        self[keyPath: path] = newValue.text.flatMap { words.contains($0) ? $0 : nil }
      case .flag(let path): self[keyPath: path] = newValue == .yes
      }
    }
  }
}
