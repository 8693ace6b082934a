import FeedModel
import FeedStorage
import TestSupport
import Testing

@Suite("A power cut at every operation of a save", .serialized)
struct PowerCutTests {
  private let folder: TemporaryFolder
  private let news: String

  init() throws {
    folder = try TemporaryFolder()
    news = try BuiltProduct.path("news")
  }

  private var home: String { folder.path("disk/home") }
  private var dataPath: String { "\(home)/newsdata.plist" }

  /// An ext4 file system with a store in it; nil where that cannot be had.
  ///
  /// Without `auto_da_alloc`, which would hide a missing fsync of the file.
  private func mounted(_ image: String) throws -> MountedFileSystem? {
    let options = "loop,noauto_da_alloc"
    return try MountedFileSystem(
      ["-t", "ext4", "-o", options, folder.path(image)],
      at: folder.path("disk"),
    )
  }

  /// Makes the image; false where this machine cannot.
  private func prepare() throws -> Bool {
    let make = "truncate -s 16M \"$0\" && mkfs.ext4 -q -O ^metadata_csum \"$0\""
    let made = try Subprocess.run(["sh", "-c", make, folder.path("image")])
    guard made.status == 0, let disk = try mounted("image") else {
      print("power cuts: no ext4 can be mounted here; the order of the calls is tested instead")
      return false
    }
    let stories = (0..<40).map { ItemEdit.insert(ShapedStore.story($0)) }
    try LibraryStore(home: home).update { (_) throws(StorageError) in
      (LibraryChange(items: stories), ())
    }
    try disk.unmount()
    return true
  }

  /// Saves, cuts the power, and looks at what is there when it is back.
  private func outcome(
    _ fault: FaultShim.Fault,
    leavingOut: String? = nil,
    then act: (Subprocess.Result) throws -> Void = { _ in },
  ) throws -> (isAcknowledged: Bool, data: [UInt8]) {
    let copy = folder.path("copy")
    _ = try Subprocess.run(["cp", "--sparse=always", folder.path("image"), copy])
    var disk = try #require(try mounted("copy"))
    let result = try Subprocess.run(
      [news, "--home", home, "read", "1"],
      environment: FaultShim.environment(
        of: home,
        fault: fault,
        leavingOut: leavingOut,
        mount: disk.path,
      ).merging(["HOME": folder.path]) { $1 },
    )
    try act(result)
    try disk.unmount()
    disk = try #require(try mounted("copy"))
    let data = try readFile(dataPath)
    try disk.unmount()
    return (result.text.contains("marked read"), data)
  }

  @Test("leaves the old version or the new one, and never loses an acknowledged save")
  func everyOperation() throws {
    guard try prepare() else { return }
    let (count, old, new) = try survey()
    var found: [[UInt8]: Int] = [:]
    for operation in 1...count {
      for kind in ["cut", "cutafter"] {
        let fault = FaultShim.Fault(operation: operation, kind: kind)
        let (isAcknowledged, data) = try outcome(fault)
        found[data, default: 0] += 1
        #expect(data == old || data == new, "\(fault)")
        #expect(!isAcknowledged || data == new, "\(fault)")
      }
    }
    print("power cuts: \(2 * count), \(found[old] ?? 0) old, \(found[new] ?? 0) new")
    #expect((found[old] ?? 0) > count && (found[new] ?? 0) > 2)
    for _ in 0..<20 { #expect(try dataAfterAcknowledgement() == new) }
    print("power cuts after an acknowledgement: 20, nothing lost")
    // The proof of the proof.
    #expect(try dataAfterAcknowledgement(leavingOut: "fsync-folder") == old)
    let torn = try dataAfterAcknowledgement(leavingOut: "fsync-file")
    #expect(torn != old && torn != new)
    #expect(try dataAfterAcknowledgement(leavingOut: "fsync-file,fsync-folder") == old)
  }

  /// What is left of a save that was acknowledged before the power was cut.
  private func dataAfterAcknowledgement(leavingOut: String? = nil) throws -> [UInt8] {
    let none = FaultShim.Fault(operation: 0, kind: "cut")
    return try outcome(none, leavingOut: leavingOut) {
      let cut = try FaultShim.environment(
        of: home,
        fault: FaultShim.Fault(operation: 1, kind: "cut"),
        mount: folder.path("disk"),
      )
      #expect($0.status == 0)
      _ = try Subprocess.run(["cat", "\(home)/lock"], environment: cut)
    }.data
  }

  /// How many operations a save has, and the data file before and after it.
  private func survey() throws -> (Int, old: [UInt8], new: [UInt8]) {
    _ = try Subprocess.run(["cp", folder.path("image"), folder.path("copy")])
    let disk = try #require(try mounted("copy"))
    let old = try readFile(dataPath)
    let log = folder.path("log")
    _ = try Subprocess.run(
      [news, "--home", home, "read", "1"],
      environment: FaultShim.environment(of: home, log: log).merging(["HOME": folder.path]) { $1 },
    )
    let new = try readFile(dataPath)
    try disk.unmount()
    return (try FaultShim.operations(inLog: log).count, old, new)
  }
}
