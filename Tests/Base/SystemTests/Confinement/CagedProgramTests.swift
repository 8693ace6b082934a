import TestSupport
import Testing

@testable import System

@Suite(
  "A program in a cage",
  .enabled(if: CagedProgram.obstacle == nil, "\(CagedProgram.obstacle ?? "")"),
)
struct CagedProgramTests {
  private let folder: TemporaryFolder
  private let program: String

  init() throws {
    folder = try TemporaryFolder()
    program = folder.path("attempts")
    mkdir(folder.path("user"), 0o700)
    try folder.write("secret\n", to: "user/key")
    let source = BuiltProduct.fixture("confinement/attempts.c")
    let compiled = try Subprocess.run(["cc", "-o", program, source, "-ldl", "-lpthread"])
    #expect(compiled.status == 0, Comment(rawValue: compiled.errorText))
  }

  private func run(
    _ words: [String],
    input: [UInt8] = [],
  ) -> (end: PrintingProgram.End?, printed: [UInt8]) {
    var printed: [UInt8] = []
    let end = input.withUnsafeBytes { input in
      PrintingProgram.run(words, input: input, until: nil, orReadable: nil, isCaged: true) {
        printed += $0
        return true
      }
    }
    return (end, printed)
  }

  private func end(of attempt: String, input: [UInt8] = []) throws -> String {
    let other = try Subprocess(["sleep", "1000"])
    let port = try freePort()
    let words = [program, folder.path("user"), String(other.pid), String(port), attempt]
    guard case .ended(let status, _)? = run(words, input: input).end else { return "not started" }
    return status == 0
      ? "done" : status > 128 ? "killed by \(status - 128)" : POSIX.errorMessage(status)
  }

  @Test(
    "reads no key and no other process, changes, runs and signals nothing, and talks with nobody",
    arguments: [
      ("read a key", EACCES), ("list a folder", EACCES),
      ("read the environment of another", EACCES),
      ("write a file", EACCES), ("append to a file", EACCES), ("cut a file by opening it", EACCES),
      ("make a file without a name", EACCES), ("chmod", EACCES), ("chown", EACCES),
      ("setxattr", EACCES), ("utimes", EACCES), ("truncate", EACCES), ("unlink", EACCES),
      ("rename", EACCES), ("link", EACCES), ("symlink", EACCES), ("mkdir", EACCES),
      ("connect to a socket of a path", EACCES), ("send to a socket of a path", EACCES),
      ("make a pair for datagrams", ENOSYS), ("open a raw socket", EACCES),
      ("connect by TCP", EACCES), ("bind a port of UDP", EACCES), ("signal another", EPERM),
      ("signal all", EPERM), ("fork", ENOSYS), ("clone into a user namespace", ENOSYS),
      ("type in the terminal", ENOSYS), ("open the terminal", EACCES),
      ("have other descriptors", EBADF), ("know the home", ENOENT), ("use much memory", ENOMEM),
      ("use much time", EDQUOT), ("make a ring", ENOSYS), ("read limits of another", ENOSYS),
    ],
  )
  func refused(attempt: String, code: Int32) throws {
    #expect(try end(of: attempt) == POSIX.errorMessage(code))
  }

  @Test(
    "ends where it does what only an attacker does",
    arguments: ["trace another", "read memory of another", "make a user namespace", "mount"],
  )
  func killed(attempt: String) throws {
    #expect(try end(of: attempt) == "killed by \(SIGSYS)")
  }

  @Test(
    "does what drawing needs",
    arguments: [
      "start a thread", "load libraries", "use memory", "make a pair of streams",
      "ask for a terminal",
    ],
  )
  func allowed(attempt: String) throws {
    #expect(try end(of: attempt) == "done")
  }

  @Test("reads its input and prints, also what an interpreter of the system runs")
  func printing() throws {
    let input = Array("picture".utf8)
    let words = [program, "-", "1", "1", "print what it reads"]
    #expect(run(words, input: input).printed == input)
    let script = try folder.write("#!/bin/sh\nread line; echo \"$line!\"\n", to: "script")
    chmod(script, 0o755)
    #expect(run([script], input: input + [10]).printed == Array("picture!\n".utf8))
  }

  @Test("is not run where it is no program, or nobody knows it")
  func missing() throws {
    let file = try folder.write("text", to: "file")
    #expect(run(["no-such-program-of-news"]).end == nil)
    #expect(run([file]).end == .ended(status: 127, said: ""))
  }
}
