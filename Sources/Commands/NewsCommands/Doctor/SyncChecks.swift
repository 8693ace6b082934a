import CommandLine
import CommandSupport
import FeedModel
import FeedStorage
import FeedSync
import FollowingCommands

struct SyncChecks {
  let context: CommandContext
  let store: LibraryStore

  private static let longestSilence = 7 * 86_400

  /// Leaves out what has its finding already: a damaged list of remotes, or state of a server.
  func findings() -> [Finding] {
    ((try? store.syncRemotes()) ?? []).filter(isSound).map(finding)
  }

  private func isSound(_ remote: SyncRemote) -> Bool {
    guard let server = remote.server else { return true }
    do { _ = try store.serverState(server.name) } catch { return false }
    return true
  }

  private func finding(_ remote: SyncRemote) -> Finding {
    let subject = "sync \(remote.name)"
    let address = WebURL.redacted(remote.address)
    if case .folder(let path) = remote.transport, let fault = Self.fault(ofFolder: path) {
      return .wrong(subject, "\(path) \(fault)", "mount it, or: news sync remove \(remote.name)")
    }
    if let server = remote.server, !context.arguments.has("offline") {
      do {
        let home = HomeSync(context.sync, store, isByHand: true, until: .now + .seconds(10))
        var sync = ServerSession(home, server)
        return .ok(subject, try sync.check())
      } catch {
        return .wrong(subject, error.line, "try it: news sync \(remote.name)")
      }
    }
    if let failure = remote.failure {
      return .wrong(subject, "\(address) failed: \(failure)", "try it: news sync \(remote.name)")
    }
    let dates = RelativeDate(clock: context.clock)
    guard let done = remote.done?.wholeSeconds, dates.now - done < Self.longestSilence else {
      return .note(subject, "\(address) has not worked for a week", "news sync \(remote.name)")
    }
    return .ok(subject, "\(address), the last time at \(dates.clockText(done))")
  }

  private static func fault(ofFolder path: String) -> String? {
    guard let kind = FileStatus(at: path)?.kind else { return "is not there" }
    guard kind == .folder else { return "is no folder" }
    return access(path, W_OK) == 0 ? nil : "cannot be written to"
  }
}
