import CommandLine
import CommandSupport
import FeedStorage

/// One of the reader's own files, `keys` or `defaults`, to which an import adds lines.
struct ReaderFile {
  private let path: String
  private let context: CommandContext

  init(_ path: String?, _ context: CommandContext) throws {
    guard let path else { throw Failure("HOME is not known") }
    (self.path, self.context) = (path, context)
  }

  /// Adds the lines whose keys or options have none there yet; returns what is to be said.
  func add(_ lines: [String]) throws -> String {
    let text = SettingsText(at: path)
    if let refusal = text.refusal { throw Failure("\(path): \(refusal)") }
    let there = Set(text.lines.map { Self.start(String($0)) })
    let new = lines.filter { !there.contains(Self.start($0)) }
    let name = context.environment.shortened(path)
    guard !new.isEmpty else { return "no new lines for \(name)" }
    var all = text.lines.map(String.init)
    if all.last?.isEmpty == true { all.removeLast() }
    all += ["# from newsboat's config"] + new
    let bytes = Array((all.joined(separator: "\n") + "\n").utf8)
    try AtomicFile(path: path).replaceMakingFolder(bytes)
    return "\(Count.of(new.count, "line")) added to \(name)"
  }

  /// Returns the key or the keys of a line, or the command and its option.
  private static func start(_ line: String) -> String {
    let words = line.split(separator: " ")
    let isPair = words.first == "," || words.dropFirst().first?.hasPrefix("--") == true
    return words.prefix(isPair ? 2 : 1).joined(separator: " ")
  }
}
