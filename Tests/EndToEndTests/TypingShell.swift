import TestSupport

/// A shell on a terminal of its own, into which a test types, with the completions loaded.
struct TypingShell {
  let news: News

  static let all = ["bash", "zsh", "fish"]

  /// Types lines into `shell`, each a command line of `show`, which is completed as `news` is.
  ///
  /// Each is typed when the shell has asked for it: bash can lose what is typed while it starts.
  ///
  /// - Returns: for each line the words that the shell made of it.
  func words(_ shell: String, _ lines: [String]) throws -> [[String]] {
    try? writeFile(wordsPath, [])
    let setup = try news.folder.write(Self.setup[shell] ?? "", to: ".zshrc")
    let start = (Self.start[shell] ?? []).map { $0.replacing("SETUP", with: setup) }
    let terminal = try PseudoTerminal(start, environment: environment)
    for (number, line) in lines.enumerated() {
      try terminal.wait(for: "ready \(number + 1)> ")
      terminal.type("show \(line)\n")
    }
    try terminal.wait(for: "ready \(lines.count + 1)> ")
    terminal.type(Self.end)
    _ = terminal.end()
    return try readText(wordsPath).split(separator: "\u{1}\0").map { line in
      line.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  func run(_ shell: String, _ commands: String) throws -> Subprocess.Result {
    let start =
      shell == "bash" ? ["bash", "--norc", "-c"] : [shell, shell == "zsh" ? "-f" : "-N", "-c"]
    return try Subprocess.run(start + [commands], environment: environment)
  }

  private var wordsPath: String { news.folder.path("words") }

  private var environment: [String: String?] {
    let folder = news.program.split(separator: "/").dropLast().joined(separator: "/")
    return [
      "NEWS_HOME": news.home, "HOME": news.folder.path, "XDG_CONFIG_HOME": nil,
      "ZDOTDIR": news.folder.path,
      "XDG_DATA_HOME": nil, "PATH": "/\(folder):/usr/bin:/bin", "TERM": "dumb",
      "LC_ALL": "C.UTF-8", "BASH_ENV": nil, "ENV": nil, "INPUTRC": "/dev/null",
      "WORDS": wordsPath,
    ]
  }

  private static let start = [
    "bash": ["bash", "--rcfile", "SETUP", "-i"], "zsh": ["zsh", "-d", "-i"],
    "fish": ["fish", "-N", "-i", "-C", "source SETUP"],
  ]

  /// Counts the prompts, also those in the middle of a quotation.
  private static let prompts = #"PS1='ready $((++prompts))> ' PS2=$PS1"#

  private static let setup = [
    "bash": #"""
    show() { printf '%s\0' "$@" $'\1' >> "$WORDS"; }
    source <(news completions bash)
    complete -o nosort -F _news show
    \#(prompts)
    """#,
    "zsh": #"""
    show() { printf '%s\0' "$@" $'\1' >> "$WORDS" }
    autoload -Uz compinit
    compinit -u -D
    source <(news completions zsh)
    compdef _news show
    setopt promptsubst
    \#(prompts)
    """#,
    "fish": #"""
    function show; printf '%s\0' $argv \x01 >> "$WORDS"; end
    news completions fish | source
    complete -c show -k -f -a '(__news_complete)'
    set -g prompts 0
    function count_prompt --on-event fish_prompt; set -g prompts (math "$prompts + 1"); end
    function fish_prompt; echo -n "ready $prompts> "; end
    """#,
  ]

  /// Ends a shell, even one that waits for the end of a quotation it should not have begun.
  private static let end = "exit\n'\nexit\n\"\nexit\n`\nexit\n)\nexit\n\u{4}\u{4}\u{4}"
}
