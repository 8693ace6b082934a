import TestSupport
import Testing

@Suite(
  "A timer of the system's own",
  .enabled(if: NetworkNamespace.isAllowed, "a system of the test's own needs root"),
)
struct ScheduleTests {
  private static let feed = BuiltProduct.fixture("reuters/technology.xml")

  /// Mounts empty folders over those that the system's services keep their state in.
  private static func hide(_ folders: String...) throws {
    for folder in folders { _ = try ran("mount", "-t", "tmpfs", "none", folder) }
  }

  private static func ran(_ words: String...) throws -> String {
    let result = try Subprocess.run(words)
    #expect(result.status == 0, Comment(rawValue: result.errorText))
    return result.text
  }

  @Test("systemd's user manager takes it, runs it, and has nothing left of it")
  func systemd() throws {
    try MountNamespace.run {
      let news = try News()
      try Self.hide("/run")
      // As on a system that systemd has started.
      for folder in ["/run/systemd/system", "/run/user"] {
        _ = try Self.ran("mkdir", "-p", "-m", "700", folder)
      }
      let bus = "unix:path=/run/user/bus"
      let settings: [String: String?] = [
        "XDG_RUNTIME_DIR": "/run/user", "DBUS_SESSION_BUS_ADDRESS": bus, "XDG_CONFIG_HOME": nil,
        "HOME": news.folder.path, "XDG_DATA_HOME": nil, "XDG_STATE_HOME": nil,
        "NEWS_HOME": news.folder.path("ho me%h$x\"\\y"),
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
      defer { Self.end([manager, daemon]) }
      let run = { (words: String...) in try news.run(words, environment: settings) }
      let control = { (words: String...) in
        try Subprocess.run(["systemctl", "--user"] + words, environment: settings)
      }
      try waitUntil { try control("show", "--property=Version").status == 0 }
      _ = try run("subscribe", "--no-check", Self.feed)
      let files = {
        try Self.ran("find", news.folder.path, "-path", "*/systemd/*", "!", "-type", "d")
          .split(separator: "\n").map(String.init)
      }

      #expect(try run("schedule", "install").errorText.hasPrefix("systemd runs"))
      let installed = try files()
      #expect(try run("schedule", "install").errorText.hasPrefix("nothing to change"))
      #expect(try files() == installed)
      let units = try installed.filter { $0.hasSuffix("user/news-fetch.timer") }.map { path in
        try Subprocess.run(["systemd-analyze", "verify", "--user", path], environment: settings)
      }
      #expect(units.map(\.status) == [0] && units.map(\.errorText) == [""])

      #expect(try control("start", "news-fetch.service").status == 0)
      let status = try run("schedule", "status").text.split(separator: "\t")
      #expect(status[..<3] == ["on", "systemd", "every 5min"] && status[4] == "newData")
      #expect(try run("log").text.contains("\tfetch\tnewData\t24\t24\t1\t"))
      #expect(try run("doctor", "--offline").text.contains("ok\ttimer\tsystemd runs"))

      _ = try control("stop", "news-fetch.timer")
      #expect(try run("schedule", "status").text.hasPrefix("stopped\tsystemd"))
      #expect(try run("schedule", "install").errorText.contains("from now on"))
      #expect(try run("schedule", "remove").errorText == "no more by systemd\n")
      #expect(try files().isEmpty)
      #expect(try control("is-active", "news-fetch.timer").status != 0)
    }
  }

  @Test("cron runs it, and its line is in the record")
  func cron() throws {
    try MountNamespace.run {
      let news = try News()
      try Self.hide("/run", "/var/spool/cron/crontabs")
      _ = try news.run("subscribe", "--no-check", Self.feed)
      #expect(try news.run("schedule", "install", "--cron").status == 0)
      // The next minute instead of the fifth from now.
      _ = try Self.ran("sh", "-c", "crontab -l | sed 's/^[^ ]*/*/' | crontab -")
      let cron = try Subprocess(["/usr/sbin/cron", "-f"])
      defer { Self.end([cron]) }
      try waitUntil {
        _ = poll(nil, 0, 10)
        return try namesInFolder(news.home).contains("ledger.plist")
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
