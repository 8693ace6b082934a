import TestSupport

struct HomeFiles {
  /// The time of the last change of all files, in seconds since 1970, by which a file that was set
  /// aside is known.
  static let time = 1_790_000_000

  private static let lists = "listings"

  private let home: String
  private let files: [String: [UInt8]]

  init(_ home: String) throws {
    self.home = home
    var files: [String: [UInt8]] = [:]
    for name in try namesInFolder(home) where name != Self.lists {
      files[name] = try readFile("\(home)/\(name)")
    }
    self.files = files
  }

  func restore() throws {
    for name in try namesInFolder(home) where files[name] == nil {
      let isFolder = name == Self.lists
      let names = isFolder ? try namesInFolder("\(home)/\(name)").map { "\(name)/\($0)" } : [name]
      for name in names { try removeFile("\(home)/\(name)") }
    }
    for (name, bytes) in files where (try? readFile("\(home)/\(name)")) != bytes {
      try Self.write(bytes, to: "\(home)/\(name)")
    }
  }

  /// Writes a file with the time of the others.
  static func write(_ bytes: [UInt8], to path: String) throws {
    // A new file is made: one that is truncated and written again waits for the disk.
    try? removeFile(path)
    try writeFile(path, bytes)
    try setModificationTime(of: path, seconds: time)
  }
}
