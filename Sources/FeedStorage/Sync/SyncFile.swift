package import FeedModel
internal import PropertyLists
package import System

/// A file with what a machine knows: `sync.plist` in a home, and `news-ID.plist` in a folder that
/// machines have in common.
///
/// A dictionary with the machine, its name, the machines that it knows of with the number of the last
/// change that it has seen of each, and the values: marks as data, 23 bytes each, those of tags by
/// their names, the others as an array of dictionaries.
package struct SyncFile: Sendable {
  /// Of another machine's file `stories` alone of what is not `replica`.
  package var state: SyncState
  /// What people call the machine.
  package var name = ""
  package var written: Date?

  static let version = 1
  static let maximumSize = 64 << 20
  /// What two bytes number.
  private static let maximumMachines = 65_535
  private static let markSize = 23
  /// What a property list's number holds, with room for what comes behind it.
  private static let latest = UInt64.max >> 2

  package init(_ state: SyncState, name: String = "", written: Date? = nil) {
    (self.state, self.name, self.written) = (state, name, written)
  }

  /// Reads a file, if there is one: another machine's, without what is later than `latest`; the
  /// home's own as large as it has become.
  init?(path: String, latest: UInt64? = nil) throws(StorageError) {
    guard let form = try Self.file(path, isShared: latest != nil).read() else { return nil }
    try self.init(form, path: path, latest)
  }

  /// Reads what another machine has sent, without what is later than `latest`.
  package init(_ bytes: [UInt8], from name: String, latest: UInt64) throws(StorageError) {
    let file = Self.file(name, isShared: true)
    guard let form = try file.contents(bytes) else {
      throw .damaged(path: name, reason: Self.damage)
    }
    try self.init(form, path: name, latest)
  }

  private static let damage = "it does not say of which machine it is"

  private static func file(_ path: String, isShared: Bool) -> PropertyListFile<SyncForm> {
    PropertyListFile(
      path: path,
      coding: .dictionary(isShared ? SyncForm.shared : SyncForm.own),
      version: version,
      maximumSize: isShared ? maximumSize : LibraryStore.maximumSize,
      damage: damage,
    )
  }

  private init(_ form: SyncForm, path: String, _ latest: UInt64?) throws(StorageError) {
    let damaged = { (reason: String) in StorageError.damaged(path: path, reason: reason) }
    state = SyncState(machine: form.machine, origin: form.origin)
    (name, written) = (form.name, form.written)
    guard let machines = form.machines, machines.count == form.seen.count,
      machines.count <= (latest == nil ? Self.maximumMachines : ReplicaLimits.sent.machines)
    else { throw damaged("what it says of other machines is not understood") }
    state.replica.seen = Dictionary(zip(machines, form.seen), uniquingKeysWith: max)
    try readMarks(form.marks, machines, latest, damaged)
    for (tag, bytes) in form.tags ?? [:] {
      try readMarks(bytes, tag: tag, machines, latest, damaged)
    }
    state.hasTags = form.tags != nil
    guard latest == nil || form.settings.count <= ReplicaLimits.sent.settings else {
      throw damaged("it has more than \(ReplicaLimits.sent.settings) settings")
    }
    read(form.settings, machines, latest)
    state.stories = form.stories.map { Set($0.prefix(ReplicaLimits.sent.marks)) }
    state.replica.collected = form.collected
    (state.taken, state.servers, state.names) = (form.taken, form.servers, form.names)
  }

  private mutating func readMarks(
    _ bytes: [UInt8]?,
    tag: String? = nil,
    _ machines: [MachineID],
    _ latest: UInt64?,
    _ damaged: (String) -> StorageError,
  ) throws(StorageError) {
    let limit = latest == nil ? Int.max : ReplicaLimits.sent.marks - state.replica.registers.count
    guard let bytes, bytes.count % Self.markSize == 0, bytes.count / Self.markSize <= limit else {
      throw damaged("its marks are cut short, or more than \(ReplicaLimits.sent.marks)")
    }
    for start in stride(from: 0, to: bytes.count, by: Self.markSize) {
      let time = bytes.number(at: start + 8, width: 8)
      let machine = Int(bytes.number(at: start + 16, width: 2))
      guard let (mark, value) = SyncKey.StoryMark.pair(bytes[start + 22], tag: tag),
        machines.indices.contains(machine), time <= latest ?? Self.latest
      else { continue }
      state.replica.registers[.story(bytes.number(at: start, width: 8), mark)] = Replica.Register(
        value,
        SyncStamp(time: time, machine: machines[machine]),
        serial: UInt32(bytes.number(at: start + 18, width: 4)),
      )
    }
  }

  private mutating func read(
    _ settings: [PropertyListValue],
    _ machines: [MachineID],
    _ latest: UInt64?,
  ) {
    for setting in settings.lazy.compactMap(\.dictionary) {
      guard let (key, value) = SyncKey.pair(setting), let machine = setting["machine"]?.asInt,
        machines.indices.contains(machine),
        let time = setting["time"].flatMap(PropertyListCoding<UInt64>.time.decode),
        time <= latest ?? Self.latest,
        let serial = setting["serial"].flatMap(PropertyListCoding<UInt32>.exactSerial.decode)
      else { continue }
      state.replica.registers[key] = Replica.Register(
        value,
        SyncStamp(time: time, machine: machines[machine]),
        serial: serial,
      )
    }
  }

  /// Whether it tells others just the same.
  package func isSame(as other: SyncFile) -> Bool {
    state.replica.isSame(as: other.state.replica) && state.stories == other.state.stories
  }

  // MARK: Writing

  /// What is to be saved; where it is shared without what only the home is to know.
  package func bytes(isShared: Bool) -> [UInt8] {
    let registers = state.replica.registers
    let known = Set(registers.values.map(\.stamp.machine)).union(state.replica.seen.keys).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(known, known.indices))
    var form = SyncForm(machine: state.machine)
    form.machines = known
    form.seen = known.map { state.replica.seen[$0] ?? 0 }
    (form.marks, form.tags) = marks(numbers)
    form.settings = settings(numbers)
    form.stories = state.stories?.sorted()
    (form.name, form.written) = (name, written)
    (form.origin, form.collected, form.taken) = (
      state.origin, state.replica.collected, state.taken,
    )
    (form.servers, form.names) = (state.servers, state.names)
    return Self.file("", isShared: isShared).bytes(form)
  }

  /// The marks, and by their names those of tags.
  private func marks(_ numbers: [MachineID: Int]) -> ([UInt8], tags: [String: [UInt8]]) {
    var all: [(story: UInt64, mark: SyncKey.StoryMark, register: Replica.Register)] = []
    for (key, register) in state.replica.registers {
      if case .story(let story, let mark) = key { all.append((story, mark, register)) }
    }
    all.sort { ($0.story, $0.mark) < ($1.story, $1.mark) }
    var (marks, tags) = ([UInt8](), [String: [UInt8]]())
    marks.reserveCapacity(all.count * Self.markSize)
    for (story, mark, register) in all {
      let row = { (bytes: inout [UInt8]) in
        bytes.append(story, width: 8)
        bytes.append(register.stamp.time, width: 8)
        bytes.append(UInt64(numbers[register.stamp.machine] ?? 0), width: 2)
        bytes.append(UInt64(register.serial), width: 4)
        bytes.append(mark.byte(register.value))
      }
      if mark.isTag { row(&tags[mark.tag(register.value), default: []]) } else { row(&marks) }
    }
    return (marks, tags)
  }

  private func settings(_ numbers: [MachineID: Int]) -> [PropertyListValue] {
    SyncKey.sorted(state.replica.registers).map { key, register in
      var setting = key.dictionary(register.value)
      setting.append("time", PropertyListCoding<UInt64>.time.encode(register.stamp.time))
      setting.append("machine", .integer(Int64(numbers[register.stamp.machine] ?? 0)))
      setting.append("serial", .integer(Int64(register.serial)))
      return .dictionary(setting)
    }
  }
}
