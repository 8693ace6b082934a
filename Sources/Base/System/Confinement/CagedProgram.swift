internal import CConfinement

/// A program that reads what strangers made, and prints.
///
/// It has its own files, the system's programs and libraries to read, three descriptors, and the
/// variables that say how a terminal shows signs and colors; no home, no network, no terminal, no
/// other process. Where that cannot be had, it is not run.
package enum CagedProgram {
  package static let obstacle: String? = {
    guard cconfinement_landlock_version() > 0 else { return "this system has no Landlock" }
    return cconfinement_has_filters() ? nil : Confinement.lacksFilter
  }()

  /// Starts it in a session of its own; nil where there is no such program or no cage.
  ///
  /// `descriptors` must have targets for all of 0 to 2.
  static func start(_ words: [String], copying descriptors: [(from: Int32, to: Int32)]) -> pid_t? {
    let ends = (Int32(0)...2).map { to in descriptors.last { $0.to == to }?.from ?? -1 }
    guard let name = words.first, let path = path(of: name), !ends.contains(where: { $0 < 0 }),
      let list = files(of: path)
    else { return nil }
    defer { _ = close(list) }
    let arguments = words.map { strdup($0) } + [nil]
    let variables = POSIX.environment(keeping: isKept)
    defer { for text in arguments + variables { free(text) } }
    let process = cconfinement_start(path, arguments, variables, ends, list)
    return process > 0 ? process : nil
  }

  private static func path(of name: String) -> String? {
    if name.contains("/") { return name }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// The Landlock rules: the program and the system's programs, libraries, fonts and colors, with
  /// their settings.
  ///
  /// Of `/etc` only single files, because root could read all of it.
  private static func files(of program: String) -> Int32? {
    let limits =
      CCONFINEMENT_NO_BIND.rawValue | CCONFINEMENT_NO_CONNECT.rawValue
      | CCONFINEMENT_NO_SIGNALS.rawValue
    let list = cconfinement_begin(limits)
    guard list >= 0 else { return nil }
    let settings = [
      "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/fonts", "/etc/ImageMagick-6",
      "/etc/ImageMagick-7", "/etc/locale.alias", "/etc/localtime", "/var/cache/fontconfig",
      "/sys/devices/system/cpu", "/dev/null",
    ]
    for path in [program, "/bin"] + Confinement.systemFolders {
      _ = cconfinement_allow(list, path, CCONFINEMENT_EXECUTE)
    }
    for path in settings { _ = cconfinement_allow(list, path, CCONFINEMENT_READ) }
    return list
  }

  private static func isKept(_ variable: Substring) -> Bool {
    ["PATH", "LANG", "TERM", "COLORTERM"].contains(variable) || variable.hasPrefix("LC_")
  }
}
