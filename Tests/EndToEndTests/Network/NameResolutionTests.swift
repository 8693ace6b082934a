import TestSupport
import Testing

@Suite(
  "A faulty resolver costs the feeds that need it, and is named",
  .enabled(if: NetworkNamespace.isAllowed, "a network of the test's own needs root"),
)
struct NameResolutionTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var answer: NameAnswer
    var words: [String]

    init(_ name: String, _ answer: NameAnswer, _ words: String...) {
      self.name = name
      self.answer = answer
      self.words = words
    }

    var testDescription: String { name }
  }

  static let unknown = "there is no address for the host bad.example"
  static let unresolved = "the address of the host bad.example could not be looked up"
  static let nowhere = "there is no way to bad.example from this network"
  static let late = "timed out after 10 s while connecting to bad.example"

  static let faults = [
    Fault("no such name", .code(3), unknown),
    Fault("a name without addresses", .addresses([]), unknown),
    Fault("failure", .code(2), unresolved),
    Fault("refusal", .code(5), unresolved),
    Fault("an answer to be continued by TCP, where nobody is", .truncated, unresolved),
    Fault("silence", .silence, unresolved),
    Fault("an answer to another question", .stray, unresolved),
    Fault("noise", .noise, unresolved),
    // The name server has answered, without an address in the answer.
    Fault("an answer cut in the middle", .cut, unknown),
    Fault("a name that stands for itself", .circle, unknown),
    Fault(
      "addresses where nobody listens",
      .addresses(["::1", "127.0.0.2", "127.0.0.3"]),
      "connection refused by bad.example",
    ),
    Fault("an address nowhere", .addresses(["192.0.2.1"]), nowhere),
    // Some versions of libcurl take their time from one address to the next.
    Fault("two dozen nowhere", .addresses((1...24).map { "192.0.2.\($0)" }), nowhere, late),
  ]

  @Test(
    "each fault has its words, in one line, and leaves the other feed unharmed",
    arguments: faults,
  )
  func named(_ fault: Fault) throws {
    let run = try Self.fetch(["bad", "good"], deadline: 20) { $0 == "bad" ? fault.answer : .here }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 2 feeds, 1 failed")
    #expect(run.titles == ["good"])
    let lines = run.result.errorText.split(separator: "\n")
    #expect(lines.count == 1)
    let isNamed = fault.words.contains { words in
      lines.first?.contains("/bad: \(words); next try after ") == true
    }
    #expect(isNamed, "\(lines)")
  }

  @Test("a resolver that says nothing keeps no run past its deadline")
  func silence() throws {
    // libcurl's own patience, and the resolver's, is longer than the deadline.
    let run = try Self.fetch(["bad", "worse", "good"], deadline: 2, patience: 30) {
      $0 == "good" ? .here : .silence
    }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 3 feeds, 2 failed")
    #expect(run.titles == ["good"])
    let lines = run.result.errorText.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(": not finished before the deadline") })
    let seconds = run.result.text.split(separator: " ").dropLast().last.flatMap { Double($0) }
    #expect(try #require(seconds) <= 2.5)
  }

  @Test("one that fails and then says nothing keeps no run past its deadline, and has failed")
  func silenceAfterFailure() throws {
    // The first lookup asks for both families; the second finds no name server.
    let questions = Monitor(0)
    let run = try Self.fetch(["bad", "good"], deadline: 2, patience: 30) { name in
      if name == "good" { return .here }
      let number = questions.change { count in
        count += 1
        return count
      }
      return number <= 2 ? .code(2) : .silence
    }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 2 feeds, 1 failed")
    #expect(run.result.errorText.contains("/bad: \(Self.unresolved); next try after "))
    #expect(questions.change { $0 } > 2)
  }

  @Test(
    "a live address is found beside dead ones",
    arguments: [["::1"], ["127.0.0.2"], ["192.0.2.1", "::1"]],
  )
  func deadBesideAlive(_ dead: [String]) throws {
    let run = try Self.fetch(["good"], deadline: 20) { _ in .addresses(dead + ["127.0.0.1"]) }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 1 feeds")
    #expect(run.result.errorText.isEmpty)
  }

  @Test("an IPv6 address that nobody answers at does not hide the IPv4 address beside it")
  func silentBesideAlive() throws {
    let run = try Self.fetch(["good"], deadline: 20, isSilentByIPv6: true) { _ in
      .addresses(["::1", "127.0.0.1"])
    }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 1 feeds")
    #expect(run.result.errorText.isEmpty)
  }

  @Test("names that a resolver denies are their feeds' fault, even when there are no others")
  func denied() throws {
    let run = try Self.fetch(["bad", "worse"], deadline: 20) { _ in .code(3) }
    let lines = run.result.errorText.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(": there is no address for the host ") })
    #expect(run.feeds.split(separator: "\n").allSatisfy { $0.contains("failed") }, "\(run.feeds)")
  }

  @Test("a resolver that fails for every name is one line, and no feed's fault")
  func offline() throws {
    let run = try Self.fetch(["bad", "worse"], deadline: 20) { _ in .code(2) }
    let line =
      "news: this machine seems to be offline: none of 2 feeds was reached (the address of "
    #expect(run.result.errorText.hasPrefix(line))
    #expect(run.result.errorText.split(separator: "\n").count == 1)
    #expect(run.feeds.split(separator: "\n").allSatisfy { !$0.contains("failed") }, "\(run.feeds)")
  }
}

