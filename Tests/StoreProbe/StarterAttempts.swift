import CommandSupport
import NewsCommands
import System

/// The programs that somebody who has taken over a server would have started; the output says which
/// were.
struct StarterAttempts {
  private let own: [String]
  private let environment = Environment.process()

  init(home: String, program: String) {
    own = [program, "--home", home, "--no-defaults", "--no-history"]
  }

  func run() {
    environment.beginReading(Confinement(), false)
    say("a shell before", shell)
    print("a limit: \(environment.limitPrograms(own) ? "taken" : "refused")")
    print("another limit: \(environment.limitPrograms(["/bin/sh"]) ? "taken" : "refused")")
    say("a shell", shell)
    print("a shell that stays: \(environment.launch(shell) == 0 ? "started" : "refused")")
    let url = "http://127.0.0.1:1/"
    let words = [
      ("subscribe", ["subscribe", "--public", "--", url]),
      (
        "titles and tags",
        ["subscribe", "--title", "--filter", "--tag", "a", "--tag", "b", "--public", "--", url],
      ),
      ("import", ["import", "-"]),
      ("a filter", ["subscribe", "--filter", "sh", "--public", "--", url]),
      ("a private network", ["subscribe", "--", url]),
      ("another permission", ["subscribe", "--public", "--allow-private", "--", url]),
      ("a filter behind", ["subscribe", "--title", "a", "--filter", "sh", "--public", "--", url]),
      ("a file", ["subscribe", "--public", "--", "/etc/passwd"]),
      ("two feeds", ["subscribe", "--public", "--", url, url]),
      ("commands", ["import", "--commands", "-"]), ("a refresh", ["refresh"]), ("nothing", []),
    ]
    for (name, words) in words { say(name, own + words) }
    say("another home", [own[0], "--home", "/tmp", "--no-history", "import", "-"])
    say("a variable", own + ["import", "-"], variables: ["LD_PRELOAD": "x"])
    Starter.end()
  }

  private var shell: [String] { ["/bin/sh", "-c", "true"] }

  private func say(_ name: String, _ words: [String], variables: [String: String]? = nil) {
    let answer =
      if let variables {
        POSIX.run(words, variables: variables, until: nil)
      } else {
        environment.runProgram(words, "")
      }
    print("\(name): \(answer == nil ? "refused" : "started")")
    fflush(nil)
  }
}
