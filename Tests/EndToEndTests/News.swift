import TestSupport
import Testing

/// The built program with a home of its own.
struct News {
  let folder: TemporaryFolder
  let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = try BuiltProduct.path("news")
  }

  var home: String { folder.path("home") }
  var dataPath: String { folder.path("home/newsdata.plist") }

  func run(
    _ arguments: String...,
    environment: [String: String?] = [:],
    folder: String? = nil,
    input: String = "",
    output: Int32? = nil,
  ) throws -> Subprocess.Result {
    try Subprocess.run(
      [program] + arguments,
      environment: settings.merging(environment) { $1 },
      folder: folder ?? self.folder.path,
      input: input,
      output: output,
    )
  }

  /// Undoes the latest change, whoever made it.
  func undoLatest() throws -> Subprocess.Result {
    let list = try run("undo", "--list").text.split(separator: "\n")
    let latest = list.first { !$0.contains("\tundone") }
    return try run("undo", String((latest ?? "").prefix { $0 != "\t" }))
  }

  func run(
    _ arguments: [String],
    environment: [String: String?] = [:],
  ) throws -> Subprocess.Result {
    try Subprocess.run(
      [program] + arguments,
      environment: settings.merging(environment) { $1 },
      folder: folder.path,
    )
  }

  func start(_ arguments: String..., environment: [String: String?] = [:]) throws -> Subprocess {
    try Subprocess([program] + arguments, environment: settings.merging(environment) { $1 })
  }

  func start(_ arguments: [String], environment: [String: String?] = [:]) throws -> Subprocess {
    try Subprocess([program] + arguments, environment: settings.merging(environment) { $1 })
  }

  func terminal(
    _ arguments: [String],
    columns: Int = 80,
    rows: Int = 24,
    environment: [String: String?] = [:],
  ) throws -> PseudoTerminal {
    let terminal: [String: String?] = ["TERM": "xterm-256color"]
    return try PseudoTerminal(
      [program] + arguments,
      columns: columns,
      rows: rows,
      environment: settings.merging(terminal) { $1 }.merging(environment) { $1 },
    )
  }

  /// The environment, in which nothing of the machine's own settings is left.
  var settings: [String: String?] {
    [
      "NEWS_HOME": home, "HOME": folder.path, "TZ": "UTC", "XDG_DATA_HOME": nil, "TERM": "dumb",
      "XDG_DOWNLOAD_DIR": nil, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil, "NEWS_DEFAULTS": nil,
      "http_proxy": nil, "https_proxy": nil, "all_proxy": nil, "HTTP_PROXY": nil,
      "HTTPS_PROXY": nil, "ALL_PROXY": nil, "no_proxy": "*", "NO_COLOR": nil, "PAGER": nil,
      "NEWS_PAGER": nil, "LESS": nil, "LESSOPEN": nil, "COLUMNS": nil, "LINES": nil,
      "CLICOLOR": nil, "CLICOLOR_FORCE": nil, "FORCE_HYPERLINK": nil, "NEWS_NO_IMAGES": "1",
    ]
  }

  /// Writes a program by another process, and returns its path.
  ///
  /// One that this process has open for writing could not be started while a third one, which is
  /// just being started, has the descriptor.
  @discardableResult
  func writeProgram(_ name: String, _ text: String) throws -> String {
    let draft = try folder.write(text, to: "draft of a program")
    let words = ["install", "-m", "755", draft, folder.path(name)]
    #expect(try Subprocess.run(words).status == 0)
    return folder.path(name)
  }

  func titles() throws -> [String] {
    try run("list").text.split(separator: "\n").map { line in
      String(line.split(separator: "\t", omittingEmptySubsequences: false)[1])
    }
  }
}

func outcome(_ result: Subprocess.Result) -> String {
  let line = result.text.split(separator: "\n", omittingEmptySubsequences: false)
  guard line.count == 2, line[1].isEmpty, let comma = line[0].lastIndex(of: ","),
    line[0].hasSuffix(" s")
  else { return "not one line with a duration: \(result.text)\(result.errorText)" }
  return String(line[0][..<comma])
}
