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

  @Test("feeds whose turn does not come are left: told, recorded, and asked first by the next run")
  func left() throws {
    let opened = Monitor(false)
    defer { opened.change { $0 = true } }
    let answer = FaultyAnswer.response(body: Self.feed("story"))
    let slow = FaultyAnswer([.run { opened.wait { $0 } }] + answer.steps)
    let paths = (0..<6).map { "/\($0)" }
    let server = try FaultyServer(
      Dictionary(uniqueKeysWithValues: paths.map { ($0, $0 < "/4" ? slow : answer) })
    )
    try news.folder.write(paths.map { server.url($0) + "\n" }.joined(), to: "urls")
    _ = try news.run("import", "--allow-private", "urls")
    let result = try news.run("fetch", "--deadline", "1")
    #expect(outcome(result) == "failed: 4 of 4 feeds failed, 2 left")
    #expect(result.errorText.split(separator: "\n").count == 4)
    let record = try news.run("log", "--json").text
    #expect(record.contains("\"asked\":4,\"failed\":4,\"left\":2"))
    opened.change { $0 = true }
    #expect(outcome(try news.run("fetch")) == "newData: 6 new in 6 of 6 feeds")
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
    _ = try news.run("subscribe", "--no-check", "one.xml")
    let result = try news.run(
      "fetch",
      "--deadline",
      "0.5",
      environment: ["LD_PRELOAD": library],
    )
    #expect(outcome(result) == "failed: 1 of 1 feeds failed")
    #expect(result.status == 1)
    #expect(result.errorText == "news: not saved by the deadline: the disk is too slow\n")
    #expect(outcome(try news.run("fetch")) == "newData: 1 new in 1 of 1 feeds")
    #expect(try namesInFolder(news.home).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("more stories than can be merged: failed, and told as that")
  func slowMerge() throws {
    // A delivery of many stories is read back from a file while it is merged.
    let source = try news.folder.write(
      """
      #define _GNU_SOURCE
      #include <sys/prctl.h>
      #include <sys/stat.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      // Only in the process that merges: the one that reads reads back its own filter. The file of a
      // delivery has no name.
      ssize_t pread(int fd, void *b, size_t n, off_t o) {
        struct stat s;
        if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) || fstat(fd, &s) || s.st_nlink)
          return syscall(SYS_pread64, fd, b, n, o);
        sleep(600);
        return -1;
      }
      ssize_t pread64(int fd, void *b, size_t n, off_t o) { return pread(fd, b, n, o); }
      """,
      to: "slow.c",
    )
    let library = news.folder.path("slow.so")
    let compiled = try Subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source])
    #expect(compiled.status == 0, "\(compiled.errorText)")
    // Stories of an empty store are not compared, and so not read before they are written.
    let stored = try news.folder.write(
      "<rss version=\"2.0\"><channel><title>T</title><item><title>0</title></item></channel></rss>",
      to: "stored.xml",
    )
    _ = try news.run("subscribe", stored)
    let long = String(repeating: "x", count: 1900)
    // So many stories do not wait in memory: they have to be read from the file to be merged.
    let items = (0..<1_600).map { number in
      """
      <item><title>\(number) \(long)</title><guid isPermaLink="false">\(long)\(number)</guid>\
      <link>https://a.example/\(long)\(long)/\(number)</link></item>
      """
    }
    for feed in 1...6 {
      let stories = items.joined().replacing("a.example", with: "\(feed).example")
      try news.folder.write(
        "<rss version=\"2.0\"><channel><title>T</title>\(stories)</channel></rss>",
        to: "many\(feed).xml",
      )
      _ = try news.run("subscribe", "--no-check", "many\(feed).xml")
    }
    let result = try news.run("fetch", "--deadline", "10", environment: ["LD_PRELOAD": library])
    #expect(outcome(result) == "failed: 7 of 7 feeds failed")
    // The number of feeds that were read in time depends on the machine.
    let told = #/news: not saved by the deadline: \d+ stories of \d feeds (.*)\n/#
    #expect(result.errorText.wholeMatch(of: told)?.1 == "could not be merged in time")
    #expect(try news.run("refresh").status == 0)
  }

  @Test("a store that another program holds: failed, and told as that")
  func heldStore() throws {
    try news.folder.write(Self.feed("one"), to: "one.xml")
    _ = try news.run("subscribe", "--no-check", "one.xml")
    let lock = open(news.folder.path("home/lock"), O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    try news.folder.write("process \(getpid())", to: "home/lock")
    let result = try news.run("fetch", "--deadline", "0.5")
    close(lock)
    #expect(outcome(result) == "failed: 1 of 1 feeds failed")
    #expect(
      result.errorText
        == "news: not saved by the deadline: another program holds the store (process \(getpid()))\n"
    )
    #expect(outcome(try news.run("fetch")) == "newData: 1 new in 1 of 1 feeds")
  }

  private static func feed(_ title: String) -> String {
    "<rss version=\"2.0\"><channel><title>T</title><item><title>\(title)</title></item></channel></rss>"
  }
}
