import CommandLine
import CommandSupport
import FeedModel

extension RequestHeaders {
  static let options = [
    CommandOption(
      "header",
      value: "LINE",
      isRepeatable: true,
      help: "send 'NAME: VALUE', or the lines of @FILE",
    ),
    CommandOption(
      "header-command",
      value: CommandOption.command,
      help: "send the headers that COMMAND prints; '' for none",
    ),
  ]

  private static let maximumFileBytes = 64 << 10

  static func files(_ context: CommandContext) -> [String] {
    context.arguments.values("header").filter { $0.hasPrefix("@") }.map { path($0, context) }
  }

  private static func path(_ word: String, _ context: CommandContext) -> String {
    LocalPath.absolute(String(word.dropFirst()), in: context.environment.currentFolder()) ?? ""
  }

  /// Returns the headers as the options change them; `''` removes all, `NAME:` one.
  func changed(_ context: CommandContext) throws -> RequestHeaders {
    var headers = self
    if let command = context.arguments.value("header-command") {
      headers.command = command.isEmpty ? nil : command
    }
    for word in context.arguments.values("header") {
      if word.isEmpty {
        headers.fields = []
      } else if word.hasPrefix("@") {
        for line in try Self.lines(Self.path(word, context)) { try headers.take(line, context) }
      } else {
        try headers.take(word[...], context)
      }
    }
    guard headers.fields.count <= RequestHeader.most else {
      throw Failure("--header: at most \(RequestHeader.most) for one feed")
    }
    return headers
  }

  /// Does not show a wrong line, which may be a secret all the same.
  private mutating func take(_ line: Substring, _ context: CommandContext) throws {
    let name = line.prefix { $0 != ":" }
    if line.dropFirst(name.count).allSatisfy({ $0 == ":" || $0.isWhitespace }), name != line {
      fields.removeAll { $0.name.lowercased() == name.lowercased() }
    } else if let field = RequestHeader(line) {
      set(field)
    } else {
      throw context.usage(
        "--header: not 'NAME: VALUE' in printable ASCII, or one that news sets itself "
          + "(User-Agent: --user-agent)"
      )
    }
  }

  /// Refuses a file that others can read.
  private static func lines(_ path: String) throws -> [Substring] {
    let name = SafeText.line(path)
    if let status = FileStatus(at: path), status.mode & 0o077 != 0 {
      throw Failure("--header: \(name): others can read it (chmod 600)")
    }
    do {
      let bytes = try POSIX.readFile(path, maximumBytes: maximumFileBytes)
      return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    } catch {
      throw Failure("--header: \(name): \(error)")
    }
  }
}
