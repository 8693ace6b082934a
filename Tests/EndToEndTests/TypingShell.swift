import TestSupport

/// A shell on a terminal of its own, into which a test types, with the completions loaded.
struct TypingShell {
  let news: News

  /// The names of the shells that can be typed into.
  static let all = ["bash", "zsh", "fish"]

  /// Types lines into `shell`, each a command line of `show`, which is completed as `news` is.
  ///
  /// - Returns: for each line the words that the shell made of it.
  func words(_ shell: String, _ lines: [String]) throws -> [[String]] {
    try? writeFile(wordsPath, [])
    let script = try news.folder.write(Self.driver, to: "driver.zsh")
    let typed = lines.map { "show \($0)\n" }.joined()
    let result = try Subprocess.run(
      ["zsh", "-f", script, Self.start[shell] ?? shell, Self.setup[shell] ?? "", typed],
      environment: environment,
    )
    guard result.status == 0 else { return [["status \(result.status)", result.errorText]] }
    return try readText(wordsPath).split(separator: "\u{1}\0").map { line in
      line.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// Runs commands of a shell without a terminal.
  func run(_ shell: String, _ commands: String) throws -> Subprocess.Result {
    let start =
      shell == "bash" ? ["bash", "--norc", "-c"] : [shell, shell == "zsh" ? "-f" : "-N", "-c"]
    return try Subprocess.run(start + [commands], environment: environment)
  }

  private var wordsPath: String { news.folder.path("words") }

  private var environment: [String: String?] {
    let folder = news.program.split(separator: "/").dropLast().joined(separator: "/")
    return [
      "NEWS_HOME": news.home, "HOME": news.folder.path, "XDG_CONFIG_HOME": nil, "ZDOTDIR": nil,
      "XDG_DATA_HOME": nil, "PATH": "/\(folder):/usr/bin:/bin", "TERM": "dumb",
      "LC_ALL": "C.UTF-8", "BASH_ENV": nil, "ENV": nil, "INPUTRC": "/dev/null",
      "WORDS": wordsPath,
    ]
  }

  private static let start = [
    "bash": "bash --norc -i", "zsh": "zsh -f -i", "fish": "fish -N -i",
  ]

  private static let setup = [
    "bash": #"show() { printf '%s\0' "$@" $'\1' >> "$WORDS"; }; "#
      + "source <(news completions bash); complete -o nosort -F _news show",
    "zsh": #"show() { printf '%s\0' "$@" $'\1' >> "$WORDS" }; autoload -Uz compinit; "#
      + "compinit -u -D; source <(news completions zsh); compdef _news show",
    "fish": #"function show; printf '%s\0' $argv \x01 >> "$WORDS"; end; "#
      + "news completions fish | source; complete -c show -k -f -a '(__news_complete)'",
  ]

  /// Types on a terminal and reads it until the shell has gone.
  private static let driver = #"""
    zmodload zsh/zpty
    zpty typing $1
    zpty -w typing $2
    zpty -w -n typing $3
    # Ends a shell, too, that waits for the end of a quotation which it should not have begun.
    zpty -w -n typing $'exit\n\'\nexit\n"\nexit\n`\nexit\n)\nexit\n\x04\x04\x04'
    while zpty -r typing line; do :; done
    zpty -d typing
    """#
}
