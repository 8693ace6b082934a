internal import FeedModel

/// An interface that servers have for programs.
package struct ServerInterface: Sendable {
  /// As `news sync add --api` takes it, and as it is kept.
  package let name: String
  /// What people call it.
  package let title: String
  let makeClient: @Sendable (ServerConnection, SyncServer) -> any ServerClient

  /// All that are known; a server of which nothing else is said has the first.
  package static let all = [
    ServerInterface(name: "greader", title: "Google Reader API") { ReaderClient($0, $1) }
  ]
}
