import TestSupport
import Testing

@testable import System

@Suite("Programs that print")
struct PrintingProgramTests {
  private func run(
    _ script: String,
    input: String = "",
    until end: ContinuousClock.Instant? = nil,
    _ receive: (String) -> Bool = { _ in true },
  ) -> PrintingProgram.End? {
    Array(input.utf8).withUnsafeBytes { bytes in
      PrintingProgram.run(["/bin/sh", "-c", script], input: bytes, until: end, orReadable: nil) {
        receive(String(decoding: $0, as: UTF8.self))
      }
    }
  }

  @Test("what it prints of what it is given, its status, and its last word on standard error")
  func answer() {
    var text = ""
    let end = run("tr a b; echo first >&2; echo last >&2; exit 3", input: "banana") {
      text += $0
      return true
    }
    #expect(text == "bbnbnb")
    #expect(end == .ended(status: 3, said: "last"))
  }

  @Test("as much as it likes goes through it both ways, and to standard error")
  func much() {
    let input = String(repeating: "0123456789abcde\n", count: 200_000)
    var count = 0
    let end = run("tee /dev/stderr", input: input) {
      count += $0.utf8.count
      return true
    }
    #expect(end == .ended(status: 0, said: "0123456789abcde"))
    #expect(count == input.utf8.count)
  }

  @Test("all that it has started is ended with it", arguments: [true, false])
  func group(isRefused: Bool) throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { _ = close(reader) }
    let script = "exec 3>'\(pipe)'; (sleep 20; echo late >&3) & echo begun >&3; echo begun; wait"
    let end = run(script, until: isRefused ? nil : .now + .seconds(1)) { _ in !isRefused }
    #expect(end == (isRefused ? .refused : .timedOut))
    // The end comes when no process can write any more.
    _ = fcntl(reader, F_SETFL, 0)
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 100)
    while case let count = read(reader, &piece, piece.count), count > 0 { text += piece[..<count] }
    #expect(String(decoding: text, as: UTF8.self) == "begun\n")
  }
}
