import CArguments
import NewsCommands
import System

/// The words behind the program's name.
func arguments() -> [String] {
  var words: [String] = []
  var next = carguments()
  while let word = next?.pointee {
    words.append(String(cString: word))
    next = next?.successor()
  }
  return Array(words.dropFirst())
}

Environment.prepareProcess()
let status = NewsCommand.run(arguments: arguments(), environment: .process())
fflush(nil)
// PERF: nothing has to be tidied up; what libraries do at the end of a process takes a twelfth of a list.
_exit(status)
