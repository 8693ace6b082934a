import TestSupport

/// One save with one fault in it, and the harm that it left behind.
final class FaultTrial {
  let store: ShapedStore
  let old: ShapedStore.Contents
  let new: ShapedStore.Contents
  /// All files of the stores from which a next save was seen to succeed.
  private var sound: Set<ShapedStore.Files> = []
  private let before: ShapedStore.Files
  private var isAsBefore = false

  init(_ store: ShapedStore) throws {
    self.store = store
    before = try store.files()
    old = store.shape.stories == nil ? ShapedStore.Contents(bytes: []) : try store.contents()
    _ = try store.run()
    new = try store.contents()
  }

  func problem(
    with fault: FaultShim.Fault,
    _ operation: FaultShim.Operation,
    leavingOut: String? = nil,
  ) throws -> String? {
    if !isAsBefore { try store.reset() }
    isAsBefore = false
    let result = try store.run(
      FaultShim.environment(of: store.home, fault: fault, leavingOut: leavingOut)
    )
    guard let problem = try verdict(result, fault, operation) else { return nil }
    return "\(store.shape), \(fault) (\(operation.name) \(operation.path)): \(problem)"
  }

  private func verdict(
    _ result: Subprocess.Result,
    _ fault: FaultShim.Fault,
    _ operation: FaultShim.Operation,
  ) throws -> String? {
    if let problem = Self.unannounced(result.status, fault, operation) { return problem }
    let found = try contents()
    guard found == old || found == new else { return "neither the old nor the new version" }
    switch result.status {
    case 0:
      if found != new { return "it was acknowledged and is not there" }
    case 137 where fault.kind.hasPrefix("kill"): break
    case 128...: return "signal \(result.status - 128)"
    default:
      if result.errors.isEmpty { return "an error without a message" }
      // A refresh saves several files. After the rename only the folder is left to be synchronized.
      let isFolder = operation.name == "fsync" && !operation.path.hasSuffix(".new")
      let mayBeNew = isFolder || store.shape.command[0] == "refresh"
      if found != old, !mayBeNew { return "an error, and not the old version" }
    }
    // A save depends on nothing but the files that it finds.
    let files = try store.files()
    guard !sound.contains(files) else {
      isAsBefore = files == before
      return nil
    }
    let next = try store.run()
    guard next.status == 0 else { return "the next save fails: \(next.errorText)" }
    guard try store.contents() == new else { return "the next save is not there" }
    let litter = try store.litter()
    guard litter.isEmpty else { return "left over: \(litter)" }
    guard try store.linkIsKept() else { return "the link became a file" }
    sound.insert(files)
    return nil
  }

  /// Returns a complaint if an error was not told.
  ///
  /// A signal's interruption is no error, and every error of a file that is saved is one.
  private static func unannounced(
    _ status: Int32,
    _ fault: FaultShim.Fault,
    _ operation: FaultShim.Operation,
  ) -> String? {
    // No signal interrupts mmap.
    if fault.kind == "4", operation.name != "mmap", status != 0 {
      return "an interruption ended it"
    }
    let isSaved =
      [".newsdata.plist.new", ".feeds.plist.new", ".history.plist.new", ".rules.plist.new"]
      .contains(where: operation.path.hasSuffix) || operation.path.hasSuffix("1.plist.new")
    let isTold = ["5", "28", "30", "122"].contains(fault.kind) && isSaved
    let mayBeIgnored = ["unlinkat", "unlink"].contains(operation.name)
    return isTold && !mayBeIgnored && status == 0 ? "an error was not told" : nil
  }

  private func contents() throws -> ShapedStore.Contents {
    if store.shape.stories == nil, !namesExist { return ShapedStore.Contents(bytes: []) }
    return try store.contents()
  }

  private var namesExist: Bool {
    (try? namesInFolder(store.home).contains("newsdata.plist")) ?? false
  }
}
