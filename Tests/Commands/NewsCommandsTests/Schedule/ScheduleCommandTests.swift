import FeedModel
import FeedStorage
import TestSupport
import Testing

@testable import FollowingCommands
@testable import Searching
@testable import System

@Suite("news schedule")
struct ScheduleCommandTests {
  private let news: CommandRun

  init() throws {
    news = try CommandRun()
    news.variables["HOME"] = news.folder.path
    news.variables["XDG_RUNTIME_DIR"] = news.folder.path
  }

  @Test(
    "runs at minutes of its own, so often as is wanted",
    arguments: [
      "5min", "6min", "10min", "12min", "15min", "20min", "30min", "1h", "60min", "2h", "3h", "4h",
      "6h", "8h", "12h", "1d", "24h",
    ],
  )
  func times(_ every: String) throws {
    let minutes = Int(try #require(TimeExpression.duration(every)).components.seconds) / 60
    for seed in ["", "a/home/anna", "b/home/anna", "/home/otto"] {
      let times = try #require(TimerTimes(every: every, for: seed))
      #expect(times.interval == minutes)
      #expect(TimerTimes(cron: times.cron + " * * * news") == times)
      if minutes > 6, minutes != 10 { #expect(!times.minutes.contains { $0 % 30 == 0 }) }
    }
  }

  @Test("machines of one home run at other minutes")
  func apart() throws {
    let times = Set(["a", "b", "c", "d", "e"].map { TimerTimes(every: "1h", for: $0 + "/home") })
    #expect(times.count > 2)
  }

  @Test(
    "refuses what no timer can say",
    arguments: ["1min", "4min", "7min", "45min", "90min", "5h", "2d", "0h", "soon", ""],
  )
  func refused(_ every: String) {
    #expect(TimerTimes(every: every, for: "") == nil)
    let result = news("schedule", "install", "--print", "--every", every)
    #expect(result.status == 64 && result.errors.contains("--every"))
  }

  @Test(
    "knows when it runs next",
    arguments: [
      ("7,22,37,52 *", 7), ("0,30 *", 30), ("0 *", 60), ("59 *", 59), ("10 0,6,12,18", 10),
      ("10 5", 17 * 60 + 10), ("0 12", 24 * 60),
    ],
  )
  func next(_ cron: String, _ minutes: Int) throws {
    let times = try #require(TimerTimes(cron: cron))
    #expect(times.next(after: Int(news.now), .utc(news.now)) == Int(news.now) + minutes * 60)
  }

  @Test(
    "takes what a person made of the line for unknown",
    arguments: ["* *", "*/5 *", "61 *", "7"],
  )
  func foreign(_ cron: String) {
    #expect(TimerTimes(cron: cron) == nil)
  }

  @Test("writes an agent that launchd takes")
  func launchd() throws {
    news.isMacOS = true
    news.variables["NEWS_HOME"] = "/Users/a & b/<news>"
    let printed = news("schedule", "install", "--print", "--every", "6h").output
    let path = try news.folder.write(printed, to: "agent.plist")
    let result = try Subprocess.run(["plutil", "-lint", path])
    #expect(result.status == 0, Comment(rawValue: result.text))
    let shown = try Subprocess.run(["plutil", "-p", path]).text
    #expect(shown.contains("\"/Users/a & b/<news>\"") && shown.contains("\"news.fetch\""))
    #expect(shown.split(separator: "\"Hour\"").count == 5)
  }

  @Test("starts launchd's agent, once, and takes it away")
  func launchctl() throws {
    news.isMacOS = true
    var (isLoaded, calls) = (false, [String]())
    news.programs = { words, _ in
      guard words[0] == "launchctl" else { return nil }
      if words[1] != "print" { calls.append(words[1]) }
      if words[1] == "bootstrap" { isLoaded = true }
      if words[1] == "bootout" { isLoaded = false }
      return POSIX.ProgramAnswer("", status: words[1] == "print" && !isLoaded ? 113 : 0)
    }
    #expect(
      news("schedule", "install").errors.hasPrefix("launchd runs `news fetch --due` every 5min")
    )
    #expect(news("schedule", "install").errors.hasPrefix("nothing to change"))
    #expect(news("schedule", "status").output.hasPrefix("on\tlaunchd\tevery 5min\t"))
    isLoaded = false
    #expect(news("schedule", "status").output.hasPrefix("stopped\tlaunchd"))
    #expect(
      news("doctor", "--offline").output.contains("wrong\ttimer\tlaunchd has it, but it is stopped")
    )
    news("schedule", "install")
    #expect(calls == ["bootout", "bootstrap", "bootout", "bootstrap"])
    #expect(news("schedule", "remove").errors == "no more by launchd\n")
    #expect(news("schedule", "status").output.hasPrefix("off\t"))
    #expect(try namesInFolder(news.folder.path("Library/LaunchAgents")).isEmpty)
  }

