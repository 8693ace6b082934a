internal import FeedParsing
internal import System

struct Machine: Codable, Equatable {
  let processor: String
  let cores: Int
  let system: String
  let kernel: String
  let libxml2: String

  static var this: Machine {
    Machine(
      processor: field("model name", of: "/proc/cpuinfo", separator: ":") ?? architecture,
      cores: POSIX.processors,
      system: field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? "unknown",
      kernel: "\(named(\.sysname)) \(named(\.release))",
      libxml2: (try? XMLLibrary.version()) ?? "missing",
    )
  }

  static var architecture: String { named(\.machine) }

  /// Returns the value in the first line that begins with `name`.
  static func field(
    _ name: String,
    of path: String,
    separator: Character,
  ) -> String? {
    // The kernel's files have no size, so they are read by lines.
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      guard line.hasPrefix(name), let middle = line.firstIndex(of: separator) else { continue }
      return line[line.index(after: middle)...].drop { " \t\"".contains($0) }
        .split(whereSeparator: { "\"\n".contains($0) }).first.map(String.init)
    }
    return nil
  }

  private static func named<T>(_ part: KeyPath<utsname, T>) -> String {
    var system = utsname()
    uname(&system)
    return withUnsafeBytes(of: system[keyPath: part]) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
