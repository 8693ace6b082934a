internal import TestSupport

/// The parsing of one document by a process, beside other programs, where they are installed.
struct ProcessParsingBenchmark {
  let bytes: Int
  let folder: String

  func contest() throws -> Contest {
    var workload = Workload(seed: 1)
    let path = "\(folder)/process-\(bytes).xml"
    try writeFile(path, workload.rss(bytes: bytes))
    let news = try BuiltProduct.path("news")
    let least = try BuiltProduct.path("ParsingFloor")
    let floor = Contender(
      name: "libxml2 in C",
      process: ["sh", "-c", "\"$0\" \"$1\" > /dev/null", least, path],
    )
    let own = Contender(
      name: "news parse",
      process: ["sh", "-c", "\"$0\" parse --max-size 200 \"$1\" > /dev/null", news, path],
      budgets: [.ratio(bytes > 1_000_000 ? 1.0 : 1.5, to: "sfeed")],
    )
    return Contest(
      name: "a process that parses \(bytes / 1_000_000) MB of RSS",
      contenders: try [floor, own] + sfeed(path)
        + ["fastfeedparser", "feedparser"].flatMap {
          try python($0, path)
        },
    )
  }

  private func sfeed(_ path: String) throws -> [Contender] {
    guard try Subprocess.isInstalled("sfeed") else { return [] }
    return [
      Contender(name: "sfeed", process: ["sh", "-c", "sfeed < \"$0\" > /dev/null", path])
    ]
  }

  /// Runs a module of Python's in the first interpreter that has it.
  private func python(_ module: String, _ path: String) throws -> [Contender] {
    let interpreter = try ["python3", "/usr/bin/python3"].first { interpreter in
      try Subprocess.isInstalled(interpreter)
        && Subprocess.run([interpreter, "-c", "import \(module)"]).status == 0
    }
    guard let interpreter else { return [] }
    let script = "import sys, \(module); \(module).parse(open(sys.argv[1], 'rb').read())"
    return [
      Contender(name: "Python's \(module)", process: [interpreter, "-c", script, path])
    ]
  }
}
