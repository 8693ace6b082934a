import FeedStorage
import TestSupport

/// One command on a disk whose power is cut, and the stories when it is back.
struct PowerCutTrial {
  let command: [String]
  /// The list before the command, and after it.
  let old: String
  let new: String
  let operations: Int
  private let bench: Bench

  /// Prepares a home with so many stories; nil for no home at all.
  init(_ kind: DiskImage.Kind, stories: Int?, command: [String]) throws {
    self.command = command
    let bench = try Bench(kind)
    self.bench = bench
    try bench.fill(stories)
    old = try bench.use { _ in try bench.listed() }
    let log = bench.folder.path("log")
    new = try bench.use { _ in
      try bench.run(command, FaultShim.environment(of: bench.home, log: log))
      return try bench.listed()
    }
    operations = try FaultShim.operations(inLog: log).count
  }

  /// Cuts the power during the command, and returns the harm, or nil for none.
  func problem(with fault: FaultShim.Fault) throws -> String? {
    let (isAcknowledged, found) = try outcome(of: fault)
    if found != old, found != new { return "\(command), \(fault): \(found)" }
    return isAcknowledged && found != new ? "\(command), \(fault): lost" : nil
  }

  /// Returns true if the command said that it was done, and the list when the power is back.
  func outcome(of fault: FaultShim.Fault) throws -> (isAcknowledged: Bool, listed: String) {
    var isAcknowledged = false
    let listed = try bench.cut { disk in
      let environment = try FaultShim.environment(of: bench.home, fault: fault, mount: disk)
      isAcknowledged = try !bench.run(command, environment).output.isEmpty
    }
    return (isAcknowledged, listed)
  }

  func listedAfterAcknowledgement(leavingOut: String? = nil) throws -> String {
    try bench.cut { disk in
      try bench.run(command, FaultShim.environment(of: bench.home, leavingOut: leavingOut))
      let cut = FaultShim.Fault(operation: 1, kind: "cut")
      let environment = try FaultShim.environment(of: disk, fault: cut, mount: disk)
      _ = try Subprocess.run(["cat", "\(bench.home)/lock"], environment: environment)
    }
  }
}

private struct Bench {
  let folder: TemporaryFolder
  private let image: DiskImage
  private let news: String

  init(_ kind: DiskImage.Kind) throws {
    folder = try TemporaryFolder()
    news = try BuiltProduct.path("news")
    image = try DiskImage(kind, path: folder.path("image"))
    try folder.write(ShapedStore.feed, to: "feed.xml")
  }

  private var disk: String { folder.path("disk") }
  var home: String { "\(disk)/home" }

  func fill(_ stories: Int?) throws {
    guard let stories else { return }
    let mounted = try image.mounted(at: disk)
    try LibraryStore(home: home).update { (_) in
      (LibraryChange(StoryChanges(adding: (0..<stories).map { ShapedStore.story($0) })), ())
    }
    try mounted.unmount()
  }

  /// Works on a new copy of the disk, cuts its power if the work has not, and returns the list.
  func cut(_ work: (String) throws -> Void) throws -> String {
    let copy = try DiskImage(copying: image, to: folder.path("copy"))
    var mounted = try copy.mounted(at: disk)
    try work(disk)
    try mounted.unmount()
    mounted = try copy.mounted(at: disk)
    let listed = try listed()
    try mounted.unmount()
    return listed
  }

  func use<R>(_ work: (String) throws -> R) throws -> R {
    let mounted = try DiskImage(copying: image, to: folder.path("copy")).mounted(at: disk)
    let result = try work(disk)
    try mounted.unmount()
    return result
  }

  @discardableResult
  func run(_ command: [String], _ environment: [String: String?]) throws -> Subprocess.Result {
    let words = command.map { $0 == "FEED" ? folder.path("feed.xml") : $0 }
    return try Subprocess.run(
      [news, "--home", home] + words,
      environment: environment.merging(["HOME": folder.path, "TZ": "UTC"]) { $1 },
    )
  }

  func listed() throws -> String {
    let result = try run(["list", "--json"], [:])
    guard result.status == 0 else { return result.errorText }
    return try result.text + LibraryStore(home: home).titlesWithTexts().joined(separator: "\n")
  }
}
