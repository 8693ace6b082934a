internal import TestSupport

extension RefreshBenchmark {
  /// sfeed_update into an empty folder, where it is installed.
  func sfeedUpdate(_ urls: [String]) throws -> [Contender] {
    guard try Subprocess.isInstalled("sfeed_update") else { return [] }
    let feeds = urls.enumerated().map { "feed \($0) '\($1)'\n" }.joined()
    let configuration = """
      sfeedpath='\(folder)/sfeed'
      maxjobs=32
      feeds() {
      \(feeds)}

      """
    try writeFile("\(folder)/sfeedrc", configuration.utf8)
    return [
      Contender(name: "sfeed_update, 32 jobs") {
        try Subprocess.expectSuccess(
          [
            "sh", "-c", "rm -rf sfeed && mkdir sfeed && sfeed_update ./sfeedrc > update.log",
          ],
          folder: folder,
        )
      }
    ]
  }
}
