/// Opens links in the user's browser: an argument vector, no shell.
struct Browser {
  let environment: Environment

  /// Opens a link that `SafeLink` has checked.
  func open(_ link: String) throws(CommandError) {
    for words in candidates(link) {
      let status = environment.launch(words)
      if status == 0 { return }
      if status != 127 { throw .failed("\(words[0]) ended with status \(status)") }
    }
    throw .failed("no browser found; name one in BROWSER")
  }

  /// What to try, in order: each part of `BROWSER`, then the system's way.
  private func candidates(_ link: String) -> [[String]] {
    let own = (environment.variable("BROWSER") ?? "").split(separator: ":").map { part in
      var words = part.split(separator: " ").map(String.init)
      if let place = words.firstIndex(of: "%s") {
        words[place] = link
      } else {
        words.append(link)
      }
      return words
    }
    let system = environment.isMacOS ? [["open", link]] : [["xdg-open", link]]
    return own.filter { $0.count > 1 } + system
  }
}