extension NameAnswer {
  fileprivate static let here = NameAnswer.addresses(["127.0.0.1"])
}

extension NameResolutionTests {
  struct Run: Sendable {
    var result: Subprocess.Result
    var titles: [String]
    var feeds: String
  }

  /// Fetches a feed of each of some hosts below `example`, all of them on one server.
  ///
  /// - Parameters:
  ///   - hosts: the first labels of their names.
  ///   - deadline: seconds that the fetch may take.
  ///   - patience: seconds for which the system's resolver waits for an answer.
  ///   - isSilentByIPv6: true if a server at `::1` has the same port, and does not answer.
  ///   - answer: returns the name server's answer for a first label.
  /// - Returns: the outcome, the stored titles and the output of `news feeds`.
  /// - Throws: when something that is needed cannot be started.
  private static func fetch(
    _ hosts: [String],
    deadline: Int,
    patience: Int = 1,
    isSilentByIPv6: Bool = false,
    _ answer: @escaping @Sendable (String) -> NameAnswer,
  ) throws -> Run {
    try NetworkNamespace.run(files: files(patience: patience)) {
      let names = try FaultyNameServer { answer(String($0.prefix { $0 != "." })) }
      let server = try FaultyServer { request in .response(body: feed(request.path)) }
      let silent = isSilentByIPv6 ? try SilentListener(port: server.port) : nil
      defer { withExtendedLifetime((names, silent)) {} }
      let news = try News()
      let urls = hosts.map { "http://\($0).example:\(server.port)/\($0)\n" }.joined()
      try news.folder.write(urls, to: "urls")
      _ = try news.run("import", "--allow-private", "urls")
      let result = try news.run("fetch", "--deadline", "\(deadline)")
      return Run(result: result, titles: try news.titles(), feeds: try news.run("feeds").text)
    }
  }

  private static func files(patience: Int) -> [String: String] {
    [
      "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:\(patience) attempts:1\n",
      "/etc/nsswitch.conf": "hosts: files dns\n",
      "/etc/hosts": "127.0.0.1 localhost\n",
    ]
  }

  private static func feed(_ path: String) -> String {
    """
    <rss version="2.0"><channel><title>T</title>\
    <item><title>\(path.dropFirst())</title></item></channel></rss>
    """
  }
}