  @Test("leaves alone what is not its own")
  func others() throws {
    news.programs = { words, _ in words[0] == "systemctl" ? POSIX.ProgramAnswer("") : nil }
    news.variables["XDG_CONFIG_HOME"] = news.folder.path
    let path = news.folder.path("systemd/user/news-fetch.timer")
    _ = try Subprocess.run(["mkdir", "-p", news.folder.path("systemd/user")])
    try writeFile(path, "[Timer]\nOnCalendar=hourly\n".utf8)
    for verb in ["install", "remove", "status"] {
      let result = news("schedule", verb)
      #expect(result.status == 1 && result.errors.contains("not made by `news schedule`"))
    }
    #expect(news("doctor", "--offline").output.contains("note\ttimer\t"))
    #expect(try readText(path) == "[Timer]\nOnCalendar=hourly\n")
  }

  @Test("knows the timer that came with the program, once it is turned on, and turns it off")
  func packaged() throws {
    let mark = "# news schedule: 0,10,20,30,40,50 *\n"
    let path = try news.folder.write("\(mark)[Timer]\n", to: "packaged.timer")
    var isEnabled = false
    news.programs = { words, _ in
      guard words[0] == "systemctl" else { return nil }
      if words[2] == "disable" { isEnabled = false }
      let states = isEnabled ? ["active", "enabled"] : ["inactive", "disabled"]
      return POSIX.ProgramAnswer(
        "ActiveState=\(states[0])\nFragmentPath=\(path)\nUnitFileState=\(states[1])\n"
      )
    }
    #expect(news("schedule", "status").output.hasPrefix("off\t"))
    #expect(news("schedule", "remove").errors == "nothing to change: no timer fetches\n")
    isEnabled = true
    #expect(news("schedule", "status").output.hasPrefix("on\tsystemd\tevery 10min\t"))
    #expect(news("schedule", "remove").errors == "no more by systemd\n")
    #expect(try !isEnabled && readText(path).hasPrefix(mark))
  }

