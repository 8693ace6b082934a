package import FeedModel
internal import PropertyLists
package import System

/// A file with the state of a machine: `sync.plist` in a home, and `news-ID.plist` in a shared
/// folder.
///
/// A dictionary with the machine, its name, the machines that it knows of with the number of the
/// last change that it has seen of each, and the values: marks as data, 23 bytes each, those of
/// tags by their names, the others as an array of dictionaries.
package struct SyncFile: Sendable {
  /// The state; of another machine's file only `replica` is read.
  package var state: SyncState
  package var name = ""
  package var written: Date?
  package fileprivate(set) var omissions: [String] = []

  static let version = 1
  /// The most bytes of another machine's file.
  package static let maximumSize = 48 << 20
  static let damage = "it does not say of which machine it is"
  /// The most machines that two bytes can number.
  private static let maximumMachines = 65_535
  /// The most bytes of the XML form, which takes more memory than its bytes.
  private static let maximumXMLSize = 1 << 20
  /// The most bytes to which the settings of another machine may expand.
  fileprivate static let settingsBudget = 64 << 20
  /// The latest time: what a property list's number holds, with room for later ones.
  fileprivate static let latest = UInt64.max >> 2

  package init(_ state: SyncState, name: String = "", written: Date? = nil) {
    (self.state, self.name, self.written) = (state, name, written)
  }

  init?(path: String) throws {
    guard let (reader, _) = try LibraryStore.reader(path) else { return nil }
    try self.init(try Parts(reader, path, isShared: false), nil)
  }

  package init(_ bytes: [UInt8], from name: String, _ intake: SyncIntake) throws {
    self = try bytes.withUnsafeBufferPointer { buffer in
      let buffer = UnsafeRawBufferPointer(buffer)
      guard BinaryPropertyListReader.isBinary(buffer) || buffer.count <= Self.maximumXMLSize else {
        throw StorageError.tooLarge(path: name, limit: Self.maximumXMLSize)
      }
      let reader = try StorageError.translating(name) {
        // The bytes stay in place until all of them were read.
        try PropertyList.reader(PropertyListBytes(buffer) { _ in })
      }
      return try SyncFile(try Parts(reader, name, isShared: true), intake)
    }
  }

  static func file(_ path: String, isShared: Bool) -> PropertyListFile<SyncForm> {
    PropertyListFile(
      path: path,
      coding: .dictionary(isShared ? SyncForm.shared : SyncForm.own),
      version: version,
      damage: damage,
    )
  }

  private init(_ parts: Parts, _ intake: SyncIntake?) throws {
    let path = parts.path
    let damaged = { (reason: String) in StorageError.damaged(path: path, reason: reason) }
    let file = Self.file(path, isShared: intake != nil)
    guard let form = try file.contents(.dictionary(parts.small)) else {
      throw damaged(Self.damage)
    }
    self = form.file
    guard let machines = form.machines, machines.count == form.seen.count,
      machines.count <= (intake == nil ? Self.maximumMachines : ReplicaLimits.sent.machines)
    else { throw damaged("what it says of other machines is not understood") }
    state.replica.seen = Dictionary(zip(machines, form.seen), uniquingKeysWith: max)
    var reading = SyncFileReading(file: self, parts: parts, machines: machines, intake: intake)
    try reading.read()
    self = reading.file
  }

  package func isSame(as other: SyncFile) -> Bool {
    state.replica.isSame(as: other.state.replica)
  }
}

/// The reading of the large parts of a file; without an intake, of this machine's own.
private struct SyncFileReading {
  var file: SyncFile
  let parts: SyncFile.Parts
  let machines: [MachineID]
  let intake: SyncIntake?
  var rooms: [ReplicaRoom] = []
  var mostMarks = Int.max

  private var latest: UInt64 { intake?.latest ?? SyncFile.latest }
  private var isCutShort: StorageError {
    .damaged(path: parts.path, reason: "its marks are cut short")
  }

  mutating func read() throws {
    guard let bytes = try parts.data("marks") else { throw isCutShort }
    mostMarks = try intake?.roomForMarks() ?? .max
    try readMarks(bytes, named: nil)
    rooms = intake?.rooms ?? []
    try readNamed(.tag(""))
    for kind in SyncKey.StoryMark.texts { try readNamed(kind) }
    try readDeletions()
    try readSettings()
  }

  private mutating func readDeletions() throws {
    try parts.forEachName(of: .deleted) { name, bytes in
      guard name.isEmpty else { return true }
      try readMarks(bytes, named: (.deleted, .yes))
      return false
    }
  }

