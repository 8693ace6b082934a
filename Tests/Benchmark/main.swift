internal import TestSupport

// swift run -c release NewsBenchmark [--only WORD] [--rounds N] [--megabytes N] [--json]
//   [--compare OLD.json] [--growth [--counts]] [--readers] [--year]
if CommandLine.arguments.dropFirst().first == FixedWork.argument {
  try FixedWork.run(Array(CommandLine.arguments.dropFirst(2)))
  exit(0)
}
if CommandLine.arguments.dropFirst().first == FixedWork.measuringArgument {
  try FixedWork.measure(Array(CommandLine.arguments.dropFirst(2)))
  exit(0)
}
if CommandLine.arguments.dropFirst().first == FixedWork.commandArgument {
  exit(FixedWork.status(of: Array(CommandLine.arguments.dropFirst(2))))
}
if CommandLine.arguments.dropFirst().first == FixedWork.aloneArgument {
  exit(FixedWork.status(of: Array(CommandLine.arguments.dropFirst(2)), isAlone: true))
}
if CommandLine.arguments.dropFirst().first == PeakMemory.argument {
  try PeakMemory.print(Array(CommandLine.arguments.dropFirst(2)))
  exit(0)
}
if CommandLine.arguments.contains("--readers") {
  for row in ReaderSimulation().table() { print(row) }
  exit(0)
}
if CommandLine.arguments.contains("--year") {
  let folder = try TemporaryFolder()
  for row in try YearSimulation(folder: folder.path).table() { print(row) }
  exit(0)
}
let options = BenchmarkOptions(CommandLine.arguments)
let folder = try TemporaryFolder()
let benchmark = Benchmark(options: options, folder: folder.path)
do {
  guard try benchmark.run() else { exit(1) }
} catch {
  Files.complain("NewsBenchmark: \(error)")
  exit(1)
}
