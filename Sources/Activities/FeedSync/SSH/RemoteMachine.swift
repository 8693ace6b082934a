internal import CommandLine
internal import System

package struct RemoteMachine: Hashable {
  package let host: String
  package let home: String?

  /// Reads `ssh:HOST[:HOME]`; returns nil for another scheme.
  ///
  /// HOST may have a user before it, and be an address in brackets.
  ///
  /// - Throws: if HOST could be read as an option of ssh, or as several words.
  package init?(_ word: String) throws {
    guard word.hasPrefix("ssh:") else { return nil }
    var rest = word.dropFirst(4)
    while rest.hasPrefix("/") { rest = rest.dropFirst() }
    let end = rest.hasPrefix("[") || rest.contains("@[") ? rest.firstIndex(of: "]") : nil
    let colon = rest[(end ?? rest.startIndex)...].firstIndex(of: ":")
    host = rest[..<(colon ?? rest.endIndex)].filter { $0 != "[" && $0 != "]" }
    let path = colon.map { rest[rest.index(after: $0)...] } ?? ""
    home = path.isEmpty ? nil : String(path)
    let isName = host.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit || "@.:-_%".utf8.contains(byte)
    }
    guard isName, !host.isEmpty, !host.hasPrefix("-") else {
      throw Failure("not a host as ssh knows it: ssh:HOST or ssh:HOST:HOME")
    }
  }

  package init(host: String, home: String?) { (self.host, self.home) = (host, home) }

  /// The command line of ssh, which asks no question without `mayAsk`.
  package func words(consent: SyncConsent = .asked, mayAsk: Bool) -> [String] {
    let home = home.map { home in
      // The remote shell expands its own home.
      home == "~" || home.hasPrefix("~/")
        ? "\"$HOME\"" + ShellWord.asNeeded(String(home.dropFirst())) : ShellWord.quoted(home)
    }
    // One user is at both ends: an answer here is one there.
    // Shells of no log-in often lack the folders of the user's own programs.
    let command =
      "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\" news sync --serve"
      + (consent == .accepted ? " --accept" : "") + (home.map { " --home=\($0)" } ?? "")
    let ssh = ["ssh", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15"]
    return ssh + (mayAsk ? [] : ["-o", "BatchMode=yes"]) + ["--", host, command]
  }
}
