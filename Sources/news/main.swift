import NewsCommands

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

Environment.prepareProcess()
let status = NewsCommand.run(
  arguments: Array(CommandLine.arguments.dropFirst()),
  environment: .process(),
)
fflush(nil)
// PERF: nothing has to be tidied up; what libraries do at the end of a process takes a twelfth of a list.
_exit(status)
