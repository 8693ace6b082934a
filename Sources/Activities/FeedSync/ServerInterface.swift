internal import FeedModel

package struct ServerInterface: Sendable {
  /// The name in `news sync add --api` and in the saved list of remotes.
  package let name: String
  package let title: String
  let makeClient: @Sendable (ServerConnection, SyncServer) -> any ServerClient
  /// Returns true for a URL at which only this interface begins.
  var hasRoot: @Sendable (String) -> Bool = { _ in false }

  /// The known interfaces, in the order in which a server is tried with them.
  package static let all = [
    ServerInterface(name: "greader", title: "Google Reader API") { ReaderClient($0, $1) },
    paged(Miniflux.self, "miniflux", "Miniflux API"),
    paged(NextcloudNews.self, "nextcloud", "Nextcloud News API"),
  ]

  private static func paged<Interface: PagedInterface>(
    _: Interface.Type,
    _ name: String,
    _ title: String,
  ) -> ServerInterface {
    var own = ServerInterface(name: name, title: title) { PagedClient<Interface>($0, $1) }
    own.hasRoot = { Interface.root(of: $0) == $0 }
    return own
  }
}
