import TestSupport

/// The files of a home as they were, to be put back.
struct HomeFiles {
  /// When all of them were last written, in seconds since 1970; a file that was set aside is known
  /// by that.
  static let time = 1_790_000_000

  private let home: String
  private let files: [String: [UInt8]]

  init(_ home: String) throws {
    self.home = home
    var files: [String: [UInt8]] = [:]
    for name in try namesInFolder(home) { files[name] = try readFile("\(home)/\(name)") }
    self.files = files
  }

  func restore() throws {
    for name in try namesInFolder(home) where files[name] == nil {
      try removeFile("\(home)/\(name)")
    }
    for (name, bytes) in files {
      try writeFile("\(home)/\(name)", bytes)
      try setModificationTime(of: "\(home)/\(name)", seconds: Self.time)
    }
  }
}
