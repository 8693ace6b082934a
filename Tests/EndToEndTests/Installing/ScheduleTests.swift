import TestSupport
import Testing

@Suite(
  "A timer of the system's own",
  .enabled(if: NetworkNamespace.isAllowed, "a system of the test's own needs root"),
)
struct ScheduleTests {
  private static let feed = BuiltProduct.fixture("reuters/technology.xml")

  /// Mounts empty folders over those in which the system's services keep their state.
  private static func hide(_ folders: String...) throws {
    for folder in folders { _ = try ran("mount", "-t", "tmpfs", "none", folder) }
  }

  private static func ran(_ words: String...) throws -> String {
    let result = try Subprocess.run(words)
    #expect(result.status == 0, Comment(rawValue: result.errorText))
    return result.text
  }

  /// A user manager of systemd in the mount namespace of its test, and the programs that talk to
  /// it.
  private struct UserManager {
    let settings: [String: String?]
    private let processes: [Subprocess]

    init(_ news: News, home: String) throws {
      try ScheduleTests.hide("/run")
      // A system that systemd has started has these folders.
      for folder in ["/run/systemd/system", "/run/systemd/unit-root", "/run/user"] {
        _ = try ScheduleTests.ran("mkdir", "-p", "-m", "700", folder)
      }
      let bus = "unix:path=/run/user/bus"
      let settings: [String: String?] = [
        "XDG_RUNTIME_DIR": "/run/user", "DBUS_SESSION_BUS_ADDRESS": bus, "XDG_CONFIG_HOME": nil,
        "HOME": news.folder.path, "XDG_DATA_HOME": nil, "XDG_STATE_HOME": nil, "NEWS_HOME": home,
      ]
      let daemon = try Subprocess(
        [
          "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", "--address",
          bus,
        ],
        environment: settings,
      )
      _ = try daemon.readLine()
      let manager = try Subprocess(["/lib/systemd/systemd", "--user"], environment: settings)
      (self.settings, processes) = (settings, [manager, daemon])
      try waitUntil { try control("show", "--property=Version").status == 0 }
    }

    func control(_ words: String...) throws -> Subprocess.Result {
      try Subprocess.run(["systemctl", "--user"] + words, environment: settings)
    }

    func end() { ScheduleTests.end(processes) }
  }

  @Test("systemd's user manager takes it, runs it, and has nothing left of it")
  func systemd() throws {
    try MountNamespace.run {
      let news = try News()
      let manager = try UserManager(news, home: news.folder.path("ho me%h$x\"\\y"))
      defer { manager.end() }
      let run = { (words: String...) in try news.run(words, environment: manager.settings) }
      _ = try run("subscribe", "--no-check", Self.feed)
      let files = {
        try Self.ran("find", news.folder.path, "-path", "*/systemd/*", "!", "-type", "d")
          .split(separator: "\n").map(String.init)
      }

      #expect(try run("schedule", "install").errorText.hasPrefix("systemd runs"))
      let installed = try files()
      #expect(try run("schedule", "install").errorText.hasPrefix("nothing to change"))
      #expect(try files() == installed)
      let service = try #require(installed.first { $0.hasSuffix("user/news-fetch.service") })
      // The service is confined further if the manager may have namespaces of its own.
      #expect(try readText(service).contains("\nSystemCallFilter="))
      let units = try installed.filter { $0.hasSuffix("user/news-fetch.timer") }.map { path in
        try Subprocess.run(
          ["systemd-analyze", "verify", "--user", path],
          environment: manager.settings,
        )
      }
      #expect(units.map(\.status) == [0] && units.map(\.errorText) == [""])

      let started = try manager.control("start", "news-fetch.service")
      #expect(started.status == 0, Comment(rawValue: started.errorText))
      let status = try run("schedule", "status").text.split(separator: "\t")
      #expect(status[..<3] == ["on", "systemd", "every 5min"] && status[4] == "newData")
      #expect(try run("log").text.contains("\tfetch\tnewData\t24\t24\t1\t"))
      #expect(try run("doctor", "--offline").text.contains("ok\ttimer\tsystemd runs"))

      _ = try manager.control("stop", "news-fetch.timer")
      #expect(try run("schedule", "status").text.hasPrefix("stopped\tsystemd"))
      #expect(try run("schedule", "install").errorText.contains("from now on"))
      #expect(try run("schedule", "remove").errorText == "no more by systemd\n")
      #expect(try files().isEmpty)
      #expect(try manager.control("is-active", "news-fetch.timer").status != 0)
    }
  }

  @Test("the timer that came with the program is told of and ended like one of the user's own")
  func packaged() throws {
    try MountNamespace.run {
      let news = try News()
      let installed = try Subprocess.run(
        [BuiltProduct.fixture("../.ci/install-news"), news.folder.path(".local"), news.program],
        environment: ["HOME": news.folder.path],
      )
      #expect(installed.status == 0, Comment(rawValue: installed.errorText))
      let manager = try UserManager(news, home: news.home)
      defer { manager.end() }
      let run = { (words: String...) in try news.run(words, environment: manager.settings) }
      let status = { try run("schedule", "status").text }
      _ = try run("subscribe", "--no-check", Self.feed)
      let before = try run("schedule", "status")
      #expect(before.text.hasPrefix("off\t"), "\(before.text) \(before.errorText)")

      #expect(try manager.control("enable", "--now", "news-fetch.timer").status == 0)
      #expect(try manager.control("start", "news-fetch.service").status == 0)
      #expect(try status().hasPrefix("on\tsystemd\tevery 5min\t"))
      #expect(try run("log").text.contains("\tfetch\tnewData\t24\t24\t1\t"))
      #expect(try run("doctor", "--offline").text.contains("ok\ttimer\tsystemd runs"))

      #expect(try run("schedule", "install", "--every", "1h").errorText.contains("every 1h"))
      #expect(try status().hasPrefix("on\tsystemd\tevery 1h\t"))
      #expect(try run("schedule", "remove").errorText == "no more by systemd\n")
      #expect(try status().hasPrefix("off\t"))
    }
  }

  @Test("cron runs it, and its line is in the record")
  func cron() throws {
    try MountNamespace.run {
      let news = try News()
      try Self.hide("/run", "/var/spool/cron/crontabs")
      _ = try news.run("subscribe", "--no-check", Self.feed)
      #expect(try news.run("schedule", "install", "--cron").status == 0)
      // The line names the next minute in place of the fifth from now.
      _ = try Self.ran("sh", "-c", "crontab -l | sed 's/^[^ ]*/*/' | crontab -")
      let cron = try Subprocess(["/usr/sbin/cron", "-f"])
      defer { Self.end([cron]) }
      try waitUntil {
        _ = poll(nil, 0, 10)
        return try !news.run("log").text.isEmpty
      }
      #expect(try news.run("log").text.contains("\tfetch\tnewData\t24\t24\t1\t"))
      #expect(try news.run("schedule", "remove").errorText == "no more by cron\n")
      #expect(try Subprocess.run(["crontab", "-l"]).status != 0)
    }
  }

  private static func end(_ processes: [Subprocess]) {
    for process in processes {
      process.send(SIGTERM)
      _ = try? process.wait()
    }
  }
}
