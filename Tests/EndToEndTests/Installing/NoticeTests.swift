import TestSupport
import Testing

@Suite("fetch --notify in a session with a D-Bus of its own")
struct NoticeTests {
  private let news: News
  private let bus: Subprocess
  private let desktop: Subprocess
  private let settings: [String: String?]

  /// A bus, and on it a stand-in for the desktop's service, which writes down what it is to show.
  init() throws {
    news = try News()
    bus = try Subprocess(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"])
    settings = ["DBUS_SESSION_BUS_ADDRESS": try bus.readLine()]
    desktop = try Subprocess(
      [
        "/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "notification_daemon",
        "--logfile", news.folder.path("shown"),
      ],
      environment: settings,
    )
  }

  private func publish(_ titles: [String]) throws {
    let items = titles.map { "<item><title>\($0)</title></item>" }.joined()
    let text = "<rss version=\"2.0\"><channel><title>Feed</title>\(items)</channel></rss>"
    try news.folder.write(text, to: "feed.xml")
  }

  private func fetch(_ words: String...) throws -> Subprocess.Result {
    try news.run(["fetch"] + words, environment: settings)
  }

  private func shown() throws -> [Substring] {
    try readText(news.folder.path("shown")).split(separator: "\n").filter { $0.contains("Notify ") }
  }

  @Test("a notice is shown by notify-send, and without it by busctl")
  func notice() throws {
    defer {
      for process in [desktop, bus] {
        process.send(9)
        _ = try? process.wait()
      }
    }
    let listed = ["busctl", "--user", "list", "--acquired"]
    waitUntil {
      let names = try? Subprocess.run(listed, environment: settings).text
      return names?.contains("org.freedesktop.Notifications") == true
    }
    try publish(["one"])
    _ = try news.run("subscribe", news.folder.path("feed.xml"))
    #expect(try fetch("--notify").text.hasPrefix("noData"))
    try publish(["Größe &amp;lt;b>", "two", "one"])
    let first = try fetch("--notify")
    #expect(first.text.hasPrefix("newData: 2 new") && first.errorText.isEmpty)
    try publish(["four", "one"])
    let folder = news.folder.path("programs")
    _ = try Subprocess.run(["mkdir", folder])
    _ = try Subprocess.run(["ln", "-s", "/usr/bin/busctl", folder])
    let path: [String: String?] = ["PATH": folder]
    let second = try news.run(
      ["fetch", "--notify=each"],
      environment: settings.merging(path) { $1 },
    )
    #expect(second.text.hasPrefix("newData: 1 new"))
    let lines = try shown()
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasSuffix("Notify \"news\" 0 \"\" \"2 new stories\" \"Größe &lt;b&gt;") == true
    )
    #expect(lines.last?.contains("\"1 new story\" \"four\"") == true)
  }
}
