import TestSupport
import Testing

@Suite("news sync with a home that is served")
struct ServedSyncTests {
  @Test(
    "three homes, one of them serving, are alike after random marks and kills, and none is lost",
    arguments: 1...UInt64(4 * ProofScale.factor),
  )
  func histories(_ seed: UInt64) throws {
    var history = try ServedHistory(seed: seed)
    for _ in 0..<6 { try history.changeSome() }
    try history.settle()
    let homes = history.homes
    let alike = try history.marked(homes[0])
    for home in homes.dropFirst() { #expect(try history.marked(home) == alike) }
    let expected = try history.changeEach()
    try history.settle()
    for home in homes {
      #expect(try history.marked(home) == expected)
      #expect(try home.titles().count == ServedHistory.titles.count)
    }
    let quiet = try homes[1].run("sync")
    #expect(quiet.status == 0 && !quiet.errorText.contains("failed"))
    #expect(try history.served.isEnded().status == 0)
  }

  @Test("feeds, titles and folders go to it and come from it")
  func feeds() throws {
    let nginx = try Nginx()
    for name in ["a.xml", "b.xml"] { try nginx.serve(ServedHistory.feed, as: name) }
    let (server, client) = (try News(), try News())
    _ = try server.run("subscribe", nginx.url("/a.xml"), "--tag", "work")
    _ = try client.run("subscribe", nginx.url("/b.xml"), "--title", "Mine", "--tag", "play")
    let served = try ServingHome(server, ["--allow-private"])
    let added = try served.add(to: client)
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
