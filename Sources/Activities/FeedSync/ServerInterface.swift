internal import FeedModel

package struct ServerInterface: Sendable {
  /// The name in `news sync add --api` and in the saved list of remotes.
  package let name: String
  package let title: String
  let makeClient: @Sendable (ServerConnection, SyncServer) -> any ServerClient

  /// The known interfaces, in the order in which a server is tried with them.
  package static let all = [
    ServerInterface(name: "greader", title: "Google Reader API") { ReaderClient($0, $1) },
    ServerInterface(name: "miniflux", title: "Miniflux API") { PagedClient<Miniflux>($0, $1) },
    ServerInterface(name: "nextcloud", title: "Nextcloud News API") {
      PagedClient<NextcloudNews>($0, $1)
    },
  ]
}
