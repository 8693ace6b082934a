package import FeedModel

/// An interface that servers have for programs.
package struct ServerInterface: Sendable {
  /// As `news sync add --api` takes it, and as it is kept.
  package let name: String
  /// What people call it.
  package let title: String
  let makeClient: @Sendable (ServerConnection, SyncServer) -> any ServerClient

  package init(
    _ name: String,
    _ title: String,
    _ makeClient: @escaping @Sendable (ServerConnection, SyncServer) -> any ServerClient,
  ) {
    (self.name, self.title, self.makeClient) = (name, title, makeClient)
  }

  /// All that are known; a server of which nothing else is said has the first.
  package static let all = [
    ServerInterface("greader", "Google Reader API") { ReaderClient($0, $1) }
  ]
}
