internal import FeedModel
internal import FeedStorage
internal import TestSupport

/// `news list` as a process of its own, for stores of several sizes.
struct ListBenchmark {
  let folder: String

  func contests() throws -> [Contest] {
    let news = try BuiltProduct.path("news")
    var contenders = [
      Contender(name: "a process that does nothing") { _ = try Subprocess.run(["true"]) },
      Contender(name: "news --version") { _ = try Subprocess.run([news, "--version"]) },
    ]
    for count in [1_000, 100_000, 1_000_000] {
      let home = "\(folder)/list-\(count)"
      try LibraryStore(home: home).update { (_) throws(StorageError) in
        (LibraryChange(items: StoryWorkload.stories(count).map { .insert($0) }), ())
      }
      contenders.append(
        Contender(name: "news list -n 20, \(count) stories") {
          _ = try Subprocess.run([news, "--home", home, "list", "-n", "20"])
        }
      )
    }
    return [Contest(name: "start-up and list", budget: nil, contenders: contenders)]
  }
}
