internal import TestSupport

struct GrowthDocuments {
  let news: String
  let folder: String

  var works: [GrowthWork] {
    [
      parsing("RSS") { $0.rss(bytes: $1) },
      parsing("broken RSS") { ParsingBenchmark.breaking($0.rss(bytes: $1)) },
      parsing("Atom") { $0.atom(bytes: $1) },
      parsing("JSON Feed") { $0.jsonFeed(bytes: $1) },
    ]
  }

  private func parsing(
    _ format: String,
    _ document: @escaping (inout Workload, Int) -> [UInt8],
  ) -> GrowthWork {
    GrowthWork(name: "parse \(format), bytes", largest: 16_000_000) { size in
      var workload = Workload(seed: 1)
      let path = "\(folder)/growth-\(size) \(format)"
      try writeFile(path, document(&workload, size))
      return PreparedWork(words: [news, "parse", path])
    }
  }
}
