enum ModelShrinking {
  static func shortest(
    _ history: ModelHistory,
    of fault: ModelFault,
  ) throws -> (history: ModelHistory, fault: ModelFault) {
    var best = (history: history, fault: fault)
    var size = max(history.steps.count / 2, 1)
    while true {
      let count = best.history.steps.count
      var start = 0
      while start < best.history.steps.count {
        var shorter = best.history
        shorter.steps.removeSubrange(start..<min(start + size, shorter.steps.count))
        if let found = try ModelRun.fault(of: shorter), found.claim == fault.claim {
          best = (shorter, found)
        } else {
          start += size
        }
      }
      if size == 1, best.history.steps.count == count { return best }
      size = max(size / 2, 1)
    }
  }
}
