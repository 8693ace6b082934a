import CommandLine
import CommandSupport
import FeedModel

extension FeedRoute {
  static let options = [
    CommandOption(
      "proxy",
      value: "URL",
      help: "ask by this proxy, or by 'none'; '' for the usual one",
    ),
    CommandOption("ca", value: "FILE", help: "trust the certificates (PEM) of FILE"),
    CommandOption("certificate", value: "FILE", help: "show its server your certificate (PEM)"),
    CommandOption("key", value: "FILE", help: "the key of that certificate, if in another file"),
  ]

  /// Returns the route as the options change it; `''` takes one away.
  func changed(_ context: CommandContext) throws -> FeedRoute {
    var route = self
    if let word = context.arguments.value("proxy") {
      guard word.isEmpty || Self.takesProxy(word) else {
        throw context.usage(
          "--proxy: \(Spelling.quoted(WebURL.redacted(word: word))) is not 'none' or a URL such as "
            + "http://proxy.example:3128 or socks5h://127.0.0.1:9050"
        )
      }
      route.proxy = word.isEmpty ? nil : word
    }
    try Self.change(&route.authorities, by: "ca", "BEGIN CERTIFICATE", context)
    try Self.change(&route.certificate, by: "certificate", "BEGIN CERTIFICATE", context)
    try Self.change(&route.key, by: "key", "PRIVATE KEY", context)
    if route.certificate == nil {
      guard context.arguments.value("key")?.isEmpty ?? true else {
        throw context.usage("--key needs --certificate")
      }
      route.key = nil
    }
    return route
  }

  private static func change(
    _ path: inout String?,
    by option: String,
    _ mark: String,
    _ context: CommandContext,
  ) throws {
    guard let word = context.arguments.value(option) else { return }
    guard !word.isEmpty else {
      path = nil
      return
    }
    let place = LocalPath.absolute(word, in: context.environment.currentFolder()) ?? word
    let name = SafeText.line(place)
    let text: String
    do throws(FileReadingError) {
      text = String(decoding: try POSIX.readFile(place, maximumBytes: 4 << 20), as: UTF8.self)
    } catch {
      throw Failure("--\(option): \(name): \(error)")
    }
    guard text.contains(mark) else {
      throw Failure("--\(option): \(name): there is no '\(mark)' in it (PEM)")
    }
    if text.contains("PRIVATE KEY"), let status = FileStatus(at: place), status.mode & 0o077 != 0 {
      throw Failure("--\(option): \(name): others can read the key (chmod 600)")
    }
    path = place
  }
}
