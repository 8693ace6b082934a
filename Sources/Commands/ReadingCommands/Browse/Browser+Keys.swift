import CommandLine

// MARK: Sequences of keys, and several operations of one

extension Browser {
  /// Runs the line of keys; where they begin a sequence, waits for the next one.
  mutating func press(_ keys: KeyMap.Sequence) throws -> [BrowserAction] {
    defer { if sequence.isEmpty { number = "" } }
    sequence = []
    guard !keys.isEmpty else { return [] }
    if let line = self.keys.lines[keys] { return try run(KeyWork(line, number: number)) }
    guard self.keys.isBeginning(keys) else {
      return say("\(KeyMap.text(keys)) is not a key; press \(self.keys.name(of: "keys")) for help")
    }
    sequence = keys
    return []
  }

  mutating func pressInSequence(_ key: Key) throws -> [BrowserAction] {
    switch key {
    case .escape, .control("c"): return try press([])
    case .click, .wheelUp, .wheelDown:
      _ = try press([])
      return try press(key)
    default: return try press(key.name.map { sequence + [$0] } ?? [])
    }
  }

  /// Runs the first operation; the session comes back for the others when that has had its effect.
  mutating func run(_ work: KeyWork) throws -> [BrowserAction] {
    var work = work
    defer { number = "" }
    guard let operation = work.operations.popFirst() else { return [] }
    number = work.number
    if stories.picked.isEmpty { stories.picked = work.picked }
    let picked = stories.picked
    hasRefused = false
    let actions = try run(operation)
    if stories.picked.isEmpty { work.picked = picked }
    guard work.operations.isEmpty || hasRefused else { return actions + goOn(work) }
    if !work.picked.isEmpty { stories.picked = [] }
    return actions
  }

  private mutating func goOn(_ work: KeyWork) -> [BrowserAction] {
    guard question != nil else { return [.goOn(work)] }
    waiting = work
    // The answer uses the picked rows up.
    if work.picked.isEmpty { waiting?.picked = stories.picked }
    return []
  }

  /// Answers a question; operations that have waited for it follow, unless it was given up.
  mutating func answerAndGoOn(_ key: Key) throws -> [BrowserAction] {
    defer { if question == nil { waiting = nil } }
    let actions = try answer(key)
    guard question == nil, key == .enter, !hasRefused, let work = waiting else { return actions }
    return actions + [.goOn(work)]
  }
}
