import CommandLine
import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage
import System

struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "find what is wrong, and say how to fix it"
  static let synopsis = "[--offline]"
  static let examples = [
    HelpExample("news doctor", "check the home, its files, the network, the clock and every feed"),
    HelpExample("news doctor --offline", "check without contacting any server"),
    HelpExample("news doctor --quiet", "show only what is wrong"),
  ]
  static let options = [CommandOption("offline", help: "contact no server")]
  static let notes = [
    "The exit status is 1 if something is wrong. Nothing is stored. One feed of each host is "
      + "contacted, up to ten hosts, for up to ten seconds.",
    "When piped, each finding is a tab-separated line: ok, note or wrong; what was checked; "
      + "the result; what to do.",
  ]
  static let json: JSONForm? = .object("what was found", FindingsPrinter.fields)

  let context: CommandContext

  var permissions: Permissions? {
    var permissions = context.permissionsToAsk()
    permissions.reads += SystemdTimer(context).folders
    permissions.commands += (SystemdTimer.questions + CronTimer.questions).map {
      RunnableCommand($0, variables: Environment.programVariables)
    }
    return permissions
  }

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("doctor takes no operands; for one feed: news refresh -v FEED")
    }
    let store = try context.store()
    var findings = HomeChecks(store: store).findings()
    // A home that cannot be read has its findings already.
    let library = try? store.read()
    findings += machine(library?.subscriptions ?? []).findings()
    findings += [context.environment.confinement?.finding].compactMap(\.self)
    if let library {
      findings += Self.lostStories(library)
      if !context.arguments.has("offline") {
        findings = withServers(findings, NetworkChecks(context: context, library: library))
      }
      findings += FeedChecks(library, clock: context.clock).findings()
      findings += RuleChecks.findings(store, library.subscriptions) + [timer]
      findings += SyncChecks(context: context, store: store).findings()
    }
    findings = Finding.grouped(findings)
    FindingsPrinter(context: context).print(findings)
    return findings.contains { $0.state == .wrong } ? .failed : .done
  }

  private static func lostStories(_ library: Library) -> [Finding] {
    let lost = library.savedStories - library.items.count
    guard lost > 0 else { return [] }
    let text = "\(lost) of the \(Count.stories(library.savedStories)) that were stored are gone"
    return [.wrong("newsdata.plist", text, "bring back what the feeds still carry: news refresh")]
  }

  /// The servers' clocks say more than our own.
  private func withServers(_ findings: [Finding], _ network: NetworkChecks) -> [Finding] {
    let more = network.findings()
    let isPrinted = more.contains { $0.subject == "clock" }
    return findings.filter { !isPrinted || $0 != .ok("clock", $0.text) } + more
  }

  private var timer: Finding {
    do throws(CommandError) {
      let status = try ScheduleStatus(context)
      let waiting = try ScheduleStatus.waiting(context)
      return status.finding(RelativeDate(clock: context.clock), waiting: waiting)
    } catch {
      return .note("timer", error.lines[0])
    }
  }

  private func machine(_ subscriptions: [Subscription]) -> MachineChecks {
    MachineChecks(
      xml: Result(catching: XMLLibrary.version),
      curl: Result(catching: CurlLibrary.version),
      namedCertificates: context.fetchOptions().certificateAuthorities,
      now: context.clock.now(),
      needsWeb: subscriptions.contains { WebURL.isWeb($0.url) },
      needsCertificates: subscriptions.contains { $0.url.hasPrefix("https:") },
      hasCertificate: hasCertificate,
    )
  }

  private func hasCertificate(_ path: String) -> Bool {
    // What cannot be read has none.
    guard let bytes = try? POSIX.readFile(path, maximumBytes: 8 << 20) else { return false }
    return String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
  }
}

/// Prints what `news doctor` found: for people, as lines with tabs, or as JSON.
struct FindingsPrinter {
  let context: CommandContext

  static let fields: [JSONField<[Finding]>] = [
    JSONField("healthy", "whether nothing is wrong") { findings in
      .boolean(!findings.contains { $0.state == .wrong })
    },
    JSONField("checks", "what was looked at", array: findingFields) { $0 },
  ]

  private static let findingFields: [JSONField<Finding>] = [
    JSONField("state", "ok, note (worth knowing) or wrong") { .string($0.state.rawValue) },
    JSONField("subject", "home, a file, disk, saving, libxml2, libcurl, network, clock, a feed…") {
      .string(SafeText.line($0.subject))
    },
    JSONField("finding", "how it is") { .string(SafeText.line($0.text)) },
    JSONField("advice", "what to do; null where there is nothing to do") {
      .text($0.advice.map { SafeText.line($0) })
    },
  ]

