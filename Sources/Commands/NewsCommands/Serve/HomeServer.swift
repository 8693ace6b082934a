import CommandLine
import CommandSupport
import FeedFetching
import FeedServing
import FeedStorage

/// `news serve`, from its beginning to the signal that ends it.
struct HomeServer {
  private let context: CommandContext
  private let store: LibraryStore

  /// Seconds without a request after which a server that a manager has started ends.
  private static let idleTime = Duration.seconds(300)

  init(_ context: CommandContext) throws {
    self.context = context
    store = try context.store()
  }

  func run() throws -> ExitStatus {
    try check()
    let activated = ListeningSocket(passedBy: context.environment.variable)
    let words = try ServeOptions(context, at: activated?.place)
    let certificate = try words.certificate()
    let actions = HomeActions(context: context.byPhone, store: store)
    guard let keeper = HomeKeeper(actions, context.environment) else {
      throw Failure("no process can be started that saves what apps change")
    }
    let socket =
      if let activated { activated } else {
        try ListeningSocket(at: words.place)
      }
    let cancellation = context.cancellation()
    let interface = ReaderInterface(
      options(words),
      ServedActions(make: keeper.make, exportedList: actions.exportedList),
    )
    let url = ServeOptions.url(socket.place, hasTLS: words.hasTLS)
    let address = ServedAddress(url, of: store)
    confine()
    let server = try HTTPServer.start(
      on: socket,
      interface.service,
      certificate: certificate,
    )
    context.say("listening on \(url)")
    withExtendedLifetime(address) {
      server.run(
        until: [cancellation.descriptor].compactMap(\.self),
        orIdleFor: activated == nil ? nil : Self.idleTime,
      )
    }
    server.quiesce()
    server.stop()
    return .done
  }

  /// Checks that somebody could log in, and be answered.
  private func check() throws {
    try HTTPServer.prepare()
    try ServingPassword.prepare()
    try store.prepareHome()
    guard try store.servingAccount() != nil else {
      throw Failure("no password for apps yet; make one with `news serve password`")
    }
  }

  private func options(_ words: ServeOptions) -> ReaderInterface.Options {
    ReaderInterface.Options(
      store: store,
      isBehindProxy: words.isBehindProxy,
      hasTLS: words.hasTLS,
      now: { [clock = context.clock] in clock.date },
      tell: { [context] in context.complain($0) },
    )
  }

  /// Leaves this process the home to read, and what it has open.
  private func confine() {
    var confinement = context.confinement(.files([store.home] + store.linkedFolders()))
    confinement.cage = .serving
    for reason in context.environment.confine(confinement) {
      context.complain("less confined than it should be: \(reason)")
    }
  }
}
