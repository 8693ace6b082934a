import CommandLine
import CommandSupport
import FeedStorage

struct HomeChecks {
  let store: LibraryStore

  /// The room that a save needs besides a second copy of the data file.
  private static let spareBytes = 16 << 20
  private static let timeout = Duration.seconds(2)

  func findings() -> [Finding] {
    do {
      guard let home = try store.homeFile() else {
        return [.note("home", "\(store.home) is not there yet", "news subscribe URL makes it")]
      }
      guard home.isFolder else {
        let text = "\(store.home) is \(home.kind ?? "a file"), not a folder"
        return [.wrong("home", text, "move it away: \(moving(store.home))")]
      }
      let facts = access("home", home, wanted: 0o700) ?? .ok("home", "\(store.home), yours alone")
      let state = store.stateFolder.map {
        Finding.ok("state", "\($0): numbers of lists, and where you left browse")
      }
      return [facts] + [state].compactMap(\.self) + (try files()) + texts() + [listings()]
        + leftovers() + [disk()]
        + [writing()].compactMap(\.self)
    } catch {
      return [unreadable(error)]
    }
  }

  private func unreadable(_ error: any Error) -> Finding {
    .wrong("home", "\(error)", "let your user read it: ls -ld \(ShellWord.asNeeded(store.home))")
  }

  private func misplaced(_ name: String, _ kind: String) -> Finding {
    .wrong(name, "is \(kind), not a file", "move it away: \(moving(store.path(name)))")
  }

  private func access(_ subject: String, _ file: HomeFile, wanted: Int) -> Finding? {
    let name = ShellWord.asNeeded(file.path)
    if !file.isOurs {
      return .wrong(subject, "\(file.path) belongs to another user", "chown $(id -u) \(name)")
    }
    guard file.mode & 0o777 != wanted else { return nil }
    let mode = String(file.mode & 0o777, radix: 8)
    let right = String(wanted, radix: 8)
    let text =
      file.mode & 0o077 == 0
      ? "has the mode 0\(mode) instead of 0\(right)"
      : "other users may use it (mode 0\(mode))"
    return .wrong(subject, text, "chmod \(right) \(name)")
  }

  /// Checks all files; folders have findings of their own.
  private func files() throws -> [Finding] {
    var findings: [Finding] = []
    for file in StoreFile.all {
      switch file.kind {
      case .stored, .lock: findings += try store.names(of: file).map(self.file)
      case .folder: break
      }
    }
    return findings
  }

  private func file(_ name: String) -> Finding {
    do {
      guard let file = try store.homeFile(name) else { return .ok(name, "not there yet") }
      if let kind = file.kind { return misplaced(name, kind) }
      let count = try store.examine(name)
      return access(name, file, wanted: 0o600) ?? .ok(name, contents(name, count, file))
    } catch {
      return .wrong(name, "\(error)", advice(name, error))
    }
  }

  private func contents(_ name: String, _ count: Int?, _ file: HomeFile) -> String {
    guard let count else { return "free for the next writer" }
    let what =
      switch name {
      case _ where name.hasPrefix("newsdata.plist"): Count.stories(count)
      case "feeds.plist": Count.of(count, "feed")
      case "ledger.plist", "runs.plist": Count.of(count, "run")
      case "rules.plist": Count.of(count, "rule")
      case "history.plist": Count.of(count, "change") + " that undo knows"
      case "habits.plist": "the hours in which you look"
      case "notified.plist": "when you were told of new stories"
      case "sync.plist": "\(Count.of(count, "value")) that other machines know, too,"
      case "changes.plist": Count.of(count, "change") + " to be told to other machines"
      case "places.plist": Count.of(count, "remote") + " to synchronize with"
      case "sites.plist": "what proves which files of sites are this home's"
      case "browse.plist": "where you left browse"
      case _ where name.hasPrefix("sync-"): "\(Count.stories(count)) that a server had"
      case "serving.plist": "the password for apps, as a hash,"
      default: "what imported lists had besides their feeds"
      }
    return "\(what) in \(Count.of(file.bytes, "byte"))"
  }

