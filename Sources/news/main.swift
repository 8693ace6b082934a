import NewsCommands

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

Environment.prepareProcess()
exit(
  NewsCommand.run(
    arguments: Array(CommandLine.arguments.dropFirst()),
    environment: .process(),
  )
)
