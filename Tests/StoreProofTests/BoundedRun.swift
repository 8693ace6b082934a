import TestSupport

struct BoundedRun {
  let result: Subprocess.Result
  /// The most bytes that it had in memory, and the most data that it asked for; nil if it was ended
  /// before it could tell.
  let memory: (resident: Int, data: Int)?

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - data: the bytes of data that it may ask for; nil for any number.
  ///   - seconds: the processor time after which the system ends it.
  ///   - folder: a folder without a file `memory`.
  ///   - missing: operations that it only seems to do, by the names of `faultshim.c`.
  /// - Throws: `POSIXFailure` when it cannot be started.
  init(
    _ command: [String],
    data: Int? = nil,
    seconds: Int,
    in folder: TemporaryFolder,
    leavingOut missing: String? = nil,
  ) throws {
    let report = folder.path("memory")
    let limits = "ulimit -t \(seconds)\(data.map { "; ulimit -d \($0 / 1_024)" } ?? "")"
    result = try Subprocess.run(
      ["/bin/sh", "-c", "\(limits); exec \"$0\" \"$@\""] + command,
      environment: FaultShim.environment(
        of: "/nowhere",
        leavingOut: missing,
        memory: report,
      )
      .merging(["HOME": folder.path, "TZ": "UTC"]) { $1 },
    )
    let numbers = (try? readText(report))?.split(separator: "\n").compactMap { Int($0) } ?? []
    memory = numbers.count == 2 ? (numbers[0] * 1_024, numbers[1] * 1_024) : nil
    try? writeFile(report, [])
  }
}
