import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("A run of many feeds that is killed", .serialized)
struct KilledRunTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let probe: String

  init() throws {
    folder = try TemporaryFolder()
    store = LibraryStore(home: folder.path("home"))
    probe = try BuiltProduct.path("StoreProbe")
  }

  private func subscribe(_ urls: [String]) throws {
    try store.update { (_) in
      (LibraryChange(subscriptions: urls.map { Subscription(url: $0) }), ())
    }
  }

  private func refresh(_ fault: FaultShim.Fault? = nil) throws -> Subprocess.Result {
    try Subprocess.run(
      [probe, "refresh", store.home, "0"],
      environment: FaultShim.environment(of: store.home, fault: fault)
        .merging(["no_proxy": "*"]) { $1 },
    )
  }

  private func titles() throws -> [String] {
    let items = try store.read().items
    #expect(try store.titlesWithTexts().filter { $0.contains("missing") } == [])
    return try (0..<items.count).map { try items.item(at: $0).item.title }
  }

  private static func feed(_ titles: [String]) -> String {
    let items = titles.map {
      "<item><title>\($0)</title><guid>\($0)</guid><description>&lt;p&gt;\($0)</description></item>"
    }
    .joined()
    return "<rss version=\"2.0\"><channel><title>T</title>\(items)</channel></rss>"
  }

  @Test("keeps what had arrived while it waited for a slow feed")
  func slowFeed() throws {
    let isSlow = Monitor(true)
    let server = try FaultyServer { request in
      if request.path == "/slow", isSlow.change({ $0 }) { return FaultyAnswer([.hang]) }
      return .response(body: Self.feed([request.path]))
    }
    try subscribe(["/a", "/slow", "/b"].map { server.url($0) })
    let run = try Subprocess([probe, "refresh", store.home, "1"], environment: ["no_proxy": "*"])
    try waitUntil { try titles().count == 2 }
    run.send(9)
    #expect(try run.wait().status == 137)
    #expect(try titles().sorted() == ["/a", "/b"])
    isSlow.change { $0 = false }
    #expect(try refresh().text == "newData 1\n")
    #expect(try titles().sorted() == ["/a", "/b", "/slow"])
    #expect(try refresh().text == "noData 0\n")
  }

  @Test(
    "at any of its file operations loses nothing, doubles nothing"
  )
  func anywhere() throws {
    let round = Monitor(0)
    let server = try FaultyServer { request in
      let stories = (0...round.change { $0 }).map { "\(request.path)-\($0)" }
      return .response(body: Self.feed(stories.reversed()))
    }
    let paths = (0..<12).map { "/\($0)" }
    try subscribe(paths.map { server.url($0) })
    var killed = 0
    for number in 1...60 * ProofScale.factor {
      round.change { $0 = number }
      var chance = Chance(seed: UInt64(number))
      let before = try Set(titles())
      let fault = FaultShim.Fault(operation: 1 + chance.below(600), kind: "kill")
      let run = try refresh(fault)
      killed += run.status == 137 ? 1 : 0
      #expect(run.status == 137 || run.status == 0)
      #expect(try Set(titles()).isSuperset(of: before))
      // Only after every second death the home is used before the next one.
      guard number.isMultiple(of: 2) else { continue }
      let next = try refresh()
      let all = paths.flatMap { path in (0...number).map { "\(path)-\($0)" } }
      #expect(try titles().sorted() == all.sorted(), "\(fault): \(next.text)")
      #expect(try refresh().text == "noData 0\n")
      let names = try namesInFolder(store.home).filter { $0.hasPrefix(".") }
      #expect(names == [])
    }
    print("killed runs: \(killed)")
    #expect(killed > 20)
    round.change { $0 += 1 }
    #expect(try refresh().text == "newData 12\n")
    #expect(try refresh().text == "noData 0\n")
  }
}