  func print(_ findings: [Finding]) {
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(Self.fields, findings).description)
    } else if !context.isOnTerminal {
      for finding in findings where isWanted(finding) {
        let fields = [finding.state.rawValue, finding.subject, finding.text, finding.advice ?? ""]
        context.output.printLine(
          TabSeparated.line(fields) { $0 == 0 ? styled($1, finding.state) : $1 }
        )
      }
    } else {
      for finding in findings where isWanted(finding) { printParagraph(finding) }
      printSum(findings.count { $0.state == .wrong })
    }
  }

  private func isWanted(_ finding: Finding) -> Bool {
    !context.isQuiet || finding.state == .wrong
  }

  private func printParagraph(_ finding: Finding) {
    let indent = TerminalText.spaces(7)
    let width = max(min(context.columns, 100) - 7, 20)
    let text = "\(SafeText.line(finding.subject)): \(SafeText.line(finding.text))"
    let state = TerminalText.fit(finding.state.rawValue, to: 5)
    let lines = TerminalText.wrap(text, to: width)
    context.output.printLine(styled(state, finding.state) + "  " + (lines.first ?? ""))
    for line in lines.dropFirst() { context.output.printLine(indent + line) }
    guard let advice = finding.advice else { return }
    for (index, line) in TerminalText.wrap(SafeText.line(advice), to: width - 2).enumerated() {
      context.output.printLine(indent + (index == 0 ? "→ " : "  ") + context.style.bold(line))
    }
  }

  private func styled(_ text: String, _ state: Finding.State) -> String {
    switch state {
    case .ok: context.style.green(text)
    case .note: context.style.cyan(text)
    case .wrong: context.style.red(text)
    }
  }

  private func printSum(_ wrong: Int) {
    guard !context.isQuiet else { return }
    let sum =
      wrong == 0 ? "Nothing is wrong." : "\(Count.of(wrong, "thing is", "things are")) wrong."
    context.output.printLine("\n" + context.style.bold(sum))
  }
}

extension Confinement.Outcome {
  fileprivate var finding: Finding {
    switch self {
    case .on(let version):
      .ok("sandbox", "Landlock \(version): what strangers wrote is read without your other files")
    case .off(let reason): .note("sandbox", "off: \(reason)")
    }
  }
}

/// One thing that `news doctor` has looked at.
struct Finding: Hashable, Sendable {
  enum State: String, Sendable {
    case ok
    /// Worth knowing; nothing is wrong.
    case note
    case wrong
  }

  let state: State
  /// What was looked at: `home`, a file, `clock`, a feed.
  let subject: String
  let text: String
  let advice: String?
  /// Why it is as it is, in words that are the same for all that is so for this reason.
  var cause: String?
  /// What shows all of them.
  var command = "news feeds --failing"
  /// Whether `subject` is a feed's name.
  var isFeed = false

  static func ok(_ subject: String, _ text: String) -> Finding {
    Finding(state: .ok, subject: subject, text: text, advice: nil)
  }

  static func note(_ subject: String, _ text: String, _ advice: String? = nil) -> Finding {
    Finding(state: .note, subject: subject, text: text, advice: advice)
  }

  static func wrong(_ subject: String, _ text: String, _ advice: String) -> Finding {
    Finding(state: .wrong, subject: subject, text: text, advice: advice)
  }
}

extension Finding {
  /// One finding for each cause, with the feeds behind it.
  static func grouped(_ findings: [Finding]) -> [Finding] {
    let isPrinted = { (group: [Finding]) in
      group.count >= SharedCause.many
        || group.count > 1 && group.contains { $0.subject == "network" }
    }
    return SharedCause.groups(findings, by: \.cause, where: isPrinted).map { group in
      guard group.count > 1, let cause = group[0].cause else { return group[0] }
      return Finding(cause, group)
    }
  }

  private init(_ cause: String, _ group: [Finding]) {
    let feeds = group.filter(\.isFeed)
    let network = group.first { $0.subject == "network" }
    let names = feeds.isEmpty ? group : feeds
    let count = Count.of(names.count, feeds.isEmpty ? "host" : "feed")
    let list = SharedCause.names(names.map(\.subject))
    self.init(
      state: group.contains { $0.state == .wrong } ? .wrong : .note,
      subject: network?.subject ?? count,
      text: network.map { "\($0.text); \(count): \(list)" } ?? "\(cause): \(list)",
      advice: network?.advice
        ?? (feeds.isEmpty ? group[0].advice : "see each: \(group[0].command)"),
    )
  }
}
