internal import TestSupport

// swift run -c release NewsBenchmark [--only WORD] [--rounds N] [--megabytes N] [--json] [--compare OLD.json]
let options = BenchmarkOptions(CommandLine.arguments)
let folder = try TemporaryFolder()
let benchmark = Benchmark(options: options, folder: folder.path)
try benchmark.run()
