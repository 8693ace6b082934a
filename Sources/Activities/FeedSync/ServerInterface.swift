internal import FeedModel

package struct ServerInterface: Sendable {
  /// The name in `news sync add --api` and in the saved list of remotes.
  package let name: String
  package let title: String
  let makeClient: @Sendable (ServerConnection, SyncServer) -> any ServerClient

  /// The known interfaces; the first is the default.
  package static let all = [
    ServerInterface(name: "greader", title: "Google Reader API") { ReaderClient($0, $1) }
  ]
}
