import CommandLine
package import CommandSupport
import FeedModel
import FeedStorage
import FeedUpdating
import HTMLText
package import System

/// A notice that the desktop shows.
package struct DesktopNotice: Hashable {
  private let count: Int
  /// The titles of some of the stories, the newest first.
  private let titles: [String]

  private static let maximumTitles = 4

  /// Makes the notice of a run's new stories, and of those that waited for it.
  init(_ report: RefreshReport, _ waiting: [StoredItem], _ library: Library) throws {
    count = report.new + waiting.count
    let best = HeadlineList(report, style: .plain).best(Self.maximumTitles)
    let stories = (try best.map(report.newItems.item) + waiting).prefix(Self.maximumTitles)
    let (names, removal) = (FeedName(library), TrackerRemoval(library.subscriptions))
    let feeds = stories.map { names.name(ofFirst: $0.feeds) }
    let areOfMany = Set(feeds).count > 1
    titles = zip(stories, feeds).map { story, feed in
      let feed = areOfMany ? "\(feed): " : ""
      let title = StoryTitle.text(removal.story(story).item)
      return SafeText.prefix(feed + title, maximumCharacters: 120)
    }
  }

  private var title: String { Count.of(count, "new story", "new stories") }

  private var lines: [String] {
    titles + (count > titles.count ? ["and \(count - titles.count) more"] : [])
  }

  func show(_ environment: Environment) -> String? {
    var failure: String?
    for words in environment.isMacOS ? [appleWords] : [libraryWords, busWords] {
      let answer = environment.runProgram(Self.bus(environment) + words, "")
      guard let answer, answer.status != 127 else { continue }
      if answer.status == 0 { return nil }
      let reason = answer.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
      failure = failure ?? words[0] + " failed" + reason
    }
    return failure ?? LibraryFault(.notifySend).sentence
  }

  /// Returns why no notice can be shown, as far as this is known without showing one.
  package static func fault(_ environment: Environment) -> LibraryFault? {
    let programs = environment.isMacOS ? ["osascript"] : ["notify-send", "busctl"]
    return programs.contains(where: environment.hasProgram) ? nil : LibraryFault(.notifySend)
  }

  /// Returns words that name the session's bus, which cron does not.
  private static func bus(_ environment: Environment) -> [String] {
    let path = "/run/user/\(getuid())/bus"
    guard environment.variable("DBUS_SESSION_BUS_ADDRESS") == nil, !environment.isMacOS,
      FileStatus(at: path)?.kind == .socket
    else { return [] }
    return ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(path)"]
  }

  private var libraryWords: [String] {
    // notify-send takes a backslash for the beginning of an escape, as C does.
    ["notify-send", "--app-name=news", "--", title, markup.replacing("\\", with: "\\\\")]
  }

  /// The method of the Desktop Notifications Specification, §9.
  private var busWords: [String] {
    let name = "org.freedesktop.Notifications"
    let path = "/" + name.replacing(".", with: "/")
    return ["busctl", "--user", "--", "call", name, path, name, "Notify", "susssasa{sv}i"]
      + ["news", "0", "", title, markup, "0", "0", "-1"]
  }

  private var appleWords: [String] {
    let script = "display notification (item 2 of argv) with title (item 1 of argv)"
    return ["osascript", "-e", "on run argv", "-e", script, "-e", "end run", title]
      + [lines.joined(separator: "\n")]
  }

  /// Escaped text: some desktops make links and pictures of what stands in angle brackets.
  private var markup: String {
    lines.joined(separator: "\n").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }
}
