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
      case .stored, .lock: findings += try store.names(of: file).map { finding($0, file) }
      case .folder: break
      }
    }
    return findings
  }

  private func finding(_ name: String, _ kind: StoreFile) -> Finding {
    do {
      guard let file = try store.homeFile(name) else { return .ok(name, "not there yet") }
      if let kind = file.kind { return misplaced(name, kind) }
      let count = try kind.contents(of: name, in: store)
      return access(name, file, wanted: 0o600) ?? .ok(name, contents(kind, count, file))
    } catch {
      return .wrong(name, "\(error)", advice(name, kind, error))
    }
  }

  private func contents(_ kind: StoreFile, _ count: Int?, _ file: HomeFile) -> String {
    guard let count else {
      return switch store.isLocked(kind.name) {
      case true?: "held by a process now"
      case false?: "held by nobody"
      case nil: "not to be opened"
      }
    }
    let bytes = Count.of(file.bytes, "byte")
    return switch kind.counted {
    case nil: bytes
    case "story": "\(Count.stories(count)) in \(bytes)"
    case let counted?: "\(Count.of(count, counted)) in \(bytes)"
    }
  }

  private func advice(_ name: String, _ kind: StoreFile, _ error: any Error) -> String {
    let path = store.path(name)
    switch error {
    case StorageError.newerVersion: return "install the newer news again"
    case StorageError.damaged:
      switch kind.repair {
      case .command(let command): return command
      case .removal: return "take it away: rm \(ShellWord.asNeeded(path))"
      case .backup(let command):
        return "restore it from a backup, or begin anew: \(moving(path)) && \(command)"
      }
    case StorageError.tooLarge: return "keep fewer stories: news refresh --keep 100"
    default: return "let your user read it: ls -l \(ShellWord.asNeeded(path))"
    }
  }

  private func moving(_ path: String) -> String {
    "mv \(ShellWord.asNeeded(path)) \(ShellWord.asNeeded(path + ".old"))"
  }

  /// Checks the stories' texts; a data file that cannot be read has its finding already.
  private func texts() -> [Finding] {
    for (file, again) in [(StoreFile.texts, "refresh --force"), (.articles, "show N --full")] {
      do {
        try store.examineTexts(in: file)
      } catch {
        let path = store.path(file)
        return [.wrong(file.name, "\(error)", "begin anew: \(moving(path)) && news \(again)")]
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
    let data = (try? store.homeFile(StoreFile.stories.name))??.bytes ?? 0
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
