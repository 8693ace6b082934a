package import CommandLine
internal import System

/// Another machine as ssh reaches it.
package struct RemoteMachine: Hashable {
  package let host: String
  package let home: String?

  /// Reads `ssh:HOST[:HOME]`; nil for another word.
  ///
  /// HOST may have a user before it, and be an address in brackets.
  /// - Throws: where it would be an option of ssh, or of several words.
  package init?(_ word: String) throws(WordFault) {
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
      throw WordFault(reason: "not a host as ssh knows it: ssh:HOST or ssh:HOST:HOME")
    }
  }

  package init(host: String, home: String?) { (self.host, self.home) = (host, home) }

  /// What ssh is to be started with; without a terminal it asks nothing.
  package func words(
    sharesStories: Bool,
    consent: SyncConsent = .asked,
    mayAsk: Bool,
  ) -> [String] {
    let home = home.map { home in
      // The other shell's own home is for it to find.
      home == "~" || home.hasPrefix("~/")
        ? "\"$HOME\"" + ShellWord.asNeeded(String(home.dropFirst())) : ShellWord.quoted(home)
    }
    // Shells that nobody logs in to often lack the folder of one's own programs.
    let command =
      "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\" news sync --serve"
      + (sharesStories ? " --stories" : "") + consent.words + (home.map { " --home=\($0)" } ?? "")
    let ssh = ["ssh", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15"]
    return ssh + (mayAsk ? [] : ["-o", "BatchMode=yes"]) + ["--", host, command]
  }
}

extension SyncConsent {
  /// What is agreed to here is agreed to there: by whoever sits at both.
  fileprivate var words: String {
    switch self {
    case .asked: ""
    // What is here is to be there, too.
    case .accepted, .restored: " --accept"
    }
  }
}
