import CArguments
import CVersion
import CommandSupport
import NewsCommands

func arguments() -> [String] {
  var words: [String] = []
  var next = carguments()
  while let word = next?.pointee {
    words.append(String(cString: word))
    next = next?.successor()
  }
  return Array(words.dropFirst())
}

func environment() -> Environment {
  var environment = Environment.process()
  let commit = String(cString: cversion_commit())
  environment.commit = commit.isEmpty ? nil : commit
  return environment
}

Environment.prepareProcess()
let status = NewsCommand.run(arguments: arguments(), environment: environment())
fflush(nil)
Starter.end()
// PERF: nothing has to be tidied up; the libraries' work at the end of a process takes a twelfth of
// a list.
_exit(status)
