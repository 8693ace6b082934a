import TestSupport
import Testing

@Suite("news sync with a home that is served")
struct ServedSyncTests {
  private static let titles = (1...12).map { "s\($0)" }

  private static var feed: String {
    let items = titles.map {
      "<item><title>\($0)</title><guid>\($0)</guid><link>http://127.0.0.1/\($0)</link></item>"
    }
    return "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
  }

  private func marks(_ news: News) throws -> [String] {
    let format = "{title} {read} {starred} {tags}"
    let lines = try news.run("list", "--format", format).text.split(separator: "\n")
    return lines.map(String.init).sorted()
  }

  private func add(_ served: ServingHome, to news: News) throws -> Subprocess.Result {
    try news.run(
      "sync",
      "add",
      "phone",
      "http://127.0.0.1:\(served.port)",
      "--user",
      "me",
      "--password-command",
      "echo \(served.password)",
    )
  }

  private func change(_ news: News, _ chance: inout Chance) throws {
    let commands = [
      ["read"], ["unread"], ["star"], ["unstar"], ["tag", "later"], ["untag", "later"],
    ]
    for _ in 0..<3 {
      let word = commands[chance.below(commands.count)]
      let title = Self.titles[chance.below(Self.titles.count)]
      _ = try news.run(word + ["--all", "--grep", "title:/^\(title)$/"])
    }
  }

  @Test("three homes, one of them serving, are alike after random marks", arguments: [1, 2, 3])
  func histories(_ seed: UInt64) throws {
    let nginx = try Nginx()
    try nginx.serve(Self.feed, as: "feed.xml")
    let homes = try (0..<3).map { _ in try News() }
    for home in homes { _ = try home.run("subscribe", nginx.url("/feed.xml")) }
    let served = try ServingHome(homes[0])
    for home in homes.dropFirst() {
      let added = try add(served, to: home)
      #expect(added.status == 0, "\(added.errorText)")
    }
    var chance = Chance(seed: seed)
    for _ in 0..<4 {
      for home in homes where chance.below(3) > 0 { try change(home, &chance) }
      let next = homes[1 + chance.below(2)]
      let result = try next.run("sync")
      #expect(result.status == 0, "\(result.errorText)")
    }
    // The marks that the last home tells the server are fetched by the one before.
    for home in homes.dropFirst() + homes.dropFirst() { _ = try home.run("sync") }
    let all = try homes.map(marks)
    #expect(all[0].count == 12)
    #expect(all[1] == all[0])
    #expect(all[2] == all[0])
    let quiet = try homes[1].run("sync")
    #expect(quiet.status == 0 && !quiet.errorText.contains("failed"))
    #expect(try served.isEnded().status == 0)
  }

  @Test("feeds, titles and folders go to it and come from it")
  func feeds() throws {
    let nginx = try Nginx()
    for name in ["a.xml", "b.xml"] { try nginx.serve(Self.feed, as: name) }
    let (server, client) = (try News(), try News())
    _ = try server.run("subscribe", nginx.url("/a.xml"), "--tag", "work")
    _ = try client.run("subscribe", nginx.url("/b.xml"), "--title", "Mine", "--tag", "play")
    let served = try ServingHome(server)
    let added = try add(served, to: client)
    #expect(added.status == 0, "\(added.errorText)")
    let result = try client.run("sync")
    #expect(result.status == 0, "\(result.errorText)")
    for home in [server, client] {
      let list = try home.run("export").text
      #expect(list.contains("text=\"Mine\"") && list.contains("/a.xml"), "\(list)")
      #expect(list.contains("text=\"work\"") && list.contains("text=\"play\""))
    }
  }
}
