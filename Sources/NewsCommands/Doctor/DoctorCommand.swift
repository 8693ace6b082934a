import FeedFetching
import FeedModel
import FeedParsing
import FeedStorage

struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "say what is wrong here, and what to do"
  static let synopsis = "[--offline]"
  static let examples = [
    HelpExample("news doctor", "look at home, files, network, clock and every feed"),
    HelpExample("news doctor --offline", "the same without asking any server"),
    HelpExample("news doctor --quiet", "only what is wrong"),
  ]
  static let options = [CommandOption("offline", help: "ask no server")]
  static let notes = [
    "The status is 1 when something is wrong. It stores nothing; of each host one feed is asked, at "
      + "most ten, and for ten seconds.",
    "Piped, each finding is a line with tabs between its fields: ok, note or wrong; what was looked "
      + "at; how it is; what to do.",
  ]
  static let json: JSONForm? = .object("what was found", FindingsPrinter.fields)

  let context: CommandContext

  func run() throws(CommandError) -> ExitStatus {
    guard context.arguments.operands.isEmpty else {
      throw usage("doctor takes no operands; for one feed: news refresh -v FEED")
    }
    let store = try context.store()
    var findings = HomeChecks(store: store).findings()
    // A home that cannot be read has its findings already.
    let library = try? store.read()
    findings += machine(library?.subscriptions ?? []).findings()
    if let library {
      if !context.arguments.has("offline") {
        findings = withServers(findings, NetworkChecks(context: context, library: library))
      }
      findings += FeedChecks(library, clock: context.clock).findings()
    }
    FindingsPrinter(context: context).print(findings)
    return findings.contains { $0.state == .wrong } ? .failed : .done
  }

  /// The servers' clocks say more than our own.
  private func withServers(_ findings: [Finding], _ network: NetworkChecks) -> [Finding] {
    let more = network.findings()
    let isTold = more.contains { $0.subject == "clock" }
    return findings.filter { !isTold || $0 != .ok("clock", $0.text) } + more
  }

  private func machine(_ subscriptions: [Subscription]) -> MachineChecks {
    MachineChecks(
      xml: Result(catching: XMLLibrary.version),
      curl: Result(catching: CurlLibrary.version),
      namedCertificates: context.fetchOptions().certificateAuthorities,
      now: context.clock.now(),
      needsWeb: subscriptions.contains { SubscriptionURL.isWeb($0.url) },
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
