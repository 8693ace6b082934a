import TestSupport
import Testing

@Suite(
  "Servers on the internet do not reach into this machine's network",
  .enabled(if: NetworkNamespace.isAllowed, "a network of the test's own needs root"),
)
struct PrivateNetworkTests {
  /// An address of the internet (RFC 5737), which the machine has inside the namespace.
  private static let address = "203.0.113.7"

  @Test(
    "by a redirect to an address of it, nor to a name that resolves to one",
    arguments: ["127.0.0.1", "router.example", "both.example", "[::ffff:127.0.0.1]"],
  )
  func redirected(_ host: String) throws {
    let run = try Self.fetch { "http://\(host):\($0)/" }
    let words = "redirects from the internet into a private network, which is not followed"
    #expect(outcome(run.result) == "failed: 1 of 1 feeds failed")
    #expect(
      run.result.errorText.contains(": \(words); next try after "),
      "\(run.result.errorText)",
    )
    #expect(run.asked == 0)
  }

  @Test("what the reader names, and what a server of this network redirects to, is asked")
  func named() throws {
    let run = try NetworkNamespace.run { () -> Run in
      let inside = try FaultyServer { _ in .response(body: Self.feed) }
      let other = try FaultyServer { _ in .redirect(302, to: inside.url("/")) }
      return try Self.fetch(other.url("/"), inside)
    }
    #expect(outcome(run.result) == "newData: 1 new in 1 of 1 feeds")
    #expect(run.asked == 1)
  }

  struct Run: Sendable {
    var result: Subprocess.Result
    /// Requests that the server in this machine's network got.
    var asked: Int
  }

  /// Fetches a feed of a server on the internet that redirects to `place`, given the port of a
  /// server on this machine alone.
  private static func fetch(from place: @escaping @Sendable (Int) -> String) throws -> Run {
    let files = [
      "/etc/resolv.conf": "nameserver 127.0.0.1\n", "/etc/nsswitch.conf": "hosts: files dns\n",
    ]
    return try NetworkNamespace.run(address: address, files: files) {
      let names = try FaultyNameServer { name in
        .addresses(name == "both.example" ? ["::1", "127.0.0.1"] : ["127.0.0.1"])
      }
      defer { withExtendedLifetime(names) {} }
      let inside = try FaultyServer { _ in .response(body: feed) }
      let outside = try FaultyServer(at: address) { _ in .redirect(302, to: place(inside.port)) }
      return try fetch(outside.url("/"), inside)
    }
  }

  private static func fetch(_ url: String, _ inside: FaultyServer) throws -> Run {
    let news = try News()
    _ = try news.run("subscribe", "--no-check", url)
    let result = try news.run("fetch", "--deadline", "20")
    return Run(result: result, asked: inside.requests.count)
  }

  private static let feed =
    "<rss version=\"2.0\"><channel><title>T</title><item><title>a</title></item></channel></rss>"
}
