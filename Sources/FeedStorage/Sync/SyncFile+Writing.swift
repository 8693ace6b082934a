internal import FeedModel
internal import PropertyLists
internal import System

extension SyncFile {
  /// What is to be saved; where it is shared without what only the home is to know.
  package func bytes(isShared: Bool) -> [UInt8] {
    let registers = state.replica.registers
    let known = registers.machines.union(state.replica.seen.keys).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(known, known.indices))
    var form = SyncForm(machine: state.machine)
    form.machines = known
    form.seen = known.map { state.replica.seen[$0] ?? 0 }
    (form.marks, form.tags) = (marks(numbers), tags(numbers))
    form.settings = settings(numbers)
    form.stories = state.stories?.sorted
    (form.name, form.written) = (name, written)
    (form.origin, form.collected, form.taken) = (
      state.origin, state.replica.collected, state.taken,
    )
    (form.servers, form.names) = (state.servers, state.names)
    return Self.file("", isShared: isShared).bytes(form)
  }

  private func marks(_ numbers: [MachineID: Int]) -> [UInt8] {
    let rows = state.replica.registers.marks.rows
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows.count * SyncMarkRows.size)
    for row in rows {
      let mark = row.isStarred ? SyncKey.StoryMark.starred : .read
      bytes.append(row.story, mark, row.register, by: numbers[row.machine])
    }
    return bytes
  }

  /// The marks of tags, by their names.
  private func tags(_ numbers: [MachineID: Int]) -> [String: [UInt8]] {
    var all: [(story: UInt64, mark: SyncKey.StoryMark, register: Replica.Register)] = []
    for case (.story(let story, let mark), let register) in state.replica.registers.others {
      all.append((story, mark, register))
    }
    all.sort { ($0.story, $0.mark) < ($1.story, $1.mark) }
    var tags: [String: [UInt8]] = [:]
    for (story, mark, register) in all {
      tags[mark.tag(register.value), default: []]
        .append(story, mark, register, by: numbers[register.stamp.machine])
    }
    return tags
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

extension [UInt8] {
  /// Adds a mark as a file has it (`SyncMarkRows`), set by the machine of a number.
  fileprivate mutating func append(
    _ story: UInt64,
    _ mark: SyncKey.StoryMark,
    _ register: Replica.Register,
    by number: Int?,
  ) {
    append(story, width: 8)
    append(register.stamp.time, width: 8)
    append(UInt64(number ?? 0), width: 2)
    append(UInt64(register.serial), width: 4)
    append(mark.byte(register.value))
  }
}
