import CommandLine
import CommandSupport

struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "print the completion script for bash, zsh or fish"
  static let synopsis = "bash|zsh|fish"
  static let examples = [
    HelpExample("source <(news completions bash)", "in ~/.bashrc"),
    HelpExample("source <(news completions zsh)", "in ~/.zshrc, after compinit"),
    HelpExample("news completions fish | source", "in ~/.config/fish/config.fish"),
  ]
  static let notes = [
    "Commands, options, feeds, tags and story numbers are completed. Feeds and the numbers of the last list are looked up when the key is pressed."
  ]

  let context: CommandContext

  func run() throws -> ExitStatus {
    let words = context.arguments.operands
    guard let word = words.first, words.count == 1 else {
      throw usage("no shell given: news completions bash, zsh or fish")
    }
    guard let script = CompletionScript(rawValue: word) else {
      throw usage(
        "\(Spelling.quoted(word)) is not one of bash, zsh and fish: news completions bash"
      )
    }
    context.output.print(script.text)
    return .done
  }
}
