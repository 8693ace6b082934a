package import System

/// What the reader wants otherwise of one feed than of all; nil where it is as of all.
package struct FeedSettings: Hashable, Sendable {
  /// From one visit to the next, in place of the feed's own rhythm.
  package var interval: Duration?
  /// Stories kept that it no longer carries; 0 keeps all.
  package var keep: Int?
  /// Bytes of its document after decompression.
  package var maximumBytes: Int?
  /// What its server is told of who asks; a line.
  package var userAgent: String?
  /// The pages of its new stories are fetched, for the articles in them.
  package var fetchesPages = false
  /// So many of its newest episodes are saved by the background fetch.
  package var downloads: Int?
  /// Bytes of its episodes that lie there.
  package var downloadBytes: Int?
  package static let usualDownloadBytes = 1 << 30
  /// It is not asked until then, in seconds since 1970; 0 until the reader resumes it.
  package var pausedUntil: Int?
  /// Its new stories are stored as read.
  package var arrivesRead = false
  /// Its stories are shown only where it, or a tag of it, is asked for.
  package var isHidden = false
  /// The only version of HTTP that its server is asked with: `1.1`.
  package var httpVersion: String?

  package init() {}

  package func isPaused(at now: Date) -> Bool {
    pausedUntil.map { $0 == 0 || Double($0) > now.timeIntervalSince1970 } ?? false
  }

  fileprivate var seconds: Int? {
    get { interval.map { Int($0.components.seconds) } }
    set { interval = newValue.map { .seconds($0) } }
  }
}

/// A setting of a feed, by the name that files, other machines and JSON know it by.
///
/// It is declared here, and as an option in `FeedSetting+Option.swift`; all else follows.
package enum FeedSetting: String, CaseIterable, Sendable {
  case interval, keep, maxSize, userAgent, full, download, downloadLimit, pause, arrivesRead, hide,
    http

  fileprivate enum Form {
    case number(WritableKeyPath<FeedSettings, Int?>, ClosedRange<Int>)
    case text(WritableKeyPath<FeedSettings, String?>)
    case choice(WritableKeyPath<FeedSettings, String?>, [String])
    case flag(WritableKeyPath<FeedSettings, Bool>)
  }

  /// Where it stands, and what numbers it takes: seconds, stories, bytes, episodes, seconds since 1970.
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
    case .arrivesRead: .flag(\.arrivesRead)
    case .hide: .flag(\.isHidden)
    case .http: .choice(\.httpVersion, ["1.1"])
    }
  }

  /// The numbers that it takes; nil for one that takes none.
  package var range: ClosedRange<Int>? {
    if case .number(_, let range) = form { range } else { nil }
  }

  /// The words that it takes; empty for one that takes others.
  package var choices: [String] {
    if case .choice(_, let words) = form { words } else { [] }
  }

  package var isFlag: Bool {
    if case .flag = form { true } else { false }
  }

  /// Whether a reader could have set it to the value.
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
  /// A setting's value; none where it is as of all feeds.
  ///
  /// Files may have any number and text: they are cut to what others can calculate with and print.
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
