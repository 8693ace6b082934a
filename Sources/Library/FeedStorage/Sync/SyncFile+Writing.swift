internal import FeedModel
internal import PropertyLists

extension SyncFile {
  /// The bytes of the file; a shared one lacks what only the home is to know.
  package func bytes(isShared: Bool) -> [UInt8] {
    let registers = state.replica.registers
    let known = registers.machines.union(state.replica.seen.keys).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(known, known.indices))
    var form = SyncForm(self)
    form.machines = known
    form.seen = known.map { state.replica.seen[$0] ?? 0 }
    form.marks = marks(numbers)
    var named = named(numbers)
    form.tags = named.removeValue(forKey: SyncKey.StoryMark.tag("").kindName) ?? [:]
    form.others = named.isEmpty ? nil : named
    form.settings = settings(numbers)
    return Self.file("", isShared: isShared).bytes(form)
  }

  private func marks(_ numbers: [MachineID: Int]) -> [UInt8] {
    PackedFields.bytes(
      state.replica.registers.marks.rows.lazy.filter { $0.kind != .deleted }.map { row in
        SyncMarkRecord(row.story, row.kind.mark, row.register, numbers)
      }
    )
  }

  /// The named marks by the names of their kinds, and by their own names.
  private func named(_ numbers: [MachineID: Int]) -> [String: [String: [UInt8]]] {
    var named: [String: [String: [SyncMarkRecord]]] = [:]
    let deleted = state.replica.registers.marks.rows.filter { $0.kind == .deleted }
    if !deleted.isEmpty {
      let records = deleted.map { SyncMarkRecord($0.story, .deleted, $0.register, numbers) }
      named[SyncKey.StoryMark.deleted.kindName] = ["": records]
    }
    for case (.story(let story, let mark), let register) in state.replica.registers.others {
      named[mark.kindName, default: [:]][mark.name(register.value), default: []]
        .append(SyncMarkRecord(story, mark, register, numbers))
    }
    return named.mapValues { names in
      names.mapValues { PackedFields.bytes($0.sorted { $0.story < $1.story }) }
    }
  }

  private func settings(_ numbers: [MachineID: Int]) -> [PropertyListValue] {
    SyncKey.sorted(state.replica.registers.others).map { key, register in
      var setting = key.dictionary(register.value)
      setting.append("time", PropertyListCoding<UInt64>.time.encode(register.stamp.time))
      setting.append("machine", .integer(Int64(numbers[register.stamp.machine] ?? 0)))
      setting.append("serial", .integer(Int64(register.serial)))
      return .dictionary(setting)
    }
  }
}

extension SyncMarkRecord {
  fileprivate init(
    _ story: UInt64,
    _ mark: SyncKey.StoryMark,
    _ register: Replica.Register,
    _ numbers: [MachineID: Int],
  ) {
    (self.story, time, serial) = (story, register.stamp.time, register.serial)
    machine = UInt16(truncatingIfNeeded: numbers[register.stamp.machine] ?? 0)
    self.mark = mark.byte(register.value)
  }
}