  private mutating func readMarks(
    _ bytes: UnsafeRawBufferPointer,
    named: SyncKey.StoryMark.Named?,
  ) throws {
    let (intake, most) = (intake, mostMarks)
    let count = bytes.count / SyncMarkRecord.size
    var newest = NewestRows<MarkTable.Row>(most: min(most, count)) { $0.time }
    try forEachMark(bytes, named: named) { story, mark, register throws in
      guard let key = MarkTable.Key(.story(story, mark)) else { return }
      let row = MarkTable.Row(key, register)
      newest.add(row, isKnown: count <= most ? true : try intake?.isKnown(row) ?? true)
    }
    let marks = MarkTable(newest.all())
    if file.state.replica.registers.marks.isEmpty {
      file.state.replica.registers.marks = marks
    } else {
      file.state.replica.registers.marks.merge(marks) { $0 ?? $1 }
    }
    if newest.isCut {
      file.omissions.append(
        "more than \(most) marks of stories that are not here: the newest are taken"
      )
    }
  }

  private mutating func readNamed(_ kind: SyncKey.StoryMark) throws {
    let intake = intake
    let most = intake == nil ? .max : ReplicaLimits.share.tags
    var newest = NewestRows<(SyncKey, Replica.Register)>(most: most) { $0.1.stamp.time }
    var left = intake == nil ? .max : ReplicaLimits.sent.marks
    try parts.forEachName(of: kind) { name, bytes in
      left -= bytes.count / SyncMarkRecord.size
      guard left >= 0 else { return false }
      guard let named = SyncKey.StoryMark.named(name, kind) else { return true }
      try forEachMark(bytes, named: named) { story, mark, register in
        let key = SyncKey.story(story, mark)
        newest.add((key, register), isKnown: intake?.isKnown(key) ?? true)
      }
      return true
    }
    var isCut = left < 0
    for (key, register) in newest.all() {
      guard takes(key, register.value) else {
        isCut = true
        continue
      }
      file.state.replica.registers.others[key] = register
    }
    if isCut || newest.isCut {
      file.omissions.append(
        "more \(kind.kindName)s of stories than there is room for: the newest are taken"
      )
    }
  }

  /// Calls `body` with each mark that is understood, which has the name given.
  private func forEachMark(
    _ bytes: UnsafeRawBufferPointer,
    named: SyncKey.StoryMark.Named?,
    _ body: (UInt64, SyncKey.StoryMark, Replica.Register) throws -> Void,
  ) throws {
    let (machines, latest) = (machines, latest)
    let isWhole = try PackedFields.forEach(bytes) { (row: SyncMarkRecord) in
      guard row.machine < machines.count, row.time <= latest,
        let (mark, value) = SyncKey.StoryMark.pair(row.mark, named)
      else { return }
      let stamp = SyncStamp(time: row.time, machine: machines[Int(row.machine)])
      try body(row.story, mark, Replica.Register(value, stamp, serial: row.serial))
    }
    guard isWhole else { throw isCutShort }
  }

  private mutating func takes(_ key: SyncKey, _ value: SyncValue) -> Bool {
    guard let intake, !intake.isKnown(key) else { return true }
    return rooms.indices.allSatisfy { rooms[$0].takes(key, value) }
  }

  private mutating func readSettings() throws {
    var (rest, isCut) = (intake == nil ? Int.max : 2 * ReplicaLimits.sent.settings, false)
    let isWhole = try parts.forEachSetting(
      limit: intake == nil ? nil : SyncFile.settingsBudget
    ) { setting in
      rest -= 1
      guard let (key, register) = self.register(setting) else { return rest > 0 }
      let isTaken = takes(key, register.value)
      if isTaken { file.state.replica.registers.others[key] = register } else { isCut = true }
      return rest > 0
    }
    if isCut || rest == 0 || !isWhole {
      file.omissions.append("more settings and rules than there is room for: the others are taken")
    }
  }

  private func register(_ setting: PropertyListDictionary) -> (SyncKey, Replica.Register)? {
    guard let (key, value) = SyncKey.pair(setting), let machine = setting["machine"]?.asInt,
      machines.indices.contains(machine),
      let time = setting["time"].flatMap(PropertyListCoding<UInt64>.time.decode), time <= latest,
      let serial = setting["serial"].flatMap(PropertyListCoding<UInt32>.exactSerial.decode)
    else { return nil }
    let stamp = SyncStamp(time: time, machine: machines[machine])
    return (key, Replica.Register(value, stamp, serial: serial))
  }
}