  @Test("keeps the other lines of a crontab, and adds its own once")
  func crontab() throws {
    var table = "# mine\nMAILTO=me\n\n5 4 * * * backup\n"
    news.variables["NEWS_HOME"] = "/home/o'neil/100%"
    news.programs = { words, input in
      guard words[0] == "crontab" else { return nil }
      if words[1] == "-" { table = input }
      return POSIX.ProgramAnswer(words[1] == "-l" ? table : "")
    }
    let old = table
    #expect(news("schedule", "install").status == 0)
    let new = table
    #expect(new.hasPrefix(old) && new.hasSuffix(" >/dev/null 2>&1 # news schedule\n"))
    #expect(
      new.contains("/usr/local/bin/news fetch --due --quiet --home '/home/o'\\''neil/100\\%'")
    )
    #expect(news("schedule", "install").errors.hasPrefix("nothing to change"))
    #expect(table == new)
    #expect(news("schedule", "install", "--every", "1h").errors.contains("every 1h from now on"))
    #expect(table.split(separator: "\n").count == 4)
    #expect(news("schedule", "remove").errors == "no more by cron\n")
    #expect(table == old)
    #expect(news("schedule", "remove").errors.hasPrefix("nothing to change"))
  }

  @Test("says of a crontab that no daemon runs it, before it says that all is well")
  func silentCron() {
    var (table, isRunning) = ("", false)
    news.programs = { words, input in
      switch words[0] {
      case "crontab":
        if words[1] == "-" { table = input }
        return POSIX.ProgramAnswer(words[1] == "-l" ? table : "")
      case "pgrep": return POSIX.ProgramAnswer(isRunning ? "17\n" : "", status: isRunning ? 0 : 1)
      case "systemctl": return POSIX.ProgramAnswer("", status: 3)
      default: return nil
      }
    }
    let obstacle = "no cron daemon runs here: service cron start, or the like"
    #expect(news("schedule", "install", "--cron").errors.hasSuffix("\n\(obstacle)\n"))
    #expect(news("schedule", "status", "--json").output.contains("\"obstacle\":\"\(obstacle)\""))
    #expect(
      news("doctor", "--offline").output.contains("but no cron daemon runs here\tservice cron")
    )
    isRunning = true
    #expect(news("schedule", "status", "--json").output.contains("\"obstacle\":null"))
    #expect(!news("doctor", "--offline").output.contains("cron daemon"))
    #expect(news("schedule", "install", "--cron").errors.hasPrefix("nothing to change"))
  }

  @Test("says of systemd's timer that it ends with the log-in, where it does")
  func lingering() {
    news.variables["XDG_CONFIG_HOME"] = news.folder.path
    var linger = "no\n"
    news.programs = { words, _ in
      switch words[0] {
      case "systemctl": POSIX.ProgramAnswer("ActiveState=active\n")
      case "loginctl": POSIX.ProgramAnswer(linger)
      default: nil
      }
    }
    let hint = "it runs only while you are logged in: loginctl enable-linger"
    #expect(news("schedule", "install").errors.hasSuffix("\n\(hint)\n"))
    news.useTerminal(80)
    #expect(news("schedule", "status").output.contains("\n\(hint)\n"))
    #expect(news("doctor", "--offline").output.contains("loginctl enable-linger"))
    linger = "yes\n"
    #expect(!news("schedule", "status").output.contains("linger"))
  }

  @Test("leaves the line of another home in a crontab, and is off while that alone is there")
  func otherHome() throws {
    let other = "1 * * * * news fetch --due --quiet --home /other >/dev/null 2>&1 # news schedule\n"
    var table = other
    news.programs = { words, input in
      guard words[0] == "crontab" else { return nil }
      if words[1] == "-" { table = input }
      return POSIX.ProgramAnswer(words[1] == "-l" ? table : "")
    }
    #expect(news("schedule", "status").output.hasPrefix("off\t"))
    #expect(news("schedule", "remove").errors.hasPrefix("nothing to change") && table == other)
    #expect(news("schedule", "install").status == 0)
    #expect(table.hasPrefix(other) && table.split(separator: "\n").count == 2)
    #expect(news("schedule", "status").output.hasPrefix("on\tcron"))
    #expect(news("schedule", "remove").status == 0 && table == other)
  }

  @Test("--unmetered: nobody is asked while the network is metered, and status says so")
  func metered() throws {
    var (table, answer) = ("", "u 1\n")
    news.programs = { words, input in
      if words == MeteredNetwork.question { return POSIX.ProgramAnswer(answer) }
      guard words[0] == "crontab" else { return nil }
      if words[1] == "-" { table = input }
      return POSIX.ProgramAnswer(words[1] == "-l" ? table : "")
    }
    news.fetcher.serve(Sample.feed, .init(body: Sample.rss("Example", ["one"])))
    #expect(news("subscribe", Sample.feed, "--no-check").status == 0)
    #expect(news("schedule", "install", "--unmetered").status == 0)
    #expect(table.contains(" --unmetered "))
    let waiting = news("fetch", "--due", "--unmetered", "--exit-status")
    #expect(waiting.output.hasPrefix("noData: 0 new in 0 of 0 feeds, the network is metered, "))
    #expect(waiting.status == 3 && news.fetcher.requests.isEmpty)
    #expect(news("fetch", "--unmetered", "--json").output.contains("\"metered\":true"))
    #expect(news("schedule", "--json").output.contains("\"metered\":true"))
    // A network that stays metered is one line of the log.
    let log = news("log", "--json").output
    #expect(log.ranges(of: "\"metered\":true").count == 1, "\(log)")
    news.useTerminal(80)
    #expect(news("schedule").output.contains("it waits: the network is metered (--unmetered)\n"))
    for free in ["u 2\n", "u 4\n", "u 0\n", ""] {
      answer = free
      #expect(!news("schedule").output.contains("is metered"), "\(free)")
    }
    #expect(news("fetch", "--unmetered").output.hasPrefix("newData"))
    answer = "u 3\n"
    #expect(news("fetch", "--unmetered").output.contains("the network is metered"))
    #expect(news("refresh").status == 0 && news.fetcher.requests.count == 2)
  }

  @Test("has nothing to do with a crontab that this user may not have")
  func forbiddenCrontab() {
    news.programs = { words, _ in
      let words = "You (anna) are not allowed to use this program (crontab)\n"
      return POSIX.ProgramAnswer(words, status: 1)
    }
    #expect(news("schedule", "status").output.hasPrefix("off\t"))
    #expect(
      news("schedule", "install").errors
        == "news: You (anna) are not allowed to use this program (crontab)\n"
    )
    #expect(news("schedule", "remove").errors.hasPrefix("nothing to change"))
  }

  @Test("reads a crontab whatever its comments say, and none that it cannot read whole")
  func oddCrontab() {
    news.programs = { words, _ in
      POSIX.ProgramAnswer("# backups are not allowed at noon\n17 * * * * x # news schedule\n")
    }
    #expect(!news("schedule", "status").output.hasPrefix("off"))
    news.programs = { words, _ in POSIX.ProgramAnswer("# long\n", isWhole: false) }
    #expect(news("schedule", "install", "--cron").errors.contains("larger than 1 MiB"))
  }

  @Test("has the fetch tell what it is told to tell")
  func announcement() {
    let printed = news(
      "schedule",
      "install",
      "--print",
      "--cron",
      "--notify",
      "--on-new",
      "mail -s news me",
    ).output
    #expect(printed.contains(" --notify --on-new 'mail -s news me' >/dev/null"))
    let each = news("schedule", "install", "--print", "--cron", "--notify=each").output
    #expect(each.contains(" --notify=each >/dev/null"))
    #expect(news("schedule", "install", "--print", "--notify=now").status == 64)
    #expect(
      news("schedule", "status", "--notify").errors.contains(
        "--notify can only be used with install"
      )
    )
  }

  @Test("says what is missing where nothing can run it")
  func nothing() {
    let result = news("schedule", "install")
    #expect(result.status == 1 && result.errors.contains("apt-get install cron"))
    #expect(news("schedule", "install", "--cron").errors.contains("apt-get install cron"))
    #expect(news("schedule", "status").output.hasPrefix("off\t"))
    #expect(
      news("doctor", "--offline").output.contains(
        "note\ttimer\tnothing fetches in the background\tnews schedule install"
      )
    )
  }

  @Test(
    "lets systemd's fetch write to the home and what that names, and closes nothing to commands"
  )
  func reach() throws {
    news.variables["NEWS_HOME"] = "/home/anna/my \"news\"/100%$"
    let home = #""-/home/anna/my \"news\"/100%%$""#
    let plain = news("schedule", "install", "--print").output
    #expect(plain.contains("\nProtectSystem=strict\n") && plain.contains("\nMemoryMax=1G\n"))
    #expect(plain.contains("\nReadWritePaths=\(home)\nPrivateTmp=yes\n"))
    #expect(plain.contains("\nSuccessExitStatus=3\n"), "of fetch --exit-status in the defaults")
    for words in [["--on-new", "cat >/tmp/new"], ["--on-star", "cat"], ["--notify"]] {
      let told = news.run(["schedule", "install", "--print"] + words).output
      #expect(!told.contains("Private") && !told.contains("Paths"))
      #expect(told.contains("\nSystemCallFilter=@system-service\n"))
    }

    news.variables["NEWS_DEFAULTS"] = try news.folder.write(
      "list --notify\nfetch --on-new=cat # all\n",
      to: "defaults",
    )
    let open = news("schedule", "install", "--print").output
    #expect(!open.contains("Private"))
    #expect(open.contains(" \"NEWS_DEFAULTS=\(news.folder.path("defaults"))\" "))
    news.variables["NEWS_DEFAULTS"] = nil

    news.variables["NEWS_HOME"] = nil
    news.variables["XDG_DATA_HOME"] = news.folder.path
    let store = LibraryStore(home: news.folder.path("news"))
    try store.changeSyncRemotes { remotes in
      remotes = [SyncRemote(name: "all", transport: .folder("/home/anna/Sync"))]
    }
    let shared = news("schedule", "install", "--print").output
    #expect(shared.contains(" \"-/home/anna/Sync\"\n"))
  }

  @Test("leaves systemd's fetch hardly anything that a fetch does not need, as systemd reckons")
  func exposure() throws {
    let analyze = ["systemd-analyze", "security", "--offline=true", "--threshold=30"]
    guard try Subprocess.run(["sh", "-c", "command -v systemd-analyze"]).status == 0 else { return }
    let printed = news("schedule", "install", "--print").output
    let service = try #require(printed.split(separator: "news-fetch.service\n").last)
    let path = try news.folder.write(String(service), to: "news-fetch.service")
    let result = try Subprocess.run(analyze + [path])
    #expect(result.status == 0, Comment(rawValue: String(result.text.suffix(100))))
  }

  @Test("closes systemd's fetch where a manager can, and says when commands came later")
  func closed() throws {
    news.variables["XDG_CONFIG_HOME"] = news.folder.path
    var canClose = false
    news.programs = { words, _ in
      switch words[0] {
      case "systemctl": POSIX.ProgramAnswer("ActiveState=active\n")
      case "systemd-run": POSIX.ProgramAnswer("", status: canClose ? 0 : 1)
      default: nil
      }
    }
    let path = news.folder.path("systemd/user/news-fetch.service")
    let isClosed = { try readText(path).contains("\nPrivateUsers=yes\n") }
    news("schedule", "install")
    #expect(try !isClosed())
    canClose = true
    news("schedule", "install")
    #expect(try isClosed())
    #expect(!news("doctor", "--offline").output.contains("newer"))
    try news.store.changeSyncRemotes { remotes in
      remotes = [SyncRemote(name: "box", transport: .machine(host: "box", home: nil))]
    }
    let advice = "cannot start your commands, which are newer than it\tnews schedule install"
    #expect(news("doctor", "--offline").output.contains(advice))
    news("schedule", "install")
    #expect(try !isClosed())
    #expect(!news("doctor", "--offline").output.contains("newer"))
    try news.store.changeSyncRemotes { remotes in remotes = [] }
    news("schedule", "install")
    #expect(try isClosed())
    news("rules", "add", "storm", "--grep", "storm", "--then", "notify")
    #expect(news("doctor", "--offline").output.contains(advice))
    news("schedule", "install")
    #expect(try !isClosed())
  }

  @Test(
    "has systemd's fetch see the folder for temporary files where a feed is in it",
    .enabled(if: FileStatus(at: "/proc/self/fd") != nil, "naming a home otherwise needs Linux"),
  )
  func temporaryFeed() throws {
    var store = LibraryStore(home: news.folder.path("home"))
    try store.prepareHome()
    // The descriptor's name does not tell where the folder is.
    let folder = open(news.folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    news.variables["NEWS_HOME"] = "/proc/self/fd/\(folder)/home"
    for (feed, word) in [("file:///home/anna/feed.xml", "yes"), ("file:///tmp/feed.xml", "no")] {
      store.typed = OwnWords(typed: [feed])
      try store.update { _ in
        (LibraryChange(subscriptions: [Subscription(url: feed)]), ())
      }
      let printed = news("schedule", "install", "--print").output
      #expect(printed.contains("\nPrivateTmp=\(word)\n"), "\(feed)")
    }
  }

  @Test("takes along how the network is reached, but no password")
  func variables() {
    news.variables["https_proxy"] = "http://proxy.example:3128"
    news.variables["http_proxy"] = "http://anna:secret@proxy.example:3128"
    news.variables["NEWS_USER_AGENT"] = "mine 1.0"
    let result = news("schedule", "install", "--print", "--cron")
    #expect(
      result.output.contains(
        "/usr/bin/env https_proxy=http://proxy.example:3128 'NEWS_USER_AGENT=mine 1.0' /usr"
      )
    )
    #expect(!result.output.contains("secret"))
    #expect(result.errors.contains("http_proxy has a password"))
  }

  @Test("refuses words that do not belong together")
  func usage() {
    for words in [
      ["on"], ["install", "now"], ["remove", "--cron"], ["status", "--every=1h"],
    ] {
      #expect(news.run(["schedule"] + words).status == 64)
    }
    news.variables["NEWS_HOME"] = "/a\nb"
    #expect(news("schedule", "install", "--print").status == 1)
  }
}