  private func advice(_ name: String, _ error: any Error) -> String {
    let path = store.path(name)
    switch error {
    case StorageError.newerVersion: return "install the newer news again"
    // `sync` makes both anew; what either side has stays.
    case StorageError.damaged where name == "sync.plist" || name == "changes.plist":
      return "news sync"
    case StorageError.damaged:
      // Only undo misses it.
      if ["newsdata.plist.cleared", "history"].contains(where: name.hasPrefix) {
        return "take it away: rm \(ShellWord.asNeeded(path))"
      }
      if name.hasPrefix("sync-") { return "merge it anew: \(moving(path)) && news sync" }
      let again = [
        "feeds.plist": "news import FILE", "rules.plist": "news rules add NAME …",
        "places.plist": "news sync add NAME DIR", "serving.plist": "news serve password",
        "sites.plist": "news publish DIR (a new one)", "browse.plist": "news browse",
      ]
      let loss = again[name] ?? "news refresh"
      return "restore it from a backup, or begin anew: \(moving(path)) && \(loss)"
    case StorageError.tooLarge: return "keep fewer stories: news refresh --keep 100"
    default: return "let your user read it: ls -l \(ShellWord.asNeeded(path))"
    }
  }

  private func moving(_ path: String) -> String {
    "mv \(ShellWord.asNeeded(path)) \(ShellWord.asNeeded(path + ".old"))"
  }

  /// Checks the stories' texts; a data file that cannot be read has its finding already.
  private func texts() -> [Finding] {
    for (name, again) in [("texts", "refresh --force"), ("articles", "show N --full")] {
      do {
        try store.examineTexts(in: name)
      } catch {
        let path = store.home + "/" + name
        return [.wrong(name, "\(error)", "begin anew: \(moving(path)) && news \(again)")]
      }
    }
    let index = store.textIndex()
    guard let missing = try? store.missingTexts(of: index) else { return [] }
    guard missing.texts == 0 else {
      let stories = Count.stories(missing.texts)
      let text = "the whole text of \(stories) is gone; their summaries are there"
      return [.wrong("texts", text, "have what the feeds still carry again: news refresh --force")]
    }
    guard missing.articles == 0 else {
      let stories = Count.stories(missing.articles)
      let text = "the article of the page of \(stories) is gone; the feed's text is shown"
      return [.wrong("texts", text, "fetch it again where you want it: news show N --full")]
    }
    let stored = "\(Count.of(index.count, "text")) in \(ShellWord.asNeeded(store.home + "/texts"))"
    return [.ok("texts", index.count == 0 ? "not there yet" : stored)]
  }

  private func listings() -> Finding {
    do {
      let count = try store.examineListings()
      return .ok(
        "listings",
        count == 0 ? "not there yet" : "\(Count.of(count, "number")) of lists",
      )
    } catch {
      return .wrong("listings", "\(error)", "number the stories again: news list")
    }
  }

  private func leftovers() -> [Finding] {
    do {
      return try store.leftovers().map { name in
        .note(
          name,
          "left behind by a news that was killed while it saved; nothing is lost",
          "rm \(ShellWord.asNeeded(store.home + "/" + name))",
        )
      }
    } catch {
      return [unreadable(error)]
    }
  }

  private func disk() -> Finding {
    guard let free = store.freeBytes() else { return .note("disk", "its free space is not known") }
    // A missing file takes no room; one that cannot be examined has its own finding.
    let data = (try? store.homeFile("newsdata.plist"))??.bytes ?? 0
    let needed = data + Self.spareBytes
    let text = "\(Self.megabytes(free)) MB free"
    guard free < needed else { return .ok("disk", text) }
    return .wrong(
      "disk",
      "\(text); a save may need \(Self.megabytes(needed)) MB",
      "make room on the disk that holds \(ShellWord.asNeeded(store.home))",
    )
  }

  /// Returns nil where saving fails at something that has a finding of its own.
  private func writing() -> Finding? {
    do {
      try store.tryWriting(waitAtMost: Self.timeout)
      return .ok("saving", "the lock is free, and a page was saved and synchronized")
    } catch StorageError.damaged, StorageError.newerVersion, StorageError.notAFile {
      return nil
    } catch StorageError.locked(_, let holder, _) {
      return .wrong(
        "lock",
        "held by \(holder) for more than \(Self.timeout.components.seconds) s",
        "wait for that process, or end it if it hangs: \(ending(holder))",
      )
    } catch {
      let advice = "see that your user may write there and the disk is sound"
      return .wrong("saving", "\(error)", advice)
    }
  }

  private func ending(_ holder: String) -> String {
    let number = holder.split(separator: " ").last.flatMap { Int($0) }
    return number.map { "kill \($0)" } ?? "fuser \(ShellWord.asNeeded(store.home + "/lock"))"
  }

  private static func megabytes(_ bytes: Int) -> Int {
    bytes / 1_000_000
  }
}
