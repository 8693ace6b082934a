import FeedModel
import Foundation
import PropertyLists
import System
import TestSupport
import Testing

@testable import FeedStorage

@Suite("Packed records are read and written byte for byte as versions before wrote them")
struct PackedRecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the bytes of hexadecimal digits, of which each word is a field.
  private func data(_ fields: String) -> PropertyListValue {
    let digits = Array(fields.filter { $0 != " " })
    return .data(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
    )
  }

  private func write(_ value: PropertyListValue, to name: String) throws -> [UInt8] {
    let bytes = PropertyList.encode(value)
    try folder.write(bytes, to: name)
    return bytes
  }

  private func changes(_ marks: String) -> PropertyListValue {
    .dictionary([
      "last": .integer(9), "marks": data(marks),
      "tags": .dictionary(["News": data("0000000000000003 0000000000000009 80 00")]),
      "settings": .array([]),
    ])
  }

  @Test("changes of marks, with the keys of their stories behind each")
  func recorded() throws {
    let rows =
      "0102030405060708 0000000000000007 80 02 00000000000000aa 00000000000000bb"
      + "0102030405060708 0000000000000008 01 00"
    let file = try HistoryFile(LibraryStore(home: folder.path))
    var expected = RecordedChanges(last: 9)
    typealias Mark = RecordedChanges.Mark
    typealias Change = RecordedChanges.MarkChange
    let story: UInt64 = 0x0102_0304_0506_0708
    expected.marks = [
      Mark(story, .read): Change(.yes, keys: [0xAA, 0xBB], time: 7),
      Mark(story, .starred): Change(.none, keys: [], time: 8),
      Mark(3, .tag("news")): Change(.text("News"), keys: [], time: 9),
    ]
    // As the file of its own that it was, and in the log, which takes its place.
    _ = try write(changes(rows), to: "changes.plist")
    #expect(try file.untold() == expected)
    try file.tell(expected)
    #expect(try file.untold() == expected)
    #expect(!FileManager.default.fileExists(atPath: folder.path("changes.plist")))
    #expect(try StepList(file.path)?.untold == changes(rows))
    for damaged in [rows + "00", "0102030405060708 0000000000000007 80 02 00"] {
      _ = try write(changes(damaged), to: "changes.plist")
      try FileManager.default.removeItem(atPath: file.path)
      #expect(throws: StorageError.self) { try file.untold() }
      try file.tell(expected)
    }
  }

  private func server(_ items: String) -> PropertyListValue {
    .dictionary([
      "version": .integer(1), "account": .string("a"), "serial": .integer(2),
      "merged": .integer(3), "items": data(items),
      "labels": .dictionary(["Later": data("00000001 0000000000000002")]), "feeds": .array([]),
      "refused": .array([
        .dictionary(["url": .string("https://example.net/a b c"), "date": .date(7)])
      ]),
      "refusedMarks": .array([
        .dictionary([
          "mark": .string("untagged 000000010000000000000002 Later"), "date": .date(8),
        ]),
        .dictionary(["mark": .string("unread 000000010000000000000002"), "date": .date(9)]),
      ]),
    ])
  }

  @Test("stories and labels of a server, and what it refused")
  func ofServer() throws {
    let row =
      "00000001 0000000000000002 0000000000000003 0000000000000004 0000000000000005 02"
    let file = ServerFile.file(folder.path("sync-x.plist"))
    let bytes = PropertyList.encode(server(row))
    let state = try #require(try file.contents(bytes))
    let id = ServerItemID(high: 1, low: 2)
    var item = ServerItem(isRead: false, isStarred: true)
    (item.story, item.link, item.title) = (3, 4, 5)
    #expect(state.items == [id: item])
    #expect(state.labels == ServerLabels(["Later": [id]]))
    #expect(
      state.refusals.mapValues(\.date.timeIntervalSinceReferenceDate) == [
        .feed("https://example.net/a b c"): 7,
        .story(ServerEdit(.tag("Later"), false), id): 8,
        .story(ServerEdit(.read, false), id): 9,
      ]
    )
    let again = try #require(try file.contents(file.bytes(state)))
    #expect(again == state)
    var plain = state
    plain.refusals = [:]
    #expect(try file.contents(file.bytes(plain))?.items == state.items)
    #expect(throws: StorageError.self) {
      try file.contents(PropertyList.encode(server(row + "00")))
    }
  }

  private func shared(_ marks: String) -> PropertyListValue {
    .dictionary([
      "version": .integer(1), "machine": .string("000000000000000b"),
      "machines": .array([.string("000000000000000a"), .string("000000000000000b")]),
      "seen": .array([.integer(4), .integer(5)]), "marks": data(marks),
      "tags": .dictionary(["News": data("0000000000000001 0000000000000006 0000 00000003 80")]),
      "settings": .array([]),
      "name": .string("desk"),
    ])
  }

  @Test("marks in the file that machines share")
  func ofMachine() throws {
    let rows =
      "0000000000000001 0000000000000007 0001 00000005 80"
      + "0000000000000001 0000000000000008 0000 00000004 01"
    let bytes = PropertyList.encode(shared(rows))
    let intake = SyncIntake(latest: 99, own: SyncRegisters()) { [1] }
    let file = try SyncFile(bytes, from: "x", intake)
    let registers = file.state.replica.registers
    let register = { (value: SyncValue, time: UInt64, machine: UInt64, serial: UInt32) in
      Replica.Register(
        value,
        SyncStamp(time: time, machine: MachineID(machine)),
        serial: serial,
      )
    }
    #expect(registers[.story(1, .read)] == register(.yes, 7, 0xB, 5))
    #expect(registers[.story(1, .starred)] == register(.none, 8, 0xA, 4))
    #expect(registers[.story(1, .tag("news"))] == register(.text("News"), 6, 0xA, 3))
    #expect(registers.count == 3)
    #expect(file.bytes(isShared: true) == bytes)
    try folder.write(file.bytes(isShared: false), to: "sync.plist")
    let own = try #require(try SyncFile(path: folder.path("sync.plist")))
    #expect(own.state.replica == file.state.replica)
    #expect(
      throws: StorageError.damaged(path: "x", reason: "its marks are cut short")
    ) {
      _ = try SyncFile(PropertyList.encode(shared(rows + "00")), from: "x", intake)
    }
  }
}
