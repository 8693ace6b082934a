/// A network of this machine alone, with files of its own below `/etc`.
package enum NetworkNamespace {
  package static let isAllowed: Bool = (try? run {}) != nil

  /// Runs `body` on a thread inside a new namespace, with all that it opens and starts.
  ///
  /// - Parameters:
  ///   - address: an IPv4 address of the internet that this machine has for those inside.
  ///   - files: the texts of files of the system by their paths, for those inside; a path where
  ///       there is no file stays without one.
  ///   - body: must not leave behind what it started.
  /// - Returns: what `body` returned.
  /// - Throws: what `body` threw, or why there can be no such network.
  package static func run<R: Sendable>(
    address: String? = nil,
    files: [String: String] = [:],
    _ body: @escaping @Sendable () throws -> R,
  ) throws -> R {
    try MountNamespace.runApart {
      let folder = try TemporaryFolder()
      try enter(replacing: files, folder)
      if let address { try configure("lo:1", address: address) }
      return try body()
    }
  }

  #if canImport(Glibc)
  private static func enter(replacing files: [String: String], _ folder: TemporaryFolder) throws {
    let newNetwork: Int32 = 0x4000_0000
    try MountNamespace.enter(newNetwork)
    for (number, file) in files.enumerated() where access(file.key, F_OK) == 0 {
      let own = try folder.write(file.value, to: "\(number)")
      try MountNamespace.mount(own, at: file.key, MS_BIND)
    }
    // `ip link set lo up` does the same; 127.0.0.1 and ::1 come with it.
    let flags = UInt8(IFF_UP | IFF_RUNNING)
    try control(UInt(SIOCSIFFLAGS), "lo", [flags])
  }

  private static func configure(_ device: String, address: String) throws {
    // struct sockaddr_in: family, port, address.
    var bytes: [UInt8] = [UInt8(AF_INET), 0, 0, 0] + [UInt8](repeating: 0, count: 4)
    guard inet_pton(AF_INET, address, &bytes[4]) == 1 else {
      throw POSIXFailure("address", address)
    }
    try control(UInt(SIOCSIFADDR), device, bytes)
  }

  private static func control(_ request: UInt, _ device: String, _ value: [UInt8]) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw POSIXFailure("socket", "") }
    defer { close(descriptor) }
    // struct ifreq: a name of 16 bytes, then the value.
    var bytes = [UInt8](repeating: 0, count: 40)
    bytes.replaceSubrange(0..<device.utf8.count, with: Array(device.utf8))
    bytes.replaceSubrange(16..<(16 + value.count), with: value)
    guard ioctl(descriptor, request, &bytes) == 0 else { throw POSIXFailure("ioctl", device) }
  }
  #else
  private static func enter(replacing files: [String: String], _ folder: TemporaryFolder) throws {
    errno = ENOTSUP
    throw POSIXFailure("unshare", "")
  }

  private static func configure(_ device: String, address: String) throws {}
  #endif
}
