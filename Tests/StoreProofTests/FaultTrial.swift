import TestSupport

/// One save with one fault in it, and what is wrong with what it left behind.
struct FaultTrial {
  let store: ShapedStore
  let old: ShapedStore.Contents
  let new: ShapedStore.Contents

  init(_ store: ShapedStore) throws {
    self.store = store
    old = store.shape.stories == nil ? ShapedStore.Contents(bytes: []) : try store.contents()
    _ = try store.run()
    new = try store.contents()
  }

  /// Runs the command with the fault; says what is wrong, nil for nothing.
  func problem(
    with fault: FaultShim.Fault,
    _ operation: FaultShim.Operation,
    leavingOut: String? = nil,
  ) throws -> String? {
    try store.reset()
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
    let found = try contents()
    guard found == old || found == new else { return "neither the old nor the new version" }
    switch result.status {
    case 0:
      if found != new { return "it was acknowledged and is not there" }
    case 137 where fault.kind.hasPrefix("kill"): break
    case 128...: return "signal \(result.status - 128)"
    default:
      if result.errors.isEmpty { return "an error without a message" }
      // A refresh saves several files. Behind the rename, the folder alone is left to be synchronized.
      let isFolder = operation.name == "fsync" && !operation.path.hasSuffix(".new")
      let mayBeNew = isFolder || store.shape.command[0] == "refresh"
      if found != old, !mayBeNew { return "an error, and not the old version" }
    }
    let next = try store.run()
    guard next.status == 0 else { return "the next save fails: \(next.errorText)" }
    guard try store.contents() == new else { return "the next save is not there" }
    let litter = try store.litter()
    guard litter.isEmpty else { return "left over: \(litter)" }
    return try store.linkIsKept() ? nil : "the link became a file"
  }

  private func contents() throws -> ShapedStore.Contents {
    // Nothing is stored where nothing was made yet.
    if store.shape.stories == nil, !namesExist { return ShapedStore.Contents(bytes: []) }
    return try store.contents()
  }

  private var namesExist: Bool {
    (try? namesInFolder(store.home).contains("newsdata.plist")) ?? false
  }
}
