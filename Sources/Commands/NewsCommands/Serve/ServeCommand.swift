import CommandLine
import CommandSupport
import FeedServing
import FeedStorage

struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "answer phone apps by the Google Reader API"
  static let synopsis = "[password|install|remove|status] [--listen ADDRESS:PORT]"
  static let examples = [
    HelpExample("news serve password", "make the password for apps, and print it once"),
    HelpExample("news serve", "answer programs on this machine, until you stop it"),
    HelpExample("news serve --listen 192.168.1.5:8265", "answer apps in the home network"),
    HelpExample(
      "news serve --listen 0.0.0.0:8265 --certificate cert.pem --key key.pem",
      "answer apps from anywhere, by TLS",
    ),
    HelpExample("news serve --behind-proxy", "answer a proxy on this machine that has the TLS"),
    HelpExample("news serve install", "have systemd answer whenever an app asks"),
    HelpExample("news serve status", "show what answers, and where"),
  ]
  static let options = [
    CommandOption(
      "listen",
      value: "ADDRESS:PORT",
      help: "where to listen (\(ListeningPlace.standard)); of port 0 the system chooses one",
    ),
    CommandOption(
      "certificate",
      value: "FILE",
      help: "use TLS with this certificate, and those above it (PEM)",
    ),
    CommandOption("key", value: "FILE", help: "the certificate's key (PEM)"),
    CommandOption(
      "behind-proxy",
      help: "believe X-Forwarded-For: what asks is a proxy of yours",
    ),
    CommandOption("allow-private", help: "let apps subscribe to feeds in private networks"),
    CommandOption("print", help: "install: only print what would be installed"),
  ]
  static let notes = [
    "In an app, add an account of the kind Google Reader API or FreshRSS, with the address that "
      + "`news serve` says, any user's name, and the password. Feeds, folders, tags, read and starred "
      + "stories are those of this home; what the app changes is changed here, `news undo` takes it "
      + "back, and `news sync` tells it to your other machines. `news serve` fetches nothing by itself: "
      + "`news schedule install` does that, and new stories are there at once.",
    "password makes a new password and prints it as the last word of its line. Only a hash of it is "
      + "stored, so it cannot be shown again; all apps that have logged in by the last one are "
      + "logged out.",
    "A port alone is on this machine's own address. "
      + "Without TLS it listens on this machine's own address and on private ones alone. "
      + "With --behind-proxy, log-ins are counted for the address that the proxy says last. \(limits)",
    "install makes a socket and a service for systemd's user manager: it listens, starts `news serve` "
      + "with the same options when an app asks, and that ends when none has asked for five minutes. "
      + "When piped, status is a tab-separated line: on, off or stopped; where; whether there is a "
      + "password.",
    "The process that answers can read the home, writes nothing, and opens no connection; what apps "
      + "change is saved by another one. What they subscribe to is fetched once, and refused in private "
      + "networks unless you give --allow-private. It needs libmicrohttpd.",
  ]

  static let json: JSONForm? = .object("how apps are answered (status)", ServeStatus.fields)

  private static let limits =
    "After \(LogInLimits.mostOfAddress) wrong passwords, an address is not heard for "
    + "\(LogInLimits.period / 60) minutes."

  static let actions = ["password", "install", "remove", "status"]

  let context: CommandContext

  /// The access of a server; fetching and importing are started by a process that is not confined.
  var readerAccess: ReaderAccess? { context.arguments.operands.isEmpty ? .texts : nil }

  func run() throws -> ExitStatus {
    let verb = context.arguments.operands.first
    guard context.arguments.operands.count <= 1 else {
      throw usage("one action at a time: news serve password, install, remove or status")
    }
    try checkOptions(verb)
    switch verb {
    case nil: return try HomeServer(context).run()
    case "password": try makePassword()
    case "install": try ServeService(context: context).install()
    case "remove": try ServeService(context: context).remove()
    case "status": try printStatus()
    case let verb?:
      throw usage("\(Spelling.quoted(verb)) is not one of password, install, remove and status")
    }
    return .done
  }

  private func checkOptions(_ verb: String?) throws {
    for option in Self.options where context.arguments.has(option.key) {
      let isOfInstall = option.key == "print"
      guard verb == "install" || verb == nil && !isOfInstall else {
        let other = isOfInstall ? "install" : "install, or alone"
        throw usage("\(option.spelling) can only be used with \(other)")
      }
    }
  }

  private func makePassword() throws {
    let store = try context.store()
    let isFirst = try store.servingAccount() == nil
    let password = ServingPassword.new()
    try store.setServingPassword(hash: ServingPassword.hash(of: password))
    if !isFirst { context.say("apps that used the last password are logged out") }
    context.output.printLine("the password for apps, with any user's name: \(password)")
    guard isFirst, try ServeStatus(context).isOff else { return }
    context.say("next: news serve install, or news serve for as long as it runs")
  }

  private func printStatus() throws {
    let status = try ServeStatus(context)
    if context.isJSON {
      context.output.printLine(PrintedJSON.object(ServeStatus.fields, status).description)
    } else if context.isOnTerminal {
      status.lines.forEach(context.output.printLine)
    } else {
      context.output.printFields(status.fields)
    }
  }
}
