import System

/// The name of a value that machines share.
///
/// A story goes by a hash of its identity, a feed by its URL without an account, and a rule by its
/// name in lower case.
package enum SyncKey: Hashable, Sendable {
  case story(UInt64, StoryMark)
  case feed(String, SharedSetting)
  case rule(String)
  case ruleOrder

  package enum StoryMark: Hashable, Comparable, Sendable {
    case flag(StoryFlag)
    /// A tag in lower case; its value is the tag as it was written.
    case tag(String)
    /// The reader's own words, which are the value.
    case note
    /// The story was deleted for good.
    case deleted

    package static let (read, starred) = (flag(.read), flag(.starred))

    /// Marks that each story either has or has not, and marks with one text that the reader typed.
    ///
    /// A file has the flags in one part, and each of `others` in one of its own.
    package static let flags = StoryFlag.allCases.map(flag)
    package static let texts = [note]
    package static let others = texts + [deleted]

    package var tag: String? { if case .tag(let name) = self { name } else { nil } }
    package var isTag: Bool { tag != nil }
    package var isFlag: Bool { if case .flag = self { true } else { false } }
    package var isOther: Bool { Self.others.contains(self) }

    package var kindName: String {
      switch self {
      case .flag(let flag): flag.field.name
      case .tag: "tag"
      case .note: "note"
      case .deleted: "deleted"
      }
    }

    /// One mark of each kind that a story may lose; all tags are one kind.
    package static let kinds = flags + [tag("")] + texts

    package func isOfKind(_ other: StoryMark) -> Bool { self == other || isTag && other.isTag }

    package static func tagged(_ name: String) -> (mark: StoryMark, value: SyncValue) {
      (.tag(name.lowercased()), .text(name))
    }
  }

  package enum SharedSetting: Hashable, Sendable {
    case followed
    case moved
    case title, tags
    case setting(FeedSetting)

    package static let sent = [title, tags] + FeedSetting.allCases.map { setting($0) }
    private static let all = [followed, moved] + sent

    package init?(_ name: String) {
      guard let setting = Self.all.first(where: { $0.name == name }) else { return nil }
      self = setting
    }

    package var name: String {
      switch self {
      case .followed: "followed"
      case .moved: "moved"
      case .title: "title"
      case .tags: "tags"
      case .setting(let setting): setting.rawValue
      }
    }
  }
}

package enum SyncValue: Hashable, Sendable {
  /// Absent, removed, or the setting of all feeds.
  case none
  case yes
  case number(Int)
  case text(String)
  case texts([String])
  // PERF: in line it would make the value of each mark three times as large.
  indirect case rule(StoryRule)

  package init(text: String?) { self = text.map { .text($0) } ?? .none }

  package init(texts: [String]) { self = texts.isEmpty ? .none : .texts(texts) }

  package var number: Int? {
    if case .number(let value) = self { value } else { nil }
  }

  package var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  package var texts: [String]? {
    if case .texts(let value) = self { value } else { nil }
  }

  package var rule: StoryRule? {
    if case .rule(let value) = self { value } else { nil }
  }
}

/// Values of other machines are checked like those that a reader types.
extension SyncKey {
  package static let maximumText = 4096
  private static let maximumTexts = 1_000
  /// Unicode scalars of a tag.
  package static let maximumTag = 200

  package var isSound: Bool {
    switch self {
    case .story(_, .tag(let name)): Self.isTag(name)
    case .story, .ruleOrder: true
    case .feed(let url, _): Self.isFeed(url)
    case .rule(let name): Self.isLine(name)
    }
  }

  package func accepts(_ value: SyncValue) -> Bool {
    switch (self, value) {
    case (_, .none), (.story(_, .flag), .yes), (.story(_, .deleted), .yes): true
    case (.feed(_, .followed), .yes): true
    case (.story(_, .tag(let tag)), .text(let name)): Self.isTag(name) && name.lowercased() == tag
    case (.story(_, .note), .text(let text)): Self.isLine(text)
    case (.feed(_, .moved), .text(let url)): Self.isFeed(url)
    case (.feed(_, .title), .text(let text)): Self.isLine(text)
    case (.feed(_, .tags), .texts(let tags)):
      tags.count <= Self.maximumTexts && tags.allSatisfy(Self.isTag)
    case (.ruleOrder, .texts(let texts)):
      texts.count <= Self.maximumTexts && texts.allSatisfy(Self.isLine)
    case (.feed(_, .setting(let setting)), _): setting.accepts(value)
    case (.rule(let name), .rule(let rule)): Self.isSound(rule) && rule.name.lowercased() == name
    default: false
    }
  }

  /// Returns true for the URL of a feed of the web, without an account.
  package static func isFeed(_ url: String) -> Bool {
    url.utf8.count <= WebURL.maximumLength && SafeText.line(url) == url && WebURL.isWeb(url)
      && WebURL.host(of: url) != nil && WebURL.withoutAccount(url) == url
  }

  package static func isTag(_ text: String) -> Bool {
    isLine(text) && text.unicodeScalars.count <= maximumTag
  }

  package static func isLine(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maximumText && SafeText.line(text) == text
  }

  /// Returns false for a rule of which any part is unsound.
  ///
  /// Half of a rule would drop what the other half spares.
  package static func isSound(_ rule: StoryRule) -> Bool {
    let texts = rule.grep + rule.actions.map(\.word) + [rule.name]
    return rule.name.count <= StoryRule.maximumName && texts.allSatisfy(isLine)
      && rule.actions.allSatisfy { action in
        if case .tag(let tag) = action { isTag(tag) } else { true }
      }
      && rule.feeds.allSatisfy { $0.hasPrefix("tag:") ? isLine($0) : isFeed($0) }
      && rule.feeds.count + texts.count <= maximumTexts
      && (!rule.drops || rule.actions.count == 1)
      && (!rule.feeds.isEmpty || !rule.grep.isEmpty || rule.isUnread || rule.isStarred)
  }
}
