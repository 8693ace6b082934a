internal import FeedStorage

/// The merge of a delivery into a store, beside reading each stored story once.
struct MergeBenchmark {
  let stories: Int
  let feeds: Int
  let folder: String

  func contest() throws -> Contest {
    let workload = try MergeWorkload(stories: stories, feeds: feeds, folder: folder)
    return Contest(
      name: "merge \(stories) stories of \(feeds) feeds into as many",
      contenders: [
        Contender(name: "reading as many") {
          let table = try workload.store.read().items
          for index in 0..<table.count { _ = try table.item(at: index) }
        },
        Contender(name: "news") { _ = try workload.merge() },
      ],
    )
  }
}
