import CommandLine
import CommandSupport
import FeedFetching
import FeedModel
import FeedParsing
import FeedReading
import FeedServing
import FeedStorage
import FollowingCommands
import ReadingCommands
import Searching
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

  var readerAccess: ReaderAccess? { .network }

  func run() throws -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("doctor takes no operands; for one feed: news refresh -v FEED")
    }
    let store = try context.store()
    var findings = HomeChecks(store: store).findings() + CommandChecks.findings(store)
    findings += SettingsChecks(environment: context.environment).findings()
    // A home that cannot be read has its findings already.
    let library = try? store.read()
    findings += machine(library?.subscriptions ?? []).findings()
    findings += ReadingJob.confinement().map(Self.sandbox) ?? []
    findings += [PictureCheck.finding(context), ServeStatus.finding(context)].compactMap(\.self)
    if let library {
      findings += Self.lostStories(library)
      if !context.arguments.has("offline") {
        findings = withServers(findings, NetworkChecks(context: context, library: library))
      }
      findings += FeedChecks(library, clock: context.clock).findings()
      findings += RuleChecks.findings(context, store, library.subscriptions) + [timer]
      findings += SyncChecks(context: context, store: store).findings()
    }
    findings = Finding.grouped(findings)
    FindingsPrinter(context: context).print(findings)
    return findings.contains { $0.state == .wrong } ? .failed : .done
  }

  /// Returns one finding for the walls that stand, and one for each that is missing.
  private static func sandbox(_ walls: WallNames) -> [Finding] {
    let use = "what strangers wrote is read without your files"
    let standing = walls.on.isEmpty ? nil : walls.on.joined(separator: ", ")
    return [standing.map { .ok("sandbox", "\($0): \(use)") }].compactMap(\.self)
      + walls.faults.map { .note("sandbox", $0) }
  }

  private static func lostStories(_ library: Library) -> [Finding] {
    let lost = library.feeds.savedStories - library.items.count
    guard lost > 0 else { return [] }
    let saved = Count.stories(library.feeds.savedStories)
    let text = "\(lost) of the \(saved) that were stored are gone"
    return [
      .wrong(StoreFile.stories.name, text, "bring back what the feeds still carry: news refresh")
    ]
  }

  /// Drops the machine's own finding on its clock where the servers' clocks say more.
  private func withServers(_ findings: [Finding], _ network: NetworkChecks) -> [Finding] {
    let more = network.findings()
    let isPrinted = more.contains { $0.subject == "clock" }
    return findings.filter { !isPrinted || $0 != .ok("clock", $0.text) } + more
  }

  private var timer: Finding {
    do {
      let status = try ScheduleStatus(context)
      let waiting = try ScheduleStatus.waiting(context)
      return status.finding(RelativeDate(clock: context.clock), waiting: waiting)
    } catch {
      return .note("timer", error.line)
    }
  }

  private func machine(_ subscriptions: [Subscription]) -> MachineChecks {
    MachineChecks(
      xml: Result(catching: XMLLibrary.version),
      curl: Result(catching: CurlLibrary.version),
      names: Result(catching: InternationalName.version),
      namedCertificates: context.fetchOptions().certificateAuthorities,
      now: context.clock.now(),
      needsWeb: subscriptions.contains { WebURL.isWeb($0.url) },
      needsCertificates: subscriptions.contains { $0.url.hasPrefix("https:") },
      hasCertificate: hasCertificate,
      others: [
        XMLLibrary.compressionFault, .pcre2, .sqlite, .microhttpd, .crypt,
        PictureProgram.fault(context), DesktopNotice.fault(context.environment),
        context.playerFault, context.browserFault,
      ].compactMap(\.self),
    )
  }

  private func hasCertificate(_ path: String) -> Bool {
    // A file that cannot be read counts as none.
    guard let bytes = try? POSIX.readFile(path, maximumBytes: 8 << 20) else { return false }
    return String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
  }
}

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
        context.output.printFields(fields) { $0 == 0 ? styled($1, finding.state) : $1 }
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
    // A narrow window has the state in a line of its own.
    let isNarrow = context.columns < 40
    let indent = TerminalText.spaces(isNarrow ? 2 : 7)
    let width = min(context.columns, 100) - indent.count
    let text = "\(SafeText.line(finding.subject)): \(SafeText.line(finding.text))"
    let state = TerminalText.fit(finding.state.rawValue, to: 5)
    let lines = TerminalText.wrap(text, to: width)
    let first = isNarrow ? "" : lines.first ?? ""
    context.output.printLine(styled(state, finding.state) + "  " + first)
    for line in lines.dropFirst(isNarrow ? 0 : 1) { context.output.printLine(indent + line) }
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
