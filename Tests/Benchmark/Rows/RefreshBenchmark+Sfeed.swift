internal import TestSupport

extension RefreshBenchmark {
  func writeSfeedConfiguration(_ urls: [String]) throws {
    let feeds = urls.enumerated().map { "feed \($0) '\($1)'\n" }.joined()
    let configuration = """
      sfeedpath='\(folder)/sfeed'
      maxjobs=32
      feeds() {
      \(feeds)}

      """
    try writeFile("\(folder)/sfeedrc", configuration.utf8)
  }

  func sfeedUpdate(_ preparation: String) throws -> [Contender] {
    guard try Subprocess.isInstalled("sfeed_update") else { return [] }
    return [
      Contender(
        name: "sfeed_update, 32 jobs",
        process: ["sh", "-c", preparation + "sfeed_update ./sfeedrc > update.log"],
        folder: folder,
      )
    ]
  }
}
