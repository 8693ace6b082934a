import CommandLine

package enum HomeFolder {
  package static func path(option: String?, environment: Environment) throws -> String {
    if let option {
      guard !option.isEmpty else {
        throw Failure.usage("--home needs a folder: --home DIR", command: nil)
      }
      return try absolute(option, environment)
    }
    if let variable = environment.variable("NEWS_HOME"), !variable.isEmpty {
      return try absolute(variable, environment)
    }
    return try systemPath(environment)
  }

  private static func systemPath(_ environment: Environment) throws -> String {
    if let data = environment.variable("XDG_DATA_HOME"), !data.isEmpty, !environment.isMacOS {
      return try join(data, "news", named: "XDG_DATA_HOME")
    }
    guard let home = environment.variable("HOME"), !home.isEmpty else {
      throw Failure("HOME is not set; use --home DIR or set NEWS_HOME")
    }
    let place = environment.isMacOS ? "Library/Application Support/news" : ".local/share/news"
    return try join(home, place, named: "HOME")
  }

  /// Refuses a relative path, which would make a new library in every folder.
  private static func join(
    _ folder: String,
    _ rest: String,
    named variable: String,
  ) throws -> String {
    guard folder.hasPrefix("/") else {
      throw Failure("\(variable) is not an absolute path: \(Spelling.quoted(folder))")
    }
    return LocalPath.normalized(folder + "/" + rest)
  }

  private static func absolute(_ path: String, _ environment: Environment) throws -> String {
    guard let result = LocalPath.absolute(path, in: environment.currentFolder()) else {
      throw Failure("the current folder no longer exists; use --home with an absolute path")
    }
    return result
  }
}
