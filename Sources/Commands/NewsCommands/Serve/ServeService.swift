import CommandLine
import CommandSupport
import FeedServing
import FeedStorage
import FollowingCommands

/// The service of systemd's user manager that answers apps: it is started when one asks, and ends when
/// none has asked for a while (systemd.socket(5)).
struct ServeService {
  private static let (socket, service) = ("news-serve.socket", "news-serve.service")
  private static let mark = "news serve: "
  private static let question = [
    "systemctl", "--user", "show", "--property=ActiveState", socket,
  ]

  let context: CommandContext

  /// The place at which the installed service listens; `isOn` says that systemd does so.
  struct State: Hashable {
    let url: String
    let isOn: Bool
  }

  // MARK: Files

  private var paths: [String] {
    let folder = context.configurationFolder.map { $0 + "/systemd/user" } ?? "~"
    return [Self.socket, Self.service].map { "\(folder)/\($0)" }
  }

  private func files(_ options: ServeOptions) throws -> [TimerFile] {
    let url = ServeOptions.url(options.place, hasTLS: options.hasTLS)
    let texts = [socketText(options, url), try serviceText(options, url)]
    return zip(paths, texts).map { TimerFile(path: $0, text: $1, mark: Self.mark) }
  }

  private func socketText(_ options: ServeOptions, _ url: String) -> String {
    """
    # \(Self.mark)\(url)
    [Unit]
    Description=Where news answers apps

    [Socket]
    ListenStream=\(options.place.text)

    [Install]
    WantedBy=sockets.target

    """
  }

  private func serviceText(_ options: ServeOptions, _ url: String) throws -> String {
    guard let program = context.environment.executable() else {
      throw Failure("the file of this program is gone: install news, and this then")
    }
    let tls = zip(["--certificate", "--key"], options.certificatePaths).flatMap { [$0, $1] }
    let flags = ["behind-proxy", "allow-private"].filter(context.arguments.has).map { "--\($0)" }
    let words =
      [program, ServeCommand.name, "--quiet", "--no-defaults", "--home", try context.home()] + tls
      + flags
    try TimerFile.check(words)
    return SystemdService.text(
      context,
      words,
      mark: "\(Self.mark)\(url)",
      unit: ["Description=Answer apps of news", "Requires=\(Self.socket)"],
      lines: ["TimeoutStopSec=10s"],
      startsPrograms: false,
    )
  }

  // MARK: Actions

  func install() throws {
    let options = try ServeOptions(context)
    let files = try files(options)
    if context.arguments.has("print") { return context.printFiles(files) }
    guard context.configurationFolder != nil, SystemdTimer(context).isThere else {
      throw Failure(
        "no systemd for users is here: have what starts programs at log-in run `news serve`"
      )
    }
    let url = ServeOptions.url(options.place, hasTLS: options.hasTLS)
    let isOn = try state()?.isOn ?? false
    guard try TimerFile.write(files) || !isOn else {
      return context.say("nothing to change: systemd answers at \(url) already")
    }
    try context.runOrFail("systemctl", "--user", "daemon-reload")
    _ = context.systemctl("stop", Self.service)
    try context.runOrFail("systemctl", "--user", "enable", Self.socket)
    try context.runOrFail("systemctl", "--user", "restart", Self.socket)
    context.say("systemd answers at \(url) from now on")
    let store = try context.store()
    if try store.servingAccount() == nil {
      context.say("make the password for apps: news serve password")
    }
    if let obstacle = SystemdTimer.lingering(context) { context.say(obstacle.text) }
  }

  func remove() throws {
    guard try state() != nil else { return context.say("nothing to change: not installed") }
    _ = context.systemctl("disable", "--now", Self.socket)
    _ = context.systemctl("stop", Self.service)
    try context.removeUnits(paths, of: "sockets.target", mark: Self.mark)
    context.say("systemd answers no more")
  }

  /// Returns nil where it is not installed.
  func state() throws -> State? {
    guard let text = try TimerFile.current(paths[0], mark: Self.mark),
      let mark = text.firstRange(of: Self.mark)
    else { return nil }
    return State(
      url: String(text[mark.upperBound...].prefix { $0 != "\n" }),
      isOn: context.answer(Self.question) == "ActiveState=active\n",
    )
  }
}

/// The state of what answers apps (`news serve status`), and whether they could log in.
struct ServeStatus {
  private let state: ServeService.State?
  /// The address at which a `news serve` without a service answers now.
  private let running: String?
  private let hasPassword: Bool

  init(_ context: CommandContext) throws {
    let store = try context.store()
    let state = try ServeService(context: context).state()
    running = state?.isOn == true ? nil : ServedAddress.current(in: store)
    self.state = state
    hasPassword = try store.servingAccount() != nil
  }

  private var word: String {
    running != nil ? "on" : state.map { $0.isOn ? "on" : "stopped" } ?? "off"
  }

  private var url: String? { running ?? state?.url }

  var isOff: Bool { running == nil && state == nil }

  var lines: [String] {
    let service =
      switch (running, state) {
      case (let running?, _): "on: `news serve` answers at \(running)"
      case (nil, nil): "off: nothing is installed that answers apps (`news serve install`)"
      case (nil, let state?) where state.isOn: "on: systemd answers at \(state.url)"
      case (nil, let state?):
        "stopped: systemd has \(state.url), but does not listen (`news serve install`)"
      }
    return [service] + (hasPassword ? [] : ["no password for apps yet: news serve password"])
  }

  var fields: [String] { [word, url ?? "", hasPassword ? "password" : ""] }

  static let fields: [JSONField<ServeStatus>] = [
    JSONField("state", "on, stopped (installed, but not started) or off") {
      .string($0.word)
    },
    JSONField("url", "where it answers; null when it is off") { .text($0.url) },
    JSONField("password", "whether there is a password for apps") { .boolean($0.hasPassword) },
  ]

  /// Returns the line of `news doctor`; nil where nobody wants to be served.
  static func finding(_ context: CommandContext) -> Finding? {
    do {
      let status = try ServeStatus(context)
      guard status.hasPassword || status.state != nil else { return nil }
      let version = try HTTPServer.libraryVersion()
      guard status.hasPassword else {
        return .wrong("serve", "apps have no password", "news serve password")
      }
      let library = "libmicrohttpd \(version)"
      if let url = status.running { return .ok("serve", "\(library); it answers at \(url)") }
      guard let state = status.state else {
        return .ok("serve", "\(library); it answers while `news serve` runs")
      }
      return state.isOn
        ? .ok("serve", "\(library); systemd answers at \(state.url)")
        : .wrong("serve", "systemd has it, but does not listen", "news serve install")
    } catch {
      return .wrong("serve", error.line, "see: news serve status")
    }
  }
}
