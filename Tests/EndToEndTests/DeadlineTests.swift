import TestSupport
import Testing

@Suite("The deadline holds whatever stands in the way, with the built program")
struct DeadlineTests {
  private let news: News

  init() throws {
    news = try News()
  }

  @Test(
    "a server that says nothing and one that drips: what arrived is stored, the rest has failed"
  )
  func slowServers() throws {
    let server = try FaultyServer([
      "/whole": .response(body: Self.feed("whole")),
      "/silent": FaultyAnswer([.hang]),
      "/drip": .head(then: [.drip(Array(" ".utf8), every: .milliseconds(100))]),
    ])
    let urls = ["/silent", "/drip", "/whole"].map { server.url($0) }.joined(separator: "\n")
    try news.folder.write(urls + "\n", to: "urls")
    _ = try news.run("import", "--allow-private", "urls")
    let result = try news.run("fetch", "--deadline", "1")
    #expect(outcome(result) == "newData: 1 new in 1 of 3 feeds, 2 failed")
    #expect(try news.titles() == ["whole"])
    let lines = result.errorText.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasSuffix(": not finished before the deadline") })
  }

  @Test("a disk that does not answer: failed, and nothing is half-written")
  func slowDisk() throws {
    let source = try news.folder.write(
      "#include <unistd.h>\nint fsync(int fd) { (void)fd; sleep(600); return 0; }\n",
      to: "slow.c",
    )
    let library = news.folder.path("slow.so")
    let compiled = try Subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source])
    #expect(compiled.status == 0, "\(compiled.errorText)")
    try news.folder.write(Self.feed("one"), to: "one.xml")
    _ = try news.run("subscribe", "one.xml")
    let result = try news.run(
      "fetch",
      "--deadline",
      "0.5",
      environment: ["LD_PRELOAD": library],
    )
    #expect(outcome(result) == "failed: 1 of 1 feeds failed")
    #expect(result.status == 1)
    #expect(result.errorText.contains("not saved by the deadline"))
    #expect(outcome(try news.run("fetch")) == "newData: 1 new in 1 of 1 feeds")
    #expect(try namesInFolder(news.home).allSatisfy { !$0.hasPrefix(".") })
  }

  private static func feed(_ title: String) -> String {
    "<rss version=\"2.0\"><channel><title>T</title><item><title>\(title)</title></item></channel></rss>"
  }
}
