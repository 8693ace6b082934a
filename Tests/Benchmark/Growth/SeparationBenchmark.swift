internal import System
internal import TestSupport

/// The cost of a separate process that reads: a refresh with it and without.
struct SeparationBenchmark {
  let folder: String

  func contests() throws -> [Contest] { try [1, 200].map(contest) }

  private func contest(feeds: Int) throws -> Contest {
    let home = "\(folder)/separation-\(feeds)"
    let documents = "\(home)-feeds"
    try Subprocess.expectSuccess(["mkdir", documents])
    let urls = try GrowthFeeds.files(feeds, folder: documents)
    try writeFile("\(documents)/urls", urls.joined(separator: "\n").utf8)
    let benchmark = try BuiltProduct.path("NewsBenchmark")
    let news = [benchmark, FixedWork.commandArgument, "--home", home]
    try Subprocess.expectSuccess(news + ["import", "--files", "\(documents)/urls"])
    func refresh(_ argument: String) -> [String] {
      let line = "\"$0\" \"$1\" --home \"$3\" clear --yes && \"$0\" \"$2\" --home \"$3\" refresh"
      return ["sh", "-c", line, benchmark, FixedWork.commandArgument, argument, home]
    }
    return Contest(
      name: "clear, and read \(Count.of(feeds, "feed")) of 8 KB",
      contenders: [
        Contender(name: "one process", process: refresh(FixedWork.aloneArgument)),
        Contender(
          name: "a process that reads",
          process: refresh(FixedWork.commandArgument),
          budgets: [.secondsMore(0.006)],
        ),
      ],
    )
  }
}
